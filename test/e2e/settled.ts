/**
 * A page that has nothing to do: what is pressed then is answered, and what is counted then stays as it is.
 */
import type { Page, Request } from "playwright-core";

/** What a page has asked for and not got yet; `seen` counts each beginning and each end. */
interface Traffic {
  readonly open: Set<Request>;
  seen: number;
}

const trafficOf = new WeakMap<Page, Traffic>();

/** Notes from now on what a page asks for. The event stream never ends, so it does not count. */
export const watchTraffic = (page: Page): void => {
  const traffic: Traffic = { open: new Set(), seen: 0 };
  trafficOf.set(page, traffic);
  const note = (change: (request: Request) => unknown) => (request: Request) => {
    if (new URL(request.url()).pathname.endsWith("/events")) return;
    change(request);
    traffic.seen++;
  };
  page.on(
    "request",
    note((request) => traffic.open.add(request)),
  );
  const end = note((request) => traffic.open.delete(request));
  page.on("requestfinished", end).on("requestfailed", end);
};

/** Two frames are drawn: the second one shows what the page did before the first. */
const draw = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

/**
 * Waits until a page has all that it has asked for, and has drawn it. It does not wait for timers.
 * @throws Error after 30 s, with what is missing.
 */
export const settled = async (page: Page): Promise<void> => {
  const traffic = trafficOf.get(page) ?? { open: new Set<Request>(), seen: 0 };
  const start = performance.now();
  for (;;) {
    const { seen } = traffic;
    await draw(page);
    if (traffic.open.size === 0 && traffic.seen === seen) return;
    if (performance.now() - start > 30_000)
      throw new Error(`The page still waits for ${[...traffic.open].map((request) => request.url()).join(", ")}.`);
  }
};

/** A page is settled when it has nothing to do: a key then takes effect, and a count then stays the same. */
import type { Page, Request } from "playwright-core";

/** Requests of a page without a response yet; `seen` counts every start and end. */
interface Traffic {
  readonly open: Set<Request>;
  seen: number;
}

const trafficOf = new WeakMap<Page, Traffic>();

/** Records the page's requests from now on, except the event stream, which never ends. */
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

/** Waits for two frames: the second shows what the page did before the first. */
const draw = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

/**
 * Waits until a page has all responses and has rendered them. Does not wait for timers.
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

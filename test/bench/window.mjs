/** How fast the console feels: `npm run bench -- --window`, after a build. Reads the figures from the browser itself. */
import { openBrowser } from "../../tools/browser.mjs";
import { median } from "./measure.mjs";
import { startServer, stopServer } from "./servers.mjs";

const CODES = 10_000;
const REQUESTS = 2_000;
const KEYS = "lovelace";

/** @param {string} url @param {string} method @param {unknown} [body] */
const call = (url, method, body) =>
  fetch(url, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** Prints first view, time from 202 to the code on the page, and from a key in a filter to its frame. */
export const measureWindow = async () => {
  const server = await startServer("Stagedoor", {});
  const browser = await openBrowser();
  const session = `${server.auth}/v1/users/session`;
  /** @param {number} n of a code; its user is one of the demo's twelve */
  const send = (n) => call(session, "POST", { appId: "demo-app", user: { phone: `+12025550${100 + (n % 12)}` } });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const html = await (await fetch(`${server.console}/`)).text();
    const files = [...new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css)/g))];
    const sizes = await Promise.all(
      ["/", ...files].map(async (file) => {
        const { headers } = await fetch(server.console + file, {
          method: "HEAD",
          headers: { "Accept-Encoding": "br" },
        });
        return Number(headers.get("content-length"));
      }),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`first view: ${(bytes / 1_000).toFixed(1)} kB in ${files.length} files beside the page`);
    await page.goto(`${server.console}/codes`);
    await page.getByText("Running").waitFor();

    const visible = [];
    for (let n = 0; n < 20; n++) {
      const code = page.getByTestId("code");
      const before = (await code.count()) === 0 ? undefined : ((await code.textContent()) ?? undefined);
      const shown = page.evaluate(`new Promise((resolve) => {
        const last = ${JSON.stringify(before)};
        const look = () => document.querySelector('[data-testid="code"]')?.textContent === last
          ? requestAnimationFrame(look) : resolve(Date.now());
        look();
      })`);
      await send(n);
      const answered = Date.now();
      visible.push(Number(await shown) - answered);
    }
    console.log(`202 to visible: ${median(visible)} ms (median of ${visible.length})`);

    for (let n = 0; n < CODES; n += 50) await Promise.all(Array.from({ length: 50 }, (_, at) => send(n + at)));
    for (let n = 0; n < REQUESTS; n += 50)
      await Promise.all(Array.from({ length: 50 }, () => call(session, "PUT", { appId: "demo-app" })));
    for (const path of ["codes", "users", "requests"]) {
      await page.goto(`${server.console}/${path}?app=demo-app`);
      await page.getByText("Running").waitFor();
      await page.waitForTimeout(2_000);
      await page.keyboard.press("/");
      const field = page.locator("header input");
      await field.waitFor();
      const frames = [];
      for (const key of KEYS) {
        // From the key to after the frame in which it is handled: then it is drawn.
        await page.evaluate(`void (window.drawn = new Promise((resolve) => addEventListener("keydown", ({ timeStamp }) =>
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - timeStamp))),
          { once: true, capture: true })))`);
        await page.keyboard.press(key);
        frames.push(Number(await page.evaluate("window.drawn")));
        await page.waitForTimeout(300);
      }
      const worst = Math.max(...frames);
      console.log(`a key in the filter of ${path}: ${median(frames).toFixed(0)} ms (at most ${worst.toFixed(0)} ms)`);
    }
  } finally {
    await browser.close();
    await stopServer(server);
  }
};

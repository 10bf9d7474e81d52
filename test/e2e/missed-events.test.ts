/** Lost events: the page detects them by their numbers and reloads. */
import { EventEmitter, once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { listen } from "#test/hosts/listen.ts";
import { ADA, GRACE, rowWith, test, useHarness } from "./harness.ts";

const harness = useHarness();
let proxy: Server;
let address = "";
/** Withholds the next event of this type from the page. */
let lose: string | undefined;
/** Emits `open` when the page's event stream may open; absent: at once. */
let gate: EventEmitter | undefined;
/** Whether the page reaches the server. */
let isUp = true;

beforeAll(async () => {
  proxy = createServer(async (req, res) => {
    if (req.url?.endsWith("/events") && gate !== undefined) await once(gate, "open");
    if (!isUp) return void res.destroy();
    const { host, port } = new URL(harness.url("/"));
    const headers = { ...req.headers, host };
    if (headers.origin !== undefined) headers.origin = `http://${host}`;
    const asked = request({ host: "127.0.0.1", port, path: req.url, method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      if (!req.url?.endsWith("/events")) return void answer.pipe(res);
      answer.setEncoding("utf8").on("data", (text: string) => {
        const blocks = text.split(/(?<=\n\n)/).filter((block) => {
          const isLost = lose !== undefined && block.includes(`"type":"${lose}"`);
          if (isLost) lose = undefined;
          return !isLost;
        });
        res.write(blocks.join(""));
      });
      return answer.once("close", () => res.destroy());
    });
    res.once("close", () => asked.destroy());
    asked.once("error", () => res.destroy());
    req.pipe(asked);
  });
  address = `http://127.0.0.1:${await listen(proxy)}`;
});
beforeEach(() => {
  gate = undefined;
  isUp = true;
});
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

test("a code whose event was lost appears once another event arrives", async ({ visit }) => {
  const page = await visit(`${address}/codes`);
  const first = await harness.sendCode(GRACE);
  await rowWith(page, first).waitFor();
  lose = "passcode.put";
  const lost = await harness.sendCode(ADA);
  await expect.poll(() => lose).toBeUndefined();
  await harness.control("PATCH", "/apps/demo-mail", { name: "Told" });
  await rowWith(page, lost).waitFor();
});

test("a code sent after the page has loaded, and before its stream opens, appears", async ({ open }) => {
  gate = new EventEmitter();
  const page = await open(`${address}/codes`);
  await page.getByText("Connecting").first().waitFor();
  const code = await harness.sendCode(ADA);
  gate.emit("open");
  gate = undefined;
  await rowWith(page, code).waitFor();
});

test("a code sent while the page was hidden and away appears once it is shown again", async ({ visit }) => {
  const page = await visit(`${address}/codes`);
  await rowWith(page, await harness.sendCode(ADA)).waitFor();
  const show = (hidden: boolean): Promise<unknown> =>
    page.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, value: ${hidden} });
      document.dispatchEvent(new Event("visibilitychange"))`);
  isUp = false;
  proxy.closeAllConnections();
  await page.getByText("Not running").first().waitFor();
  await show(true);
  isUp = true;
  const code = await harness.sendCode(GRACE);
  await show(false);
  await rowWith(page, code).waitFor();
});

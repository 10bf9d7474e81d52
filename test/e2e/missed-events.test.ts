/** Lost events: the page detects them by their numbers and reloads. */
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect } from "vitest";
import { ADA, GRACE, rowWith, test, useHarness } from "./harness.ts";

const harness = useHarness();
let proxy: Server;
let address = "";
/** Withholds the next event of this type from the page. */
let lose: string | undefined;

beforeAll(async () => {
  proxy = createServer((req, res) => {
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
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

test("a code whose event was lost appears once another event arrives", async ({ visit }) => {
  const page = await visit(`${address}/inbox`);
  const first = await harness.sendCode(GRACE);
  await rowWith(page, first).waitFor();
  lose = "passcode.put";
  const lost = await harness.sendCode(ADA);
  await expect.poll(() => lose).toBeUndefined();
  await harness.control("PATCH", "/apps/demo-mail", { name: "Told" });
  await rowWith(page, lost).waitFor();
});

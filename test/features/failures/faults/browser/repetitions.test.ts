/** A dropped or reset request fails for a page of another origin, though browsers repeat it. */

import { createServer } from "node:http";
import { expect } from "vitest";
import { rowWith, test, useHarness } from "#test/e2e/harness.ts";
import { listen } from "#test/hosts/listen.ts";

const harness = useHarness();

for (const how of ["drop", "reset"] as const)
  for (const used of [false, true])
    test(`${how} once, on a ${used ? "used" : "fresh"} connection`, async ({ newPage, visit }) => {
      const site = createServer((_req, res) => res.setHeader("Content-Type", "text/html").end("<title>app</title>"));
      const port = await listen(site);
      const page = await newPage();
      await page.goto(`http://127.0.0.1:${port}/`);
      const signUp = (phone: string): Promise<number> =>
        page.evaluate(
          async ([url, body]) =>
            await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body }).then(
              ({ status }) => status,
              () => 0,
            ),
          [
            `${harness.built.ready.authUrl}/v1/users/session`,
            JSON.stringify({ appId: "demo-app", user: { phone } }),
          ] as const,
        );
      if (used) expect(await signUp("+13035550001")).toBe(200);
      const made = await harness.control("POST", "/faults", {
        match: { appId: "demo-app" },
        effect: { [how]: true },
        times: 1,
      });
      expect(await signUp("+13035550002")).toBe(0);
      expect(await signUp("+13035550003")).toBe(200);
      expect((await harness.control("GET", `/faults/${made.json.id}`)).json).toMatchObject({ used: 1, remaining: 0 });
      if (used) {
        const log = await visit(harness.url("/requests?app=demo-app&show=logins"));
        await rowWith(log, "+1 303 555 0002").getByRole("link").click();
        const login = log.getByRole("region", { name: "Login of +1 303 555 0002" });
        const steps = login.getByRole("listitem").filter({ hasText: "no response" });
        expect(await steps.count()).toBe(1);
        await steps.getByText(/Chrome repeated this by itself after \d+ ms$/).waitFor();
      }
      site.close();
      site.closeAllConnections();
    });

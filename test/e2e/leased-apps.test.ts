/** Leased apps in Setup. */
import { expect } from "vitest";
import { rowWith, test, useHarness } from "#test/e2e/harness.ts";

const harness = useHarness();

const read = async (appId: string) => (await harness.control("GET", `/apps/${appId}`)).json;

test("apps with a lease show the time left, which requests renew without a reload", async ({ visit }) => {
  const appId = (await harness.control("POST", "/apps", { name: "Job 812", ttlSeconds: 3_600 })).json.appId;
  const page = await visit(harness.url(`/setup/apps/${appId}`));
  await page.getByText("Every request that names the app renews the lease for 1 h.").waitFor();
  const left = async (): Promise<number> => {
    const [, minutes, seconds] =
      /leased, (\d+):(\d\d) left/.exec((await rowWith(page, appId).textContent()) ?? "") ?? [];
    return 60 * Number(minutes) + Number(seconds);
  };
  await expect.poll(left).toBeLessThan(3_597);
  await expect.poll(() => read(appId).then(left)).toBeGreaterThan(3_597);
});

test("with a join token the list says who created how many apps", async ({ visit }) => {
  const page = await visit(harness.url("/codes"));
  await page.route("**/emulator/v1/status", async (route) => {
    const response = await route.fetch();
    const holders = [
      { address: "10.0.0.5", apps: 2 },
      { address: null, apps: 1 },
    ];
    const shared = { apps: 3, mostApps: 50, bytes: 9, mostBytes: 99, largest: null, holders };
    await route.fulfill({ response, json: { ...(await response.json()), shared } });
  });
  await page.goto(harness.url("/setup/apps"));
  await page.getByText("3 of 50 apps of the join token, 2 by 10.0.0.5, 1 by jobs before the last start").waitFor();
});

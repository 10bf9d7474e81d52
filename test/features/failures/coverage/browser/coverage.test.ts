import { describe, expect } from "vitest";
import { findings } from "#test/e2e/axe.ts";
import { test, useHarness } from "#test/e2e/harness.ts";

const harness = useHarness();
const TO = "+12025550100";
const ask = () => harness.auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone: TO } });

describe("coverage", () => {
  test("shows what was met, live, provokes the next outcome, and filters", async ({ visit }) => {
    const page = await visit(harness.url("/requests/outcomes?app=demo-app"));
    await page.getByText("0 of 27 outcomes covered").waitFor();
    await ask();
    await page.getByText("1 of 27 outcomes covered").waitFor();
    const detail = (name: string) => page.getByRole("region", { name, exact: true });
    const outcome = (name: string) => page.locator(`[data-outcome="${name}"]`);
    await outcome("codeSent").getByText("1 ×").waitFor();
    await outcome("rateLimited").getByRole("link").click();
    await detail("Rate-limited").getByRole("button", { name: "Provoke" }).click();
    await detail("Rate-limited").getByText("Armed. Now: Request a code as any user.").waitFor();
    expect((await ask()).status).toBe(429);
    await page.getByText("2 of 27 outcomes covered").waitFor();
    await page.getByRole("link", { name: /^Not met/ }).click();
    await expect.poll(() => outcome("codeSent").count()).toBe(0);
    await outcome("locked").waitFor();
    await page.getByRole("link", { name: "All", exact: true }).click();
    await detail("Rate-limited").getByRole("link", { name: /^last/ }).click();
    await page.waitForURL(/\/requests\/[0-9a-f-]{36}/);
  });

  test("provokes for one user alone, if one is named", async ({ visit }) => {
    const page = await visit(harness.url("/requests/outcomes/serverError?app=demo-app"));
    const outcome = page.getByRole("region", { name: "Server error" });
    await page.getByLabel("Next login of").fill("+1 202 555 0102");
    const button = outcome.getByRole("button", { name: "Provoke" });
    await button.press("Enter");
    await outcome.getByText("Armed. Now: Request a code as +12025550102.").waitFor();
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true);
    expect((await ask()).status).toBe(202);
    expect((await harness.control("GET", "/faults")).json.items).toMatchObject([{ match: { to: "+12025550102" } }]);
    await outcome.getByRole("button", { name: "Cancel" }).press("Enter");
    await outcome.getByText("Armed.").waitFor({ state: "detached" });
    expect((await harness.control("GET", "/faults")).json.items).toEqual([]);
  });

  test("axe finds nothing; without an app nothing is provoked", async ({ visit }) => {
    const page = await visit(harness.url("/requests/outcomes"));
    await page.getByRole("link", { name: "Locked" }).click();
    await page.getByText("Choose an app to provoke it.").waitFor();
    expect(await page.getByRole("button", { name: "Provoke" }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
  });
});

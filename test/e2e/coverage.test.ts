import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { test, useHarness } from "./harness.ts";

const harness = useHarness();
const TO = "+12025550100";
const ask = () => harness.auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone: TO } });

describe("coverage", () => {
  test("shows what was met, live, provokes the next outcome, and filters", async ({ visit }) => {
    const page = await visit(harness.url("/coverage?app=demo-app"));
    await page.getByText("0 of 25 outcomes met").waitFor();
    await ask();
    await page.getByText("1 of 25 outcomes met").waitFor();
    const outcome = (name: string) => page.locator(`[data-outcome="${name}"]`);
    await outcome("codeSent").getByText("1 ×").waitFor();
    await outcome("rateLimited").getByRole("button", { name: "Provoke" }).click();
    await outcome("rateLimited").getByText("Next: Ask for a code as any user.").waitFor();
    expect((await ask()).status).toBe(429);
    await page.getByText("2 of 25 outcomes met").waitFor();
    await page.getByRole("link", { name: "Not met" }).click();
    await expect.poll(() => outcome("codeSent").count()).toBe(0);
    await outcome("locked").waitFor();
    await page.getByRole("link", { name: "All", exact: true }).click();
    await outcome("rateLimited").getByRole("link").click();
    await page.waitForURL(/\/requests\/[0-9a-f-]{36}/);
  });

  test("axe finds nothing; without an app nothing is provoked", async ({ visit }) => {
    const page = await visit(harness.url("/coverage"));
    await page.getByText("Choose an app to provoke an outcome.").waitFor();
    expect(await page.getByRole("button", { name: "Provoke" }).first().isDisabled()).toBe(true);
    expect(await findings(page)).toEqual([]);
  });
});

import { describe, expect } from "vitest";
import { findings } from "../axe.ts";
import { test, useHarness } from "../harness.ts";

const harness = useHarness();

describe("the marks of the status line", () => {
  test("lead from a changed clock back to real time, also for one app", async ({ visit }) => {
    await harness.control("PUT", "/clock?appId=demo-mail", { offsetSeconds: 7_200 });
    const page = await visit(harness.url("/codes"));
    const line = page.getByRole("contentinfo");
    await line.getByRole("link", { name: /^Clock of .* \+2 h$/ }).press("Enter");
    await page.getByText("Runs 2 h ahead of real time").waitFor();
    await page.getByRole("button", { name: "Back to real time" }).press("Enter");
    await line.getByRole("link", { name: "Real time" }).waitFor();
    expect((await harness.control("GET", "/clock?appId=demo-mail")).json.offsetSeconds).toBe(0);

    await page.goto(harness.url("/codes"));
    await harness.control("PUT", "/clock", { frozenAt: "2026-01-02T03:04:05.000Z" });
    await line.getByRole("link", { name: /^Clock frozen at .*2026/ }).click();
    await page.getByRole("link", { name: "Failures" }).click();
    await page.getByRole("button", { name: /^Turn off: Clock frozen/ }).click();
    await line.getByRole("link", { name: "Real time" }).waitFor();
    expect((await harness.control("GET", "/clock")).json.frozenAt).toBe(null);
  });

  test("explain data in memory, and lead to where local network access is turned on", async ({ visit }) => {
    const page = await visit(harness.url("/codes"), "light");
    const line = page.getByRole("contentinfo");
    await line.getByRole("button", { name: "Data only in memory" }).click();
    await page.getByRole("dialog", { name: "Data only in memory" }).getByText("--ephemeral").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await line.getByRole("link", { name: "LAN off" }).click();
    await page.waitForURL(/\/setup.*phone/);
    await page.getByRole("switch", { name: "Allow devices on this network", checked: false }).waitFor();
  });
});

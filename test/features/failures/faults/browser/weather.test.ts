/** Weather in the console. */
import { describe, expect } from "vitest";
import { findings } from "#test/e2e/axe.ts";
import { test, useHarness } from "#test/e2e/harness.ts";

const harness = useHarness();
const weather = async () => (await harness.control("GET", "/weather?appId=demo-app")).json.items;

describe("weather", () => {
  test("is set on Simulate, shown in the status line of every screen, and turned off at the top", async ({ visit }) => {
    const page = await visit(harness.url("/simulate?app=demo-app"));
    await page.getByRole("button", { name: /^Rush hour/ }).click();
    const mark = page.getByRole("contentinfo").getByRole("link", { name: "Weather: rush-hour" });
    await mark.waitFor();
    await page.getByRole("button", { name: /^Rush hour .* On · Turn off$/ }).waitFor();
    expect(await weather()).toMatchObject([{ name: "rush-hour" }]);
    await page.goto(harness.url("/users/sessions?app=demo-app"));
    await mark.click();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Turn off: Weather: rush-hour" }).click();
    await mark.waitFor({ state: "detached" });
    expect(await weather()).toEqual([]);
  });

  test("of another app is not shown; that of all apps is", async ({ visit }) => {
    const page = await visit(harness.url("/codes?app=demo-app"));
    await harness.control("PUT", "/weather", { appId: "demo-mail", name: "deploy" });
    const mark = page.getByRole("contentinfo").getByRole("link", { name: /^Weather/ });
    await harness.control("PUT", "/weather", { appId: "demo-app", name: "tunnel" });
    await expect.poll(() => mark.textContent()).toBe("Weather: tunnel");
    await harness.control("PUT", "/weather", { name: "bad-clock" });
    await expect.poll(() => mark.textContent()).toBe("Weather: bad-clock");
    await harness.control("PUT", "/weather", { name: "calm" });
    await mark.waitFor({ state: "detached" });
  });
});

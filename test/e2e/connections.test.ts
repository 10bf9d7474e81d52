import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { confirm, rowWith, test, useHarness } from "./harness.ts";

const harness = useHarness();
const HEDY = "b15e60d7-94fc-4a2e-83d0-f7a2c9b60a10";

describe("connections", () => {
  test("can be added, disabled, enabled and removed by keyboard", async ({ visit }) => {
    const page = await visit(harness.url("/users/connections?app=demo-app"));
    await rowWith(page, "Calendar").waitFor();
    await page.keyboard.press("n");
    await page.getByLabel("Find a user").fill("Ada");
    await page.getByRole("button", { name: "Ada Lovelace" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByLabel("Service", { exact: true }).fill("Payroll");
    await page.keyboard.press("Enter");
    const detail = page.getByRole("region", { name: "Connection Payroll" });
    await detail.getByRole("link", { name: "Ada Lovelace" }).waitFor();
    await detail.getByRole("button", { name: "Disable" }).click();
    await rowWith(page, "Payroll").getByText("Disabled", { exact: true }).waitFor();
    await detail.getByRole("button", { name: "Enable" }).click();
    await rowWith(page, "Payroll").getByText("Connected", { exact: true }).waitFor();
    await detail.getByRole("button", { name: "Remove" }).click();
    await confirm(page, "Remove");
    await expect.poll(() => rowWith(page, "Payroll").count()).toBe(0);
  });

  test("say, live, that the deletion of their profile disabled them", async ({ visit }) => {
    await harness.control("POST", "/connections", { appId: "demo-app", userId: HEDY, name: "Radio" });
    const page = await visit(harness.url("/users/connections?app=demo-app&show=disabled"));
    await rowWith(page, "Fitness Tracker").getByText("Disabled", { exact: true }).waitFor();
    expect((await harness.control("DELETE", `/profiles/${HEDY}?appId=demo-app`)).status).toBe(204);
    const row = rowWith(page, "Radio");
    await row.getByText("Disabled with its profile").waitFor();
    await row.getByText("Deleted user").waitFor();
    // Unmanaged, so it was removed with the profile.
    await expect.poll(() => rowWith(page, "Home Lock").count()).toBe(0);
  });

  test("can be searched by service and person", async ({ visit }) => {
    const page = await visit(harness.url("/users/connections"));
    await rowWith(page, "Calendar").waitFor();
    const search = async (text: string) => {
      await page.keyboard.press("/");
      await page.keyboard.press("Control+A");
      await page.keyboard.type(text);
    };
    await search("mary");
    await rowWith(page, "Museum Archive").waitFor();
    await expect.poll(() => rowWith(page, "Calendar").count()).toBe(0);
    await search("nobody at all");
    await page.getByRole("heading", { name: "Nothing found for “nobody at all”" }).waitFor();
  });

  test("axe finds nothing", async ({ visit }) => {
    const page = await visit(harness.url("/users/connections"));
    await rowWith(page, "Museum Archive").getByRole("link").click();
    await page.getByRole("region", { name: "Connection Museum Archive" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("n");
    await page.getByRole("button", { name: "Ada Lovelace" }).click();
    await page.getByLabel("Service", { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
  });
});

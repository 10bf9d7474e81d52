import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { rowWith, test, useHarness } from "./harness.ts";

const harness = useHarness();

describe("unsaved input", () => {
  test("a new fault: closing asks for confirmation, and another screen keeps it", async ({ visit }) => {
    const page = await visit(harness.url("/simulate/new?show=limited"));
    const panel = page.getByRole("region", { name: "New fault" });
    const typed = panel.getByLabel("Path");
    const leave = () => panel.getByRole("button", { name: "Close" });
    const show = () => new URL(page.url()).searchParams.get("show");
    await typed.fill("/v1/users/*");
    await leave().click();
    await panel.getByText("Discard your changes?").waitFor();
    // Enter keeps the input.
    const keep = panel.getByRole("button", { name: "Keep editing" });
    await expect.poll(() => keep.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(async () => [await typed.inputValue(), show()]).toEqual(["/v1/users/*", "limited"]);

    const screens = page.getByRole("navigation", { name: "Places" });
    await screens.getByRole("link", { name: "Users" }).click();
    await page.getByRole("grid", { name: "Users" }).waitFor();
    await page.goBack();
    await panel.getByText("Restored your unsaved changes.").waitFor();
    expect(await typed.inputValue()).toBe("/v1/users/*");

    await typed.press("Escape");
    await panel.getByRole("button", { name: "Discard" }).click();
    await panel.waitFor({ state: "hidden" });
    expect((await harness.control("GET", "/faults")).json.items).toEqual([]);
  });

  test("a new connection: closing asks for confirmation, and looking at another keeps it", async ({ visit }) => {
    const page = await visit(harness.url("/users/connections?app=demo-app"));
    await rowWith(page, "Calendar").waitFor();
    await page.keyboard.press("n");
    const panel = page.getByRole("region", { name: "New connection" });
    await panel.getByRole("button", { name: "Ada Lovelace" }).click();
    const service = panel.getByLabel("Service", { exact: true });
    await service.fill("Begun");
    await service.press("Escape");
    await panel.getByText("Discard your changes?").waitFor();
    expect(await findings(page)).toEqual([]);
    await panel.getByRole("button", { name: "Keep editing" }).click();
    // Choosing another user keeps the rest; confirmation is asked even without a user.
    await panel.getByRole("button", { name: "Change user" }).click();
    await panel.getByRole("button", { name: "Close" }).click();
    await panel.getByRole("button", { name: "Keep editing" }).click();
    await panel.getByRole("button", { name: "Grace Hopper" }).click();
    await rowWith(page, "Calendar").getByRole("link").first().click();
    await page.getByRole("region", { name: "Connection Calendar" }).waitFor();
    await page.goBack();
    await panel.getByText("Restored your unsaved changes.").waitFor();
    await panel.getByText("Grace Hopper").waitFor();
    expect(await service.inputValue()).toBe("Begun");
    await panel.getByRole("button", { name: "Cancel" }).click();
    await panel.getByRole("button", { name: "Discard" }).click();
    await panel.waitFor({ state: "hidden" });
    // Without input, no confirmation.
    await page.keyboard.press("n");
    await panel.getByLabel("Find a user").press("Escape");
    await panel.waitFor({ state: "hidden" });
  });

  test("a new connection in its profile's detail", async ({ visit }) => {
    const found = (await harness.control("GET", "/profiles?appId=demo-app&q=Hopper")).json.items;
    const page = await visit(harness.url(`/users/${found[0].userId}?app=demo-app`));
    const panel = page.getByRole("region", { name: "Profile of Grace Hopper" });
    await panel.getByRole("link", { name: /^Connections/ }).click();
    const add = panel.getByRole("button", { name: "Add connection" });
    await add.click();
    const service = panel.getByLabel("Service", { exact: true });
    await service.fill("Begun");
    await panel.getByRole("button", { name: "Close" }).click();
    await panel.waitFor({ state: "hidden" });
    await page.goBack();
    await panel.getByText("Restored your unsaved changes.").waitFor();
    expect(await service.inputValue()).toBe("Begun");
    await service.press("Escape");
    await panel.getByRole("button", { name: "Discard" }).click();
    await add.waitFor();
  });
});

import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { test, useHarness } from "./harness.ts";

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
});

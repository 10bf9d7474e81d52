import { describe, expect } from "vitest";
import { test, useHarness } from "./harness.ts";
import { settled } from "./settled.ts";

const harness = useHarness();
const PHONE = { width: 390, height: 844 };

describe("the frame", () => {
  test("starts with a link that skips to the content", async ({ visit }) => {
    const page = await visit(harness.url("/inbox"));
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
    await skip.press("Enter");
    const main = page.getByRole("main");
    await expect.poll(() => main.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("shows app, search and Send in full on a phone", async ({ visit }) => {
    const page = await visit(harness.url("/inbox?app=demo-mail"));
    await page.setViewportSize(PHONE);
    await settled(page);
    const header = page.getByRole("banner");
    const boxOf = async (role: "button" | "searchbox", name: string) => {
      const box = await header.getByRole(role, { name }).boundingBox();
      if (box === null) throw new Error(`${name} is not shown`);
      return { ...box, right: box.x + box.width, bottom: box.y + box.height };
    };
    const menu = await boxOf("button", "Inbox");
    const app = await boxOf("button", "App: Demo Mail");
    const send = await boxOf("button", "Send");
    const search = await boxOf("searchbox", "Search");
    expect(menu.right).toBeLessThanOrEqual(app.x);
    expect(app.right).toBeLessThanOrEqual(send.x);
    expect(send.right).toBeLessThanOrEqual(PHONE.width);
    expect(search.y).toBeGreaterThanOrEqual(send.bottom);
    expect(search.width).toBeGreaterThan(300);
    const name = header.getByText("Demo Mail", { exact: true });
    expect(await name.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  });

  test("returns the focus to what opened a panel or dialog", async ({ visit }) => {
    const page = await visit(harness.url("/apps"));
    for (const [button, field] of [
      [page.getByRole("button", { name: "New app n" }), page.getByLabel("Secret")],
      [page.getByRole("banner").getByRole("button", { name: "Send a test code" }), page.getByLabel("Find a user")],
    ] as const) {
      await button.press("Enter");
      await field.focus();
      await page.keyboard.press("Escape");
      await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    }
  });

  test("shows dialogs full-screen on a phone, with a close button", async ({ visit }) => {
    const page = await visit(harness.url("/inbox"));
    await page.setViewportSize(PHONE);
    await page.getByRole("banner").getByRole("button", { name: "Send" }).click();
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, ...PHONE });
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "hidden" });
  });

  test("hides clock and data while the server is disconnected", async ({ visit }) => {
    const page = await visit(harness.url("/inbox"));
    const line = page.getByRole("contentinfo");
    await line.getByText("Real time").waitFor();
    const { comeBack } = await harness.crash();
    await expect.poll(() => line.textContent()).toBe("Disconnected");
    await comeBack();
    await line.getByText("Real time").waitFor();
  });
});

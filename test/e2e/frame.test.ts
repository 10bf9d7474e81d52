import { describe, expect } from "vitest";
import { test, useHarness } from "./harness.ts";
import { settled } from "./settled.ts";

const harness = useHarness();
const PHONE = { width: 390, height: 844 };

describe("the frame", () => {
  test("starts with a link that skips to the content", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
    await skip.press("Enter");
    const main = page.getByRole("main");
    await expect.poll(() => main.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("shows app, Find and Send in full on a phone, and the places below", async ({ visit }) => {
    const page = await visit(harness.url("/codes?app=demo-mail"));
    await page.setViewportSize(PHONE);
    await settled(page);
    const header = page.getByRole("banner");
    const boxOf = async (name: string | RegExp) => {
      const box = await header.getByRole("button", { name }).boundingBox();
      if (box === null) throw new Error(`${name} is not shown`);
      return { ...box, right: box.x + box.width };
    };
    const app = await boxOf("App: Demo Mail");
    const find = await boxOf(/^Find/);
    const send = await boxOf("Send code");
    expect(app.right).toBeLessThanOrEqual(find.x);
    expect(find.right).toBeLessThanOrEqual(send.x);
    expect(send.right).toBeLessThanOrEqual(PHONE.width);
    const places = await page.getByRole("navigation", { name: "Places" }).boundingBox();
    expect((places?.y ?? 0) + (places?.height ?? 0)).toBe(PHONE.height);
    const name = header.getByText("Demo Mail", { exact: true });
    expect(await name.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  });

  test("returns the focus to what opened a panel or dialog", async ({ visit }) => {
    const page = await visit(harness.url("/setup/apps"));
    for (const [button, field] of [
      [page.getByRole("button", { name: "New app n" }), page.getByLabel("Secret")],
      [page.getByRole("banner").getByRole("button", { name: "Send code" }), page.getByLabel("Find a user")],
    ] as const) {
      await button.press("Enter");
      await field.focus();
      await page.keyboard.press("Escape");
      await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    }
  });

  test("shows dialogs full-screen on a phone, with a close button", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.setViewportSize(PHONE);
    await page.getByRole("banner").getByRole("button", { name: "Send" }).click();
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, ...PHONE });
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "hidden" });
  });

  test("keeps an unbroken name of 255 letters in its place", async ({ visit }) => {
    const [first, second] = ["W".repeat(255), "N".repeat(255)];
    const phone = "+12025550188";
    await harness.control("POST", "/profiles", { appId: "demo-app", phone, name: first });
    const passcode = await harness.sendCode(phone);
    await harness.auth("PUT", "/v1/users/session", { appId: "demo-app", user: { phone, name: second }, passcode });
    const page = await visit(harness.url("/codes?app=demo-app"));
    // The name before is told in the last step.
    await page
      .getByRole("button", { name: /Entered|\d{6}.*signed in/ })
      .last()
      .click();
    const login = page.getByRole("region", { name: /^Login of/ });
    const over = () => login.evaluate((element) => element.scrollWidth - element.clientWidth);
    for (const width of [1280, 900, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await settled(page);
      expect(await over()).toBe(0);
    }
  });

  test("leaves room for the fields at a zoom of 400 %", async ({ visit }) => {
    const page = await visit(harness.url("/users/new?app=demo-app"));
    await page.setViewportSize({ width: 320, height: 256 });
    for (const label of ["Name", "Email", "Fixed code"]) {
      const field = page.getByLabel(label, { exact: true });
      await field.focus();
      await field.scrollIntoViewIfNeeded();
      const isReached = await field.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top + height / 2) === element && top >= 0;
      });
      expect(isReached, label).toBe(true);
    }
  });

  test("marks what is chosen with the colors of the system, too", async ({ visit }) => {
    await harness.sendCode("+12025550100");
    const page = await visit(harness.url("/codes?app=demo-app"));
    await page.emulateMedia({ forcedColors: "active" });
    const lookOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    const highlight = await page.evaluate(() => {
      const probe = document.createElement("i");
      probe.style.background = "Highlight";
      document.body.append(probe);
      return getComputedStyle(probe).backgroundColor;
    });
    expect(await lookOf("nav[aria-label=Places] [aria-current=page]")).toBe(highlight);
  });

  test("says that a server which does not answer is waited for, until it does", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const state = page.getByTestId("connection");
    harness.built.child.kill("SIGSTOP");
    await state.filter({ hasText: "Waiting…" }).waitFor();
    harness.built.child.kill("SIGCONT");
    await state.filter({ hasText: "Running" }).waitFor();
  });

  test("hides clock and data while the server is disconnected", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const line = page.getByRole("contentinfo");
    await line.getByText("Real time").waitFor();
    const { comeBack } = await harness.crash();
    await expect.poll(() => line.textContent()).toBe("Not running");
    await comeBack();
    await line.getByText("Real time").waitFor();
  });
});

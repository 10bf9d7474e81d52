import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { ADA, clipboard, rowWith, test, useHarness } from "./harness.ts";

const harness = useHarness();
const input = (page: Page) => page.getByRole("combobox", { name: "A name, phone, code, id, place or command" });
const options = (page: Page) => page.getByRole("listbox", { name: "Commands" }).getByRole("option");

const adaId = async (): Promise<string> =>
  (await harness.control("GET", `/profiles?appId=demo-app&q=${encodeURIComponent(ADA)}`)).json.items[0].userId;

describe("the command palette", () => {
  test("opens with Ctrl K and ⌘K, even from a field, and closes with Esc, restoring the focus", async ({ visit }) => {
    const page = await visit(harness.url("/users/new?app=demo-app"));
    await page.getByRole("button", { name: /^Find/ }).getByText("Ctrl K").waitFor();
    const search = page.getByLabel("Name", { exact: true });
    await search.focus();
    await page.keyboard.press("Control+k");
    await expect.poll(() => input(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    await input(page).waitFor({ state: "hidden" });
    await expect.poll(() => search.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press("Meta+k");
    await input(page).waitFor();
    await page.keyboard.press("Meta+k");
    await input(page).waitFor({ state: "hidden" });
  });

  test("finds commands by the words that people know from elsewhere", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.keyboard.press("Control+k");
    for (const [typed, title] of [
      ["new app", "New app"],
      ["url", "Go to Setup"],
      ["qr", "Connect a phone"],
      ["import csv", "Import data"],
      ["secret", "Go to Apps"],
      ["sms", "Send a code"],
      ["help", "Keyboard shortcuts"],
      ["demo", "Present a login"],
    ] as const) {
      await input(page).fill(typed);
      await expect.poll(() => options(page).first().textContent(), { message: typed }).toContain(title);
    }
  });

  test("has the focus before the next key comes, so that none is lost", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const role = await page.evaluate(async () => {
      const key = { key: "k", code: "KeyK", ctrlKey: true, bubbles: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", key));
      // No task in between, only what React has put off.
      for (let n = 0; n < 10; n++) await Promise.resolve();
      return document.activeElement?.getAttribute("role");
    });
    expect(role).toBe("combobox");
  });

  test("opens screens and switches apps; recent commands come first", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.keyboard.press("Control+k");
    await input(page).fill("go to sess");
    await expect.poll(() => options(page).first().textContent()).toBe("Go to Sessions");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sessions", exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    await input(page).waitFor();
    await expect.poll(() => options(page).first().textContent()).toBe("Go to Sessions");
    await input(page).fill("switch mail");
    await options(page).first().getByText("Switch to").waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).searchParams.get("app")).toBe("demo-mail");
    await page.keyboard.press("Control+k");
    await expect.poll(() => input(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    const last = await options(page).count();
    await expect.poll(() => input(page).getAttribute("aria-activedescendant")).toBe(`command-${last - 1}`);
    expect(await options(page).last().getAttribute("aria-selected")).toBe("true");
  });

  test("sends a code to the typed recipient, and copies the newest", async ({ visit }) => {
    const page = await visit(harness.url("/requests"));
    await page.keyboard.press("Control+k");
    await input(page).fill("lovelace");
    const found = options(page).filter({ hasText: "Ada Lovelace" });
    await expect.poll(() => found.count()).toBe(6);
    await found.filter({ hasText: "Send code to" }).click();
    await page.getByRole("region", { name: "Login of Ada Lovelace" }).waitFor();
    const { code } = (await harness.control("GET", `/passcodes/latest?to=${encodeURIComponent(ADA)}`)).json;
    await rowWith(page, code).first().waitFor();
    await page.keyboard.press("Control+k");
    await input(page).fill("copy newest");
    await options(page).filter({ hasText: "Copy the newest code" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => clipboard(page)).toBe(code);
  });

  test("opens a user, signs in as one, and copies a token", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const choose = async (verb: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      // In the page's own number format.
      await input(page).fill("202 555 0100");
      await options(page)
        .filter({ hasText: `${verb} Ada Lovelace` })
        .click();
    };
    await choose("Open");
    await page.getByRole("region", { name: "Profile of Ada Lovelace" }).waitFor();
    const isActive = async () =>
      (await harness.control("POST", "/sessions/introspect", { token: await clipboard(page) })).json.active;
    await choose("Copy token of");
    await expect.poll(isActive).toBe(true);
    await page.evaluate(() => navigator.clipboard.writeText(""));
    // The verb and a name find the user too.
    await page.keyboard.press("Control+k");
    await input(page).fill("sign in ada");
    await options(page).first().filter({ hasText: "Sign in as Ada Lovelace" }).click();
    await page.getByRole("alert").filter({ hasText: "Signed in as Ada Lovelace" }).getByText("Copy token").click();
    await expect.poll(isActive).toBe(true);
  });

  test("finds what revokes and locks, what failed, and why", async ({ visit }) => {
    const session = await harness.control("POST", "/sessions", { appId: "demo-app", userId: await adaId() });
    const page = await visit(harness.url("/codes?app=demo-app"));
    const choose = async (typed: string, title: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      await input(page).fill(typed);
      await options(page).first().getByText(title, { exact: true }).waitFor();
      await page.keyboard.press("Enter");
    };
    await choose("revoke ada", "Revoke sessions of Ada Lovelace");
    const state = async () => (await harness.control("GET", `/sessions/${session.json.id}`)).json.state;
    await expect.poll(state).toBe("revoked");
    const scenario = async () =>
      (await harness.control("GET", `/profiles/${await adaId()}?appId=demo-app`)).json.scenario;
    await choose("lock ada", "Lock Ada Lovelace");
    await expect.poll(scenario).toBe("locked");
    await choose("unlock ada", "Unlock Ada Lovelace");
    await expect.poll(scenario).toBe(null);
    await choose("failed login", "Failed logins");
    await expect.poll(() => page.url()).toContain("/codes?app=demo-app&show=failed");
    await harness.auth("POST", "/v1/users/session", { appId: "demo-app", user: { mobile: ADA } });
    await harness.sendCode(ADA);
    await page.keyboard.press("Control+k");
    await input(page).fill("why");
    await options(page).first().getByText("Why did the last request fail?").waitFor();
    // With the fix.
    await options(page).first().getByText("phone").first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "phone" }).first().waitFor();
  });

  test("filters the list by what was typed, as / does, and gives the field its focus back", async ({ visit }) => {
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes?app=demo-app"));
    await page.keyboard.press("Control+k");
    await input(page).fill("lovel");
    await options(page).last().getByText("Filter Codes by “lovel”").waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("lovel");
    const narrow = page.getByLabel("Search codes and users");
    await narrow.waitFor();
    await page.keyboard.press("/");
    await page.keyboard.press("Escape");
    await expect.poll(() => narrow.inputValue()).toBe("");
    const hasFocus = () => narrow.evaluate((field) => field === document.activeElement);
    expect(await hasFocus()).toBe(true);
    await page.keyboard.press("Control+k");
    await input(page).waitFor();
    await page.keyboard.press("Escape");
    await input(page).waitFor({ state: "hidden" });
    await expect.poll(hasFocus).toBe(true);
  });

  test("leaves the focus on the screen that it opens", async ({ visit }) => {
    const page = await visit(harness.url("/users?app=demo-app"));
    await page.getByRole("row").nth(1).focus();
    await page.keyboard.press("Control+k");
    await input(page).fill("go to clock");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Clock", exact: true }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
  });

  test("sets the theme and opens the help; says when nothing matches", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.keyboard.press("Control+k");
    await input(page).fill("theme light");
    await options(page).first().getByText("light").waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("html").getAttribute("data-mantine-color-scheme")).toBe("light");
    await page.keyboard.press("Control+k");
    await input(page).fill("xqzxq");
    await page.getByText("Nothing found for “xqzxq”.").waitFor();
    await input(page).fill("keyboard");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
  });

  test("downloads the fixtures from any screen", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.keyboard.press("Control+k");
    await input(page).fill("export fix");
    const coming = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    const file = await coming;
    expect(file.suggestedFilename()).toMatch(/^stagedoor-\d{4}-\d\d-\d\d\.json$/);
    const { apps } = JSON.parse(await readFile(await file.path(), "utf8"));
    expect(apps.map(({ appId }: { appId: string }) => appId)).toContain("demo-app");
  });

  test("axe finds nothing", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.keyboard.press("Control+k");
    await options(page).first().waitFor();
    expect(await findings(page)).toEqual([]);
    await input(page).fill("xqzxq");
    await page.getByText("Nothing found").waitFor();
    expect(await findings(page)).toEqual([]);
  });
});

import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ADA, clipboard, copiedBy, GRACE, hold, rowWith, test, useHarness } from "./harness.ts";

const harness = useHarness();
const HEDY = "+12025550109";
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");

describe("by keyboard alone", () => {
  test("a session can be followed from the first code to its revocation", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const hedy = await harness.sendCode(HEDY);
    const ada = await harness.sendCode(ADA);
    await rowWith(page, ada).waitFor();

    await page.keyboard.press("j");
    await expect.poll(() => focused(page)).toBe("Ada Lovelace");
    await page.keyboard.press("j");
    await expect.poll(() => focused(page)).toBe("Hedy Lamarr");
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => focused(page)).toBe("Ada Lovelace");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain("/codes/");
    await page.keyboard.press("c");
    await expect.poll(() => clipboard(page)).toBe(ada);
    const { token } = await harness.signIn(ADA, await clipboard(page));
    await rowWith(page, ada).getByText("Signed in", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.url()).not.toContain("/codes/");
    await expect.poll(() => focused(page)).toBe("Ada Lovelace");

    await page.keyboard.press("k");
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await rowWith(page, hedy).getByText("Expired", { exact: true }).waitFor();

    // Tabs to the rail: back past the filters and the code's actions.
    for (const [name, keys] of [
      ["Users", "Shift+Tab"],
      ["Sessions", "Tab"],
    ] as const) {
      const link = page.getByRole("link", { name });
      for (let presses = 0; presses < 40; presses++) {
        if (await link.evaluate((element) => element === document.activeElement)) break;
        await page.keyboard.press(keys);
      }
      await page.keyboard.press("Enter");
    }
    await rowWith(page, "Ada Lovelace").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Session of Ada Lovelace" }).waitFor();
    await page.keyboard.press("r");
    await rowWith(page, "Ada Lovelace").getByText("Revoked", { exact: true }).waitFor();
    expect((await harness.control("POST", "/sessions/introspect", { token })).json.active).toBe(false);
  });

  test("the focus stays on a tab while the script of its screen loads, and when another tab opens", async ({
    visit,
  }) => {
    const page = await visit(harness.url("/codes"));
    const release = await hold(page, "**/assets/profiles-screen*.js");
    await page.getByRole("link", { name: "Users" }).press("Enter");
    const tab = page.getByRole("link", { name: "Sessions" });
    await tab.focus();
    release();
    await page.getByRole("row").filter({ hasText: "Ada Lovelace" }).waitFor();
    expect(await focused(page)).toBe("Sessions");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
    expect(await focused(page)).toBe("Sessions");
  });

  test("a tab that is pressed while the script of its screen loads opens", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const release = await hold(page, "**/assets/profiles-screen*.js");
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByRole("link", { name: "Sessions" }).hover();
    await page.mouse.down();
    release();
    await page.getByRole("row").filter({ hasText: "Ada Lovelace" }).waitFor();
    await page.mouse.up();
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
  });

  test("keys do not interfere with typing, input methods and other shortcuts", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await rowWith(page, code).waitFor();
    await page.evaluate(() => navigator.clipboard.writeText("untouched"));

    await page.keyboard.press("/");
    await page.keyboard.type("cje?");
    expect(await page.getByLabel("Search codes and users").inputValue()).toBe("cje?");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await rowWith(page, code).waitFor();

    await page.keyboard.press("j");
    for (const held of ["ctrlKey", "metaKey", "altKey", "isComposing"])
      await page.evaluate((name) => {
        const event = new KeyboardEvent("keydown", { key: "e", bubbles: true, [name]: true });
        document.activeElement?.dispatchEvent(event);
      }, held);
    await page.evaluate(() =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent("keydown", { key: "e", bubbles: true, modifierAltGraph: true }),
      ),
    );
    const item = (await harness.control("GET", "/passcodes?limit=1")).json.items[0];
    expect(item.status).toBe("active");
    expect(await clipboard(page)).toBe("untouched");
  });

  test("a key pressed before the page has loaded still takes effect", async ({ visit }) => {
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    const body = page.locator("body");
    const release = await hold(page, "**/requests/*/curl");
    await page.getByRole("link", { name: "Requests", exact: true }).click();
    await rowWith(page, "Passcode sent").getByRole("link", { name: "/v1/users/session" }).click();
    await page.getByRole("region", { name: "POST /v1/users/session" }).waitFor();
    const line = await copiedBy(page, async () => {
      await body.press("c");
      release();
    });
    expect(line).toContain(`'${harness.built.ready.authUrl}/v1/users/session'`);
    // The matching users are not shown yet.
    await page.getByRole("button", { name: "Send code" }).click();
    const field = page.getByLabel("Find a user");
    await page.getByRole("dialog").getByRole("listitem").first().waitFor();
    await field.fill("Hopper");
    await field.press("Enter");
    await expect.poll(async () => (await harness.control("GET", "/passcodes?limit=1")).json.items[0].to).toBe(GRACE);
    expect((await harness.control("GET", "/passcodes")).json.total).toBe(2);
  });

  test("the help opens with ?, and can turn off single keys", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await rowWith(page, code).waitFor();
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard" });
    await sheet.waitFor();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("switch", { name: "Single-key shortcuts" }).press("Space");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page)).toBe("Ada Lovelace");
    expect(await sheet.count()).toBe(0);
  });

  test("keys do not affect the page behind a dialog", async ({ visit }) => {
    const page = await visit(harness.url("/users?app=demo-app"));
    await page.getByRole("row").filter({ hasText: "Ada Lovelace" }).waitFor();
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard" });
    await sheet.waitFor();
    const address = page.url();
    for (const key of ["j", "x", "Shift+X", "n", "/"]) await page.keyboard.press(key);
    expect(page.url()).toBe(address);
    expect(await page.getByText(/ of \d+ selected$/).count()).toBe(0);
    expect(await sheet.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "hidden" });
    // The same keys work once it is closed.
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText(/^1 of \d+ selected$/).waitFor();
    await page.keyboard.press("n");
    await page.getByRole("region", { name: "New user" }).waitFor();
  });
});

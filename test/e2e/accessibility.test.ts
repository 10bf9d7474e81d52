import { beforeAll, describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { ADA, GRACE, rowWith, test, useStage, wrongCode } from "./stage.ts";

const full = useStage();
const empty = useStage();

beforeAll(async () => {
  const code = await full.sendCode(ADA);
  await full.signIn(ADA, wrongCode(code));
  await full.signIn(ADA, code);
  const standing = await full.sendCode(GRACE);
  for (let tries = 0; tries < 5; tries++) await full.signIn(GRACE, wrongCode(standing));
  await full.sendCode(ADA);
  await full.sendCode("+12025550102");
  await full.sendCode("+12025550105");
  await full.signIn("+12025550105", "1");
});

describe.for(["dark", "light"] as const)("axe finds nothing, in the %s", (scheme) => {
  for (const [name, path] of [
    ["empty inbox", "/inbox"],
    ["empty sessions", "/sessions"],
    ["unknown page", "/nowhere"],
  ] as const)
    test(name, async ({ visit }) => {
      const page = await visit(empty.url(path), scheme);
      await page.locator("h2").first().waitFor();
      await page.locator("pre, a[href='/inbox']").first().waitFor();
      expect(await findings(page)).toEqual([]);
    });

  for (const [screen, path] of [
    ["inbox", "/inbox"],
    ["sessions", "/sessions"],
  ] as const)
    test(`${screen}, with a row open`, async ({ visit }) => {
      const page = await visit(full.url(path), scheme);
      await rowWith(page, "Ada Lovelace").getByRole("link").first().click();
      await page.getByRole("button", { name: "Close Esc" }).waitFor();
      expect(await findings(page)).toEqual([]);
    });

  test("inbox, narrow", async ({ visit }) => {
    const page = await visit(full.url("/inbox"), scheme);
    await page.setViewportSize({ width: 600, height: 800 });
    await rowWith(page, "Ada Lovelace").first().waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("connect", async ({ visit }) => {
    const page = await visit(full.url("/connect"), scheme);
    await page.getByRole("heading", { name: "Try it" }).waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("dialogs and menus", async ({ visit }) => {
    const page = await visit(full.url("/inbox"), scheme);
    await rowWith(page, "Ada Lovelace").first().waitFor();
    await page.getByRole("button", { name: "Send a test code" }).click();
    await page.getByRole("dialog").getByRole("listitem").first().waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: /^App: / }).click();
    await page.getByRole("menu").waitFor();
    expect(await findings(page)).toEqual([]);
  });
});

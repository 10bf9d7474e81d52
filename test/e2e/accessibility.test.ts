import type { Page } from "playwright-core";
import { beforeEach, describe, expect } from "vitest";
import { findings, findingsBesideColours } from "./axe.ts";
import { ADA, GRACE, rowWith, test, useHarness, wrongCode } from "./harness.ts";

const harness = useHarness();

const fill = async (): Promise<void> => {
  const code = await harness.sendCode(ADA);
  await harness.signIn(ADA, wrongCode(code));
  await harness.signIn(ADA, code);
  const standing = await harness.sendCode(GRACE);
  for (let tries = 0; tries < 5; tries++) await harness.signIn(GRACE, wrongCode(standing));
  await harness.sendCode(ADA);
  await harness.sendCode("+12025550102");
  await harness.sendCode("+12025550105");
  await harness.signIn("+12025550105", "1");
  await harness.control("POST", "/faults", { match: { method: "DELETE" }, effect: { status: 503 }, times: 2 });
  await harness.control("PUT", "/snapshots/before");
};

/** Wide, with the detail over the list, and on a phone. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 900, height: 600 },
  { width: 390, height: 844 },
];

/** @returns axe's findings at every size, first in both color schemes, and whether the page is wider than its window. */
const atEachSize = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const here = size === SIZES[0] ? findings : findingsBesideColours;
    for (const finding of await here(page)) found.push(`${size.width}: ${finding}`);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (over > 0) found.push(`${size.width}: ${over} pixels too wide`);
  }
  return found;
};

describe("axe finds nothing", () => {
  for (const [name, path] of [
    ["no codes", "/codes"],
    ["no sessions", "/users/sessions"],
    ["unknown page", "/nowhere"],
  ] as const)
    test(name, async ({ visit }) => {
      const page = await visit(harness.url(path));
      await page.locator("h2").first().waitFor();
      expect(await findings(page)).toEqual([]);
    });
});

describe("with data, axe finds nothing", () => {
  beforeEach(fill);

  for (const path of ["setup?show=phone", "simulate/clock", "setup/data?show=snapshot", "setup/data?show=generate"])
    test(`${path}, at every size`, async ({ visit }) => {
      const page = await visit(harness.url(`/${path}`));
      await page.getByRole("heading", { level: 2 }).first().waitFor();
      expect(await atEachSize(page)).toEqual([]);
    });

  for (const path of ["codes", "users", "users/sessions", "users/connections", "requests", "simulate", "setup/apps"])
    test(`${path}, at every size, list and detail`, async ({ visit }) => {
      const page = await visit(harness.url(`/${path}`));
      const row = page.getByRole("main").locator("[data-row-link], tbody tr a, [aria-label='On'] a").first();
      await row.waitFor();
      expect(await atEachSize(page)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
      await row.click();
      if (path === "codes") await expect.poll(() => page.url()).toContain("/codes/");
      else await page.getByRole("button", { name: "Close Esc" }).waitFor();
      expect(await atEachSize(page)).toEqual([]);
    });

  test("dialogs and menus", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await rowWith(page, "Ada Lovelace").first().waitFor();
    await page.getByRole("button", { name: "Send code" }).click();
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

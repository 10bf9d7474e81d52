import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { settled } from "./settled.ts";

/** Minified, because each page compiles it. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules about colors, the only ones that depend on the color scheme. */
const BY_COLOUR = ["color-contrast", "link-in-text-block"];

const run = async (page: Page, options: axe.RunOptions = {}): Promise<string[]> => {
  // Passing elements are only counted: describing them takes most of the time.
  const given = JSON.stringify({ resultTypes: ["violations"], ...options });
  const violations = await page.evaluate<axe.Result[]>(`axe.run(${given}).then(({ violations }) => violations)`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

/** Changes the system's color scheme, which the page follows, and waits until all colors have changed. */
const changeScheme = async (page: Page, colorScheme: "dark" | "light"): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished),
    ),
  );
};

/** Loads axe into a page that has its title, which is loaded last, and has settled. */
const prepare = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await settled(page);
  // Not as a script element, which the page's policy forbids.
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(`${SOURCE}; undefined`);
};

/** @returns what axe finds on a page as it is, one line each. */
export const findingsAsIs = async (page: Page): Promise<string[]> => {
  await prepare(page);
  return await run(page);
};

/** Like `findingsAsIs` without colors, which are the same at every window size. */
export const findingsBesideColours = async (page: Page): Promise<string[]> => {
  await prepare(page);
  return await run(page, { rules: Object.fromEntries(BY_COLOUR.map((rule) => [rule, { enabled: false }])) });
};

/** Like `findingsAsIs`, plus the colors of the other scheme, for a page that follows the system's. */
export const findings = async (page: Page): Promise<string[]> => {
  const found = await findingsAsIs(page);
  const scheme = (await page.locator("html").getAttribute("data-mantine-color-scheme")) === "dark" ? "dark" : "light";
  const other = scheme === "dark" ? "light" : "dark";
  await changeScheme(page, other);
  const byColour = await run(page, { runOnly: BY_COLOUR });
  await changeScheme(page, scheme);
  return [...found, ...byColour.map((finding) => `${other}: ${finding}`)];
};

/** A small phone. */
export const PHONE = { width: 320, height: 640 };

/** @returns what is wrong with a page on a small phone, in either theme of the system: too wide, or not accessible. */
export const faultsOnPhone = async (page: Page): Promise<string[]> => {
  await page.setViewportSize(PHONE);
  const found: string[] = [];
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await findingsAsIs(page)).map((finding) => `${colorScheme}: ${finding}`));
  }
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  return width > PHONE.width ? [...found, `${width} px wide`] : found;
};

/** The stage's own words in the language of `?lang=`. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findingsAsIs } from "#test/e2e/axe.ts";
import { test as consoleTest, useHarness } from "#test/e2e/harness.ts";
import { GERMAN } from "../../../../src-renderer/features/stage/words/de.ts";
import { SPANISH } from "../../../../src-renderer/features/stage/words/es.ts";
import { FRENCH } from "../../../../src-renderer/features/stage/words/fr.ts";
import { ITALIAN } from "../../../../src-renderer/features/stage/words/it.ts";
import { JAPANESE } from "../../../../src-renderer/features/stage/words/ja.ts";
import { DUTCH } from "../../../../src-renderer/features/stage/words/nl.ts";
import { PORTUGUESE } from "../../../../src-renderer/features/stage/words/pt-br.ts";

const emulator = useHarness();
/** The phone is a page of auth. */
const test = consoleTest.extend<{ faults: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures it needs
  faults: async ({}, use) => await use([]),
});
const standsAt = (page: Page, state: string) => page.locator(`main[data-state="${state}"]`).waitFor();
/** axe's findings, and whether anything is wider than the window. */
const faultsOf = async (page: Page): Promise<string[]> => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return [...(wide > 0 ? [`${wide} px too wide`] : []), ...(await findingsAsIs(page))];
};

test.for([
  ["de", GERMAN],
  ["fr", FRENCH],
  ["es", SPANISH],
  ["it", ITALIAN],
  ["nl", DUTCH],
  ["pt-BR", PORTUGUESE],
  ["ja", JAPANESE],
] as const)("?lang=%s", async ([lang, words], { open }) => {
  await emulator.control("PATCH", "/apps/demo-app", { settings: { locale: lang } });
  const page = await open(emulator.url(`/stage?appId=demo-app&lang=${lang}`));
  await page.setViewportSize({ width: 1280, height: 720 });
  await standsAt(page, "idle");
  await page.getByText(words.hints.idle[0]).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe(lang);
  expect(await page.frameLocator("iframe").locator("html").getAttribute("lang")).toBe(lang);
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.press("1");
  await standsAt(page, "code");
  await page.getByText(words.sendsCode).waitFor();
  await page.keyboard.press("w");
  await standsAt(page, "wrong");
  await page.getByText(words.attemptsLeft(4)).waitFor();
  await page
    .getByText(`: ${words.results["passcode_mismatch"]}`.trim())
    .or(page.getByText(/：不一致/))
    .first()
    .waitFor();
  expect(await faultsOf(page)).toEqual([]);
});

test("an unknown language, and none, are English", async ({ open }) => {
  const page = await open(emulator.url("/stage?lang=sv"));
  await standsAt(page, "idle");
  await page.getByText("Who signs in?").waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
});

test("the presenter's notes speak the stage's language", async ({ open }) => {
  const page = await open(emulator.url("/stage?lang=fr"));
  await standsAt(page, "idle");
  const opened = page.waitForEvent("popup");
  await page.keyboard.press("n");
  const notes = await opened;
  await notes.getByText(FRENCH.comesNext).first().waitFor();
  await notes.getByRole("button", { name: FRENCH.doNext }).waitFor();
  expect(await notes.locator("html").getAttribute("lang")).toBe("fr");
});

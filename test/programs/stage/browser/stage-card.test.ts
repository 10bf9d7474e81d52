/** The stage on paper: what a presenter takes along. */
import { expect } from "vitest";
import { test, useHarness } from "#test/e2e/harness.ts";

const emulator = useHarness();

test("prints its people and keys as a card, and nothing else", async ({ newPage }) => {
  const page = await newPage();
  await page.goto(emulator.url("/stage"));
  await page.locator('main[data-state="idle"]').waitFor();
  const card = page.getByTestId("card");
  expect(await card.isVisible()).toBe(false);
  await page.emulateMedia({ media: "print" });
  await card.getByText("Grace Hopper").waitFor();
  await card.getByText("Space", { exact: true }).waitFor();
  expect(await page.locator("iframe").isVisible()).toBe(false);
  expect(await page.getByRole("contentinfo").isVisible()).toBe(false);
});

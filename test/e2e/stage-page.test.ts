/** The stage: a login for an audience, by keyboard, by mouse, and automatically (CONTRACT 10). */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findingsAsIs } from "./axe.ts";
import { test as consoleTest, useStage } from "./stage.ts";

const emulator = useStage();

/** The phone is auth's page: the only other origin that the console may call. */
const test = consoleTest.extend<{ faults: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures it needs
  faults: async ({}, use) => {
    const faults: string[] = [];
    await use(faults);
    const { authUrl } = emulator.built.ready;
    expect(faults.filter((fault) => !fault.startsWith(`left the origin: ${authUrl}/`))).toEqual([]);
  },
});

const standsAt = (page: Page, state: string) => page.locator(`main[data-state="${state}"]`).waitFor();
const hero = (page: Page) => page.getByTestId("hero");
const stageApps = async (): Promise<{ appId: string }[]> =>
  (await emulator.control("GET", "/apps")).json.items.filter((app: { lease?: unknown }) => app.lease !== undefined);

test("the keyboard alone plays a wrong code, an expired one and a login, resets, and leaves", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  expect(await findingsAsIs(page)).toEqual([]);
  await page.keyboard.press("1");
  await standsAt(page, "code");
  const code = await hero(page).textContent();
  expect(code).toMatch(/^\d{6}$/);
  await page.keyboard.press("w");
  await standsAt(page, "wrong");
  await page.getByText("4 attempts left").waitFor();
  await page.keyboard.press("t");
  await page.keyboard.press(" ");
  await standsAt(page, "expired");
  await page.keyboard.press("2");
  await standsAt(page, "code");
  await expect.poll(() => hero(page).textContent()).not.toBe(code);
  expect(await findingsAsIs(page)).toEqual([]);
  await page.keyboard.press(" ");
  await standsAt(page, "signedIn");
  await page.getByText(/^Grace enters .*: signed in$/).waitFor();
  await page.keyboard.press("r");
  await standsAt(page, "idle");
  const [{ appId } = { appId: "" }] = await stageApps();
  expect((await emulator.control("GET", `/passcodes?appId=${appId}`)).json.total).toBe(0);
  await page.keyboard.press("Escape");
  await page.waitForURL("**/inbox");
  await expect.poll(stageApps).toEqual([]);
});

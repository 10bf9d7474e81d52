/** Helpers for the browser tests of Present. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { test as consoleTest, type Harness } from "#test/e2e/harness.ts";

/** The phone is a page of auth: the only requests to another origin. */
const OF_PHONE = /^left the origin: http:\/\/127\.0\.0\.1:\d+\/(emulator\/(demo\/|app\?)|v1\/users\/session$)/;

/** A test whose pages may embed the phone. */
export const test = consoleTest.extend<{ faults: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures it needs
  faults: async ({}, use) => {
    const faults: string[] = [];
    await use(faults);
    expect(faults.filter((fault) => !OF_PHONE.test(fault))).toEqual([]);
  },
});

/** Waits until the phone is in a state. */
export const standsAt = (page: Page, state: string) => page.locator(`main[data-state="${state}"]`).waitFor();

/** Presses a key, and waits until the phone is in a state. */
export const press = async (page: Page, key: string, state: string): Promise<void> => {
  await page.keyboard.press(key);
  await standsAt(page, state);
};

/** The large code. */
export const hero = (page: Page) => page.getByTestId("hero");

/** @returns the ids of the apps that pages of Present made for themselves. */
export const ownApps = async ({ control }: Pick<Harness, "control">): Promise<string[]> =>
  (await control("GET", "/apps?hidden=1")).json.items.flatMap((app: { appId: string; lease?: unknown }) =>
    app.lease === undefined ? [] : [app.appId],
  );

/** Helpers for the stage's browser tests. */
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

/** Like `test`, in a browser context of its own: a page's clock is that of its whole context. */
export const testApart = test.extend({
  newPage: async ({ context }, use) => await use(() => context.newPage()),
});

/** Waits until the stage's phone is in a state. */
export const standsAt = (page: Page, state: string) => page.locator(`main[data-state="${state}"]`).waitFor();

/** The large code. */
export const hero = (page: Page) => page.getByTestId("hero");

/** @returns the apps of all stages. */
export const stageApps = async ({ control }: Pick<Harness, "control">): Promise<{ appId: string }[]> =>
  (await control("GET", "/apps?hidden=1")).json.items.filter((app: { lease?: unknown }) => app.lease !== undefined);

/** @returns the id of the only stage's app. */
export const stageApp = async (emulator: Pick<Harness, "control">): Promise<string> =>
  (await stageApps(emulator))[0]?.appId ?? "";

/** The time of a page, which tests move by hand. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** From the next navigation on, time passes only as the test says. */
export const standStill = async (page: Page): Promise<void> => {
  const time = Date.now();
  await page.clock.install({ time });
  // Some time has passed since then, and a clock goes forward only.
  await page.clock.pauseAt(time + 60_000);
};

/** Lets time pass in steps until something is there. @param ms of a step: little, so that little time has passed by then. */
export const passUntil = async (page: Page, there: Locator, ms = 1): Promise<void> => {
  const pass = async (): Promise<number> => {
    await page.clock.runFor(ms);
    return await there.count();
  };
  await expect.poll(pass).toBeGreaterThan(0);
};

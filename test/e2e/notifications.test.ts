import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ADA, GRACE, rowWith, test, testApart, useHarness } from "./harness.ts";

const harness = useHarness();

const setHidden = (page: Page, hidden: boolean): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);

/** Captures the page's notifications and badge numbers instead of showing them. */
const listen = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const told: string[] = [];
    const badges: number[] = [];
    Object.assign(window, { told, badges });
    class Told {
      static permission = "default";
      static requestPermission = async (): Promise<string> => {
        Told.permission = "granted";
        return "granted";
      };
      onclick: (() => void) | null = null;
      constructor(title: string, { body }: { body: string }) {
        told.push(`${title} ${body}`);
        Object.assign(window, { lastTold: this });
      }
      close(): void {}
    }
    Object.assign(window, { Notification: Told });
    Object.assign(navigator, {
      setAppBadge: async (count: number) => void badges.push(count),
      clearAppBadge: async () => void badges.push(0),
    });
  });
  await page.reload();
  await page.getByText("Running", { exact: true }).waitFor();
};
const told = (page: Page): Promise<string[]> => page.evaluate(() => Reflect.get(window, "told"));
const lastBadge = (page: Page): Promise<number> => page.evaluate(() => Reflect.get(window, "badges").at(-1));
const grouped = (code: string): string => `${code.slice(0, 3)} ${code.slice(3)}`;

describe("a code that arrives while the page is hidden", () => {
  test("is counted in the title and on the dock until the inbox is shown", async ({ visit }) => {
    const page = await visit(harness.url("/users/sessions"));
    await listen(page);
    await harness.sendCode(ADA);
    await expect.poll(() => page.title()).toBe("(1) Sessions – Stagedoor");
    await harness.sendCode(GRACE);
    await expect.poll(() => page.title()).toBe("(2) Sessions – Stagedoor");
    await expect.poll(() => lastBadge(page)).toBe(2);
    await page.getByRole("link", { name: /^Codes/ }).click();
    await expect.poll(() => page.title()).toBe("Codes – Stagedoor");
    await expect.poll(() => lastBadge(page)).toBe(0);
    // Seen on arrival, so not unread.
    const code = await harness.sendCode(ADA);
    await rowWith(page, code).waitFor();
    expect(await page.title()).toBe("Codes – Stagedoor");
    expect(await told(page)).toEqual([]);
  });

  testApart("counts in a hidden tab too, which looks now and then without a stream", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.clock.install();
    await page.reload();
    await page.getByText("Running", { exact: true }).waitFor();
    const looked = page.waitForResponse((answer) => answer.url().endsWith("/passcodes?limit=20"));
    await setHidden(page, true);
    await looked;
    await harness.sendCode(ADA);
    await harness.sendCode(GRACE);
    expect(await page.title()).toBe("Codes – Stagedoor");
    await page.clock.runFor(10_000);
    await expect.poll(() => page.title()).toBe("(2) Codes – Stagedoor");
    await setHidden(page, false);
    await expect.poll(() => page.title()).toBe("Codes – Stagedoor");
  });

  test("causes an immediate notification with the code, if turned on; a click opens it", async ({ visit }) => {
    // Her name is known by then.
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await listen(page);
    await rowWith(page, "Ada Lovelace").waitFor();
    await page.getByRole("button", { name: "Settings" }).click();
    const toggle = page.getByRole("switch", { name: "Notify about new codes" });
    expect(await toggle.isChecked()).toBe(false);
    await toggle.press("Space");
    await expect.poll(() => toggle.isChecked()).toBe(true);
    await page.keyboard.press("Escape");
    // The one hidden tab that notifies keeps its stream.
    const reopened = page.waitForRequest((request) => request.url().endsWith("/events"));
    await setHidden(page, true);
    await reopened;
    await page.getByText("Running", { exact: true }).waitFor();
    const start = performance.now();
    await expect
      .poll(async () => {
        if ((await told(page)).length === 0) await harness.sendCode(ADA);
        return (await told(page)).length;
      })
      .toBeGreaterThan(0);
    const [first] = await told(page);
    expect(first).toMatch(/^\d{3} \d{3} for Ada Lovelace$/);
    // Those of the next two seconds are combined.
    for (const phone of [GRACE, ADA, GRACE]) await harness.sendCode(phone);
    const last = await harness.sendCode(ADA);
    await expect.poll(async () => (await told(page)).at(-1)).toContain(grouped(last));
    // Whatever the duration, there is at most one notification per two seconds, besides the first.
    expect((await told(page)).length).toBeLessThanOrEqual(2 + Math.floor((performance.now() - start) / 2_000));
    await expect.poll(() => page.title()).toMatch(/^\(\d+\) Codes/);
    await page.evaluate(() => Reflect.get(window, "lastTold").onclick());
    await expect.poll(() => page.getByTestId("code").textContent()).toBe(last);
    expect(page.url()).toContain("/codes/");
  });
});

/**
 * 100,000 profiles: scrolling to the end, jumping, searching, deleting by the thousand. Times are reported, not judged.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { temporaryDir } from "#test/hosts/built.ts";
import { test, useHarness } from "./harness.ts";

const MANY = 100_000;
/** At most the visible rows and their overscan are rendered. */
const MOST_DRAWN = 60;

const profile = (i: number) => ({
  userId: `00000000-0000-4000-8000-${i.toString(16).padStart(12, "0")}`,
  name: `Person ${i}`,
  phone: `+1303${2_000_000 + i}`,
  email: `person${i}@example.com`,
  metadata: { seat: i, ...(i === 77_777 ? { note: "needle" } : {}) },
});

let fixtures: Awaited<ReturnType<typeof temporaryDir>> | undefined;
beforeAll(async () => {
  fixtures = await temporaryDir();
  const profiles = Array.from({ length: MANY }, (_, i) => profile(i));
  const app = { appId: "many", name: "Many", secret: "sk_many", strategy: "phone", profiles };
  await writeFile(join(fixtures.dir, "many.json"), JSON.stringify({ version: 1, apps: [app] }));
});
const harness = useHarness(() => ["--ephemeral", "--fixtures", join(fixtures?.dir ?? "", "many.json")]);
afterAll(async () => await fixtures?.remove());

const person = (page: Page, i: number) => page.getByRole("link", { name: `Person ${i}`, exact: true });
const scrollTo = (page: Page, top: number): Promise<void> =>
  page.getByRole("grid").evaluate((grid, to) => {
    if (grid.parentElement !== null) grid.parentElement.scrollTop = to;
  }, top);
const drawn = (page: Page): Promise<number> => page.locator("tbody tr").count();

test("100,000 profiles", { timeout: 600_000 }, async ({ visit, annotate }) => {
  const page = await visit(harness.url("/users"));
  // Ten thousand at once take a while on a busy machine.
  page.setDefaultTimeout(120_000);
  await page.evaluate(() => {
    const told: number[] = [];
    Reflect.set(window, "longTasks", told);
    new PerformanceObserver((list) =>
      told.push(...list.getEntries().map((entry) => Math.round(entry.duration))),
    ).observe({ type: "longtask" });
  });
  await person(page, 0).waitFor();
  await page.locator("[aria-rowcount='100001']").waitFor();
  const height = await page.getByRole("grid").evaluate((grid) => grid.parentElement?.scrollHeight ?? 0);
  expect(height).toBeGreaterThan(MANY * 36);

  await page.keyboard.press("End");
  await person(page, MANY - 1).waitFor();
  expect(await drawn(page)).toBeLessThan(MOST_DRAWN);

  for (const place of [50_000, 12_345, 99_000, 3]) {
    await scrollTo(page, place * 36);
    await person(page, place + 2).waitFor();
    expect(await drawn(page)).toBeLessThan(MOST_DRAWN);
  }
  for (let wheel = 0; wheel < 30; wheel++) await page.mouse.wheel(0, 600);

  await page.keyboard.press("/");
  await page.keyboard.type("needle");
  await person(page, 77_777).waitFor();
  await page.getByText("1 found").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("[aria-rowcount='100001']").waitFor();
  await page.getByRole("button", { name: "Name" }).click();
  await person(page, 10).waitFor();

  await page.getByLabel("Select all").click();
  await page.getByText("10,000 of 100,000 selected, the maximum").waitFor();
  await page.getByRole("button", { name: /^Delete/ }).click();
  await page.locator("[aria-rowcount='90001']").waitFor();
  await page.getByRole("button", { name: /^Undo/ }).click();
  await page.locator("[aria-rowcount='100001']").waitFor();
  await person(page, 10).waitFor();

  const longTasks = await page.evaluate<number[]>("window.longTasks");
  await annotate(`tasks of more than 50 ms: ${longTasks.length}, the longest ${Math.max(0, ...longTasks)} ms`);
});

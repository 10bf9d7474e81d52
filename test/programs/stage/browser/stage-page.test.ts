/** The stage by keyboard and by mouse: a login for an audience. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findingsAsIs } from "#test/e2e/axe.ts";
import { useHarness } from "#test/e2e/harness.ts";
import { passUntil, standStill } from "#test/e2e/page-time.ts";
import { hero, stageApp, standsAt, test, testApart } from "./stage-harness.ts";

const emulator = useHarness();
const button = (page: Page, name: string) => page.getByRole("button", { name });

test("the keyboard alone plays a wrong code, an expired one and a login, resets, and leaves", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  expect(await findingsAsIs(page)).toEqual([]);
  await page.keyboard.press("1");
  await standsAt(page, "code");
  const code = (await hero(page).textContent()) ?? "";
  expect(code).toMatch(/^\d{6}$/);
  const box = await hero(page).locator("span span").first().boundingBox();
  // A digit of the typeface is 0.73 of its size high.
  const size = await hero(page).evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  expect((size * 0.73) / (page.viewportSize()?.height ?? 0)).toBeGreaterThan(0.12);
  expect(box?.width).toBeGreaterThan(size);
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
  expect(await page.content()).not.toMatch(/eyJ[\w-]{20}/);
  const appId = await stageApp(emulator);
  // It stays out of the way of whatever is tested.
  const read = async (path: string) => (await emulator.control("GET", path)).json;
  expect([
    (await read("/apps")).total,
    (await read("/status")).counts.apps,
    (await read("/state")).apps.length,
  ]).toEqual([2, 2, 2]);
  expect([(await read("/passcodes")).total, (await read("/requests")).total, (await read("/coverage")).met]).toEqual([
    0, 0, 0,
  ]);
  await page.keyboard.press("r");
  await standsAt(page, "idle");
  await expect.poll(async () => (await emulator.control("GET", `/passcodes?appId=${appId}`)).json.total).toBe(0);
  await page.keyboard.press("Escape");
  await page.waitForURL("**/inbox");
});

testApart(
  "a phone that does not answer for five seconds is said, with the URL where the stage looked",
  async ({ open }) => {
    const page = await open(emulator.url("/inbox"));
    const { authUrl } = emulator.built.ready;
    // As where auth is published under another port.
    await page.route(`${authUrl}/**`, (route) => route.abort());
    await standStill(page);
    await page.goto(emulator.url("/stage"));
    await passUntil(page, page.getByText("Starting the phone…"), 20);
    await page.clock.runFor(4_500);
    expect(await page.getByText("The phone does not respond").count()).toBe(0);
    await passUntil(page, page.getByText("The phone does not respond"), 100);
    await page.getByText(`The stage looked for it at ${authUrl}.`).waitFor();
  },
);

test("the mouse alone plays a login; idle buttons hide, and keys go to whatever has the focus", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  await button(page, "fail").click();
  await page.getByText("Next request fails", { exact: true }).waitFor();
  await button(page, "Ada Lovelace").click();
  await standsAt(page, "failed");
  await button(page, "Ada Lovelace").click();
  await standsAt(page, "code");
  await button(page, "offline").click();
  await button(page, "enter code").click();
  await standsAt(page, "offline");
  await button(page, "offline").click();
  await button(page, "blur").click();
  const name = page.getByRole("region", { name: "Newest code" }).getByText("Ada Lovelace");
  await expect.poll(() => name.evaluate((element) => getComputedStyle(element).filter)).toMatch(/^blur/);
  const phone = page.frameLocator("iframe");
  await phone.locator("html[data-blur]").waitFor();
  await button(page, "blur").click();
  await phone.locator("html:not([data-blur])").waitFor();
  await button(page, "enter code").click();
  await standsAt(page, "signedIn");
  await page.locator("main[data-quiet]").waitFor();
  await button(page, "offline").click();
  await button(page, "start over").click();
  await standsAt(page, "idle");
  // On the phone keys are letters; Esc gives the focus back.
  const field = phone.getByLabel("Phone number");
  await field.fill("+1202555010");
  await field.press("2");
  expect(await field.inputValue()).toBe("+12025550102");
  expect(await page.locator("main").getAttribute("data-state")).toBe("idle");
  await field.press("Escape");
  await page.keyboard.press("1");
  await standsAt(page, "code");
});

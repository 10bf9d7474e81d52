/** The room: twenty phones of an audience that sign in on the stage's app. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { useHarness } from "#test/e2e/harness.ts";
import { stageApp, standsAt, test } from "./stage-harness.ts";

const emulator = useHarness();

const PHONES = Array.from({ length: 20 }, (_one, at) => `+12025550${110 + at}`);
const SIZES = [
  [1280, 720],
  [1920, 1080],
  [1024, 768],
  [900, 600],
] as const;

const session = (method: string, appId: string, phone: string, more = {}) =>
  emulator.auth(method, "/v1/users/session", { appId, user: { phone }, ...more });

/** Signs the phones up, signs them out of sight, and asks for a code. @returns the codes, by phone. */
const codesOf = async (appId: string, phones: readonly string[]): Promise<Map<string, string>> => {
  for (const phone of phones) expect((await session("POST", appId, phone)).status).toBe(200);
  for (const phone of phones) expect((await session("POST", appId, phone)).status).toBe(202);
  const { items } = (await emulator.control("GET", `/passcodes?appId=${appId}&limit=100`)).json;
  return new Map(items.map(({ to, code }: { to: string; code: string }) => [to, code]));
};

/** @returns the tiles whose code is on the screen, with nothing above it, and the height of their digits. */
const readable = (page: Page) =>
  page.getByRole("region", { name: "Audience", exact: true }).evaluate((room) =>
    [...room.querySelectorAll("li")].flatMap((tile) => {
      const code = tile.querySelector("[data-look]");
      const digits = [...(code?.querySelectorAll("span") ?? [])];
      const isSeen = digits.every((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        const inWindow = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return inWindow && above !== null && tile.contains(above);
      });
      if (code === null || !isSeen) return [];
      const share = (Number.parseFloat(getComputedStyle(code).fontSize) * 0.73) / innerHeight;
      return [{ code: code.textContent ?? "", label: tile.firstElementChild?.textContent ?? "", share }];
    }),
  );

test("twenty codes can be read at once, with the QR code and without it, in every size", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  const appId = await stageApp(emulator);
  const codes = await codesOf(appId, PHONES);
  const wanted = PHONES.map((phone) => ({ code: codes.get(phone), label: phone.slice(-2) }));
  expect((await emulator.control("PUT", "/lan", { open: true })).status).toBe(200);
  for (const key of ["q", "g"]) {
    await page.keyboard.press(key);
    await page.getByText("0 of 20 are in").waitFor();
    if (key === "q") await page.getByRole("img", { name: /^QR code of http/ }).waitFor();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.mouse.move(width / 2, height / 2);
      const seen = await readable(page);
      expect(seen.map(({ code, label }) => ({ code, label }))).toEqual(wanted);
      for (const { share } of seen) expect(share).toBeGreaterThanOrEqual(0.025);
    }
  }
  for (const phone of PHONES.slice(3))
    expect((await session("PUT", appId, phone, { passcode: codes.get(phone) })).status).toBe(200);
  await page.getByText("17 of 20 are in").waitFor();
  expect(await page.getByText("signed in", { exact: true }).count()).toBe(17);

  await page.keyboard.press("b");
  const label = page
    .getByRole("region", { name: "Audience", exact: true })
    .getByText(PHONES[0]?.slice(-2) ?? "", { exact: true });
  await expect.poll(() => label.evaluate((element) => getComputedStyle(element).filter)).toMatch(/^blur/);
  await page.keyboard.press("b");

  // More than twenty turn page by page.
  await codesOf(appId, ["+12025550131"]);
  await page.getByText(/^[12] of 2$/).waitFor();
  await page.getByRole("region", { name: "Audience", exact: true }).getByText("31", { exact: true }).waitFor();
});

test("during a login of the stage's own phone the newest four codes stay, with the number of the others", async ({
  open,
}) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  await codesOf(await stageApp(emulator), PHONES.slice(0, 6));
  await page.keyboard.press("g");
  await page.getByText("0 of 6 are in").waitFor();
  await page.keyboard.press("1");
  await standsAt(page, "code");
  const strip = page.getByRole("region", { name: "Codes of the audience" });
  await strip.getByText("and 2 more").waitFor();
  expect(await strip.getByRole("listitem").count()).toBe(4);
  await page.keyboard.press("r");
  await standsAt(page, "idle");
  await page.keyboard.press("g");
  await page.getByText("No one has joined yet").waitFor();
});

/** What meets a stage from outside: late codes, an audience, a restart; and the stage that plays by itself. */
import { randomInt } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { useHarness } from "#test/e2e/harness.ts";
import { startBuilt } from "#test/hosts/built.ts";
import { hero, stageApp, stageApps, standsAt, test } from "./stage-harness.ts";

const emulator = useHarness();
const button = (page: Page, name: string) => page.getByRole("button", { name });

test("a code that comes late is shown, and can be typed, only when it arrives", async ({ open }) => {
  const page = await open(emulator.url("/stage"));
  await standsAt(page, "idle");
  const appId = await stageApp(emulator);
  const fault = { match: { appId }, effect: { deliverAfterMs: 3_600_000 }, times: 1 };
  expect((await emulator.control("POST", "/faults", fault)).status).toBe(201);
  await page.keyboard.press("1");
  await page.getByText("Delayed").first().waitFor();
  expect(await hero(page).textContent()).toMatch(/^•{6}$/);
  const message = page.locator('[data-testid="message"][data-shown]');
  expect(await message.count()).toBe(0);
  await button(page, "enter code").click();
  const [{ id, code }] = (await emulator.control("GET", `/passcodes?appId=${appId}`)).json.items;
  await page.getByText("The message has not arrived.").waitFor();
  expect((await emulator.control("POST", `/passcodes/${id}/deliver`)).status).toBe(200);
  await message.waitFor();
  await expect.poll(() => hero(page).textContent()).toBe(code);
  await page.keyboard.press(" ");
  await standsAt(page, "signedIn");
});

test("codes of the audience appear separately, and two stages have an app each", async ({ open }) => {
  const page = await open(emulator.url("/stage?appId=demo-mail"));
  await standsAt(page, "idle");
  const appId = await stageApp(emulator);
  const other = await open(emulator.url("/stage"));
  await standsAt(other, "idle");
  expect((await stageApps(emulator)).length).toBe(2);
  await page.bringToFront();
  await page.keyboard.press("2");
  await standsAt(page, "code");
  await page.getByTestId("message").getByText("Mail", { exact: true }).waitFor();
  const code = await hero(page).textContent();
  const user = { email: "zoe@example.com" };
  expect((await emulator.auth("POST", "/v1/users/session", { appId, user })).status).toBe(202);
  await page.getByRole("region", { name: "Codes of the audience" }).getByText("zoe@example.com").waitFor();
  expect(await hero(page).textContent()).toBe(code);
  await page.keyboard.press(" ");
  await standsAt(page, "signedIn");
});

test("a restarted server without data gets the stage again", async ({ open }) => {
  const [consolePort, authPort] = [randomInt(10_240, 21_000), randomInt(21_000, 32_768)];
  const start = () => startBuilt(["--ephemeral", "--console-port", `${consolePort}`, "--auth-port", `${authPort}`]);
  const first = await start();
  onTestFinished(async () => void (await first.stop()));
  const page = await open(`${first.ready.consoleUrl}/stage`);
  await standsAt(page, "idle");
  await page.keyboard.press("1");
  await standsAt(page, "code");
  await first.stop("SIGKILL");
  await standsAt(page, "away");
  const second = await start();
  onTestFinished(async () => void (await second.stop()));
  await standsAt(page, "idle");
  await page.keyboard.press("1");
  await standsAt(page, "code");
  await page.keyboard.press(" ");
  await standsAt(page, "signedIn");
});

/** A booth: STAGEDOOR_ROUNDS=100 for the long run. */
const ROUNDS = Number(process.env["STAGEDOOR_ROUNDS"] ?? 3);

test("?play=1 plays logins automatically, with other people and a wrong code", {
  timeout: 60_000 + ROUNDS * 5_000,
}, async ({ open }) => {
  const page = await open(emulator.url("/stage?play=25"));
  const seen = new Set<string>();
  for (let round = 1; round <= ROUNDS; round++) {
    await expect
      .poll(() => page.evaluate(() => Number(document.documentElement.dataset["rounds"] ?? 0)), { timeout: 30_000 })
      .toBeGreaterThanOrEqual(round);
    seen.add(await page.evaluate(() => document.documentElement.dataset["last"] ?? ""));
  }
  expect([...seen]).toEqual(["signedIn"]);
});

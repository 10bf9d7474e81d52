import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { findings } from "#test/e2e/axe.ts";
import { ADA, test, useHarness } from "#test/e2e/harness.ts";

const harness = useHarness();
const FAR = "2031-05-06T07:08:09.000Z";

const clock = async (appId?: string) =>
  (await harness.control("GET", appId === undefined ? "/clock" : `/clock?appId=${appId}`)).json;
const state = (page: Page) => page.getByTestId("clock-state");
const isReal = (page: Page) => state(page).getByText("Real time", { exact: true }).waitFor();
const strip = (page: Page) => page.getByRole("region", { name: "Last change" });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

describe("the clock screen", () => {
  test("shows real time, freezes, resumes and resets, by keyboard", async ({ visit }) => {
    const page = await visit(harness.url("/simulate/clock"));
    await isReal(page);
    await page.getByRole("heading", { name: "Clock for all apps" }).waitFor();
    expect(await page.getByRole("button", { name: "Back to real time" }).isDisabled()).toBe(true);
    await page.keyboard.press("f");
    await state(page).getByText("Frozen").waitFor();
    const { frozenAt } = await clock();
    expect(Math.abs(Date.parse(frozenAt) - Date.now())).toBeLessThan(60_000);
    await expect.poll(() => page.getByTestId("clock-now").getAttribute("datetime")).toBe(frozenAt);
    await strip(page).getByText("Clock frozen").waitFor();

    await harness.control("PUT", "/clock", { frozenAt: FAR });
    await expect.poll(() => page.getByTestId("clock-now").getAttribute("datetime")).toBe(FAR);
    await page.keyboard.press("f");
    await state(page)
      .getByText(/^Runs \d+ d .* ahead of real time$/)
      .waitFor();
    const running = await clock();
    expect(running.frozenAt).toBe(null);
    expect(Date.parse(running.now) - Date.parse(FAR)).toBeLessThan(60_000);
    expect(Date.parse(running.now) - Date.parse(FAR)).toBeGreaterThanOrEqual(-50);
    await press(page, "Back to real time");
    await isReal(page);
    expect((await clock()).offsetSeconds).toBe(0);
  });

  test("jumps forward and back with one press, which undo reverts", async ({ visit }) => {
    await harness.control("PUT", "/clock", { offsetSeconds: 90 });
    const page = await visit(harness.url("/simulate/clock"));
    for (const [name, seconds] of [
      ["+1 min", 60],
      ["+10 min", 600],
      ["+1 h", 3_600],
      ["+1 d", 86_400],
      ["−1 h", -3_600],
    ] as const) {
      await state(page).getByText("Runs 1 min 30 s ahead of real time").waitFor();
      await page.getByRole("button", { name, exact: true }).press("Enter");
      await strip(page)
        .getByText(seconds < 0 ? "Clock moved back" : "Clock moved forward")
        .waitFor();
      expect((await clock()).offsetSeconds).toBe(90 + seconds);
      await page.keyboard.press("u");
      await strip(page).waitFor({ state: "detached" });
      await expect.poll(async () => (await clock()).offsetSeconds).toBe(90);
    }
  });

  test("offers undo where the clock is, not on other screens", async ({ visit }) => {
    const page = await visit(harness.url("/simulate/clock"));
    await page.getByRole("button", { name: "+1 min", exact: true }).press("Enter");
    await strip(page).waitFor();
    await page.getByRole("link", { name: "Codes" }).first().click();
    await page.getByRole("heading", { name: "Request a code in your app" }).waitFor();
    expect(await strip(page).count()).toBe(0);
    await page.goBack();
    await strip(page).waitFor();
    await page.keyboard.press("u");
    await isReal(page);
  });

  test("freezes a clock that was moved where it is", async ({ visit }) => {
    await harness.control("PUT", "/clock", { offsetSeconds: 86_400 });
    const page = await visit(harness.url("/simulate/clock"));
    await state(page).getByText("Runs 1 d ahead of real time").waitFor();
    await page.keyboard.press("f");
    await state(page).getByText("Frozen").waitFor();
    const apartMs = Date.parse((await clock()).frozenAt) - Date.now();
    expect(Math.abs(apartMs - 86_400_000)).toBeLessThan(60_000);
  });

  test("freezes at a typed instant; a frozen clock can be restored to its instant", async ({ visit }) => {
    await harness.control("PUT", "/clock", { frozenAt: FAR });
    const page = await visit(harness.url("/simulate/clock"));
    await state(page).getByText("Frozen").waitFor();
    await press(page, "Freeze");
    await page.getByText("Enter a date and a time").waitFor();
    await page.getByLabel("Freeze at a time").fill("2027-01-02 03:04:05");
    await page.getByLabel("Freeze at a time").press("Enter");
    const typed = new Date("2027-01-02T03:04:05").toISOString();
    await expect.poll(async () => (await clock()).frozenAt).toBe(typed);
    await strip(page).getByText("Clock moved").waitFor();
    await press(page, "+1 h");
    await expect.poll(async () => Date.parse((await clock()).frozenAt) - Date.parse(typed)).toBe(3_600_000);
    await press(page, "Undo u");
    await expect.poll(async () => (await clock()).frozenAt).toBe(typed);
  });

  test("moves one app alone; a change of all says that it overrides, and undo restores it", async ({ visit }) => {
    const page = await visit(harness.url("/simulate/clock?app=demo-mail"));
    await isReal(page);
    await press(page, "+1 d");
    await state(page).getByText("Runs 1 d ahead of real time").waitFor();
    expect((await clock()).offsetSeconds).toBe(0);
    expect((await clock("demo-mail")).offsetSeconds).toBe(86_400);

    await page.goto(harness.url("/simulate/clock"));
    await isReal(page);
    await page.getByText("has its own clock").waitFor();
    await press(page, "Freeze f");
    await strip(page).waitFor();
    expect((await clock("demo-mail")).frozenAt).not.toBe(null);
    await press(page, "Undo u");
    await isReal(page);
    await expect.poll(async () => (await clock("demo-mail")).offsetSeconds).toBe(86_400);
    expect((await clock()).offsetSeconds).toBe(0);
  });

  test("jumps to just before and after the newest code expires, and to the session's end", async ({ visit }) => {
    const page = await visit(harness.url("/simulate/clock?app=demo-app"));
    await isReal(page);
    await page.getByText("No code is active.").first().waitFor();
    await page.getByText("No session is active.").waitFor();
    expect(await page.getByRole("button", { name: "Jump: Just before the code expires" }).isDisabled()).toBe(true);

    const code = await harness.sendCode(ADA);
    const { expiresAt } = (await harness.control("GET", "/passcodes?limit=1")).json.items[0];
    await page
      .getByRole("link", { name: `${code.slice(0, 3)} ${code.slice(3)} for Ada Lovelace` })
      .first()
      .waitFor();
    await press(page, "Jump: Just after the code expires");
    await expect.poll(async () => (await clock("demo-app")).frozenAt).toBe(expiresAt);
    const late = await harness.signIn(ADA, code);
    expect(late.status).toBe(401);
    // Nothing is active any more; after undo the code is.
    await page.getByText("No code is active.").first().waitFor();
    await press(page, "Undo u");
    await isReal(page);
    await press(page, "Jump: Just before the code expires");
    await expect
      .poll(async () => Date.parse(expiresAt) - Date.parse((await clock("demo-app")).frozenAt ?? expiresAt))
      .toBe(1_000);
    const { status, token } = await harness.signIn(ADA, code);
    expect(status).toBe(200);

    const introspect = async () => (await harness.control("POST", "/sessions/introspect", { token })).json.active;
    expect(await introspect()).toBe(true);
    await page.getByRole("link", { name: "Session of Ada Lovelace" }).first().waitFor();
    await press(page, "Jump: When the session expires");
    await expect.poll(introspect).toBe(false);
    // The other apps use real time.
    expect((await clock()).frozenAt).toBe(null);
  });

  test("lists upcoming expirations in its menu, each with its code", async ({ visit }) => {
    const code = await harness.sendCode("+12025550105");
    const page = await visit(harness.url("/simulate/clock?app=demo-app"));
    await page.getByRole("button", { name: "Upcoming expirations" }).click();
    await page.getByRole("menuitem", { name: /^Code for Katherine Johnson: in \d+:\d\d$/ }).click();
    await expect.poll(() => page.getByTestId("code").textContent()).toBe(code);
  });

  test("opens from the status line, and from the palette", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const line = page.getByRole("contentinfo");
    await line.getByRole("link", { name: "Real time" }).click();
    await isReal(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "A name, phone, code, id, place or command" }).fill("clock 1 h");
    await page.getByRole("option").first().getByText("Move the clock forward by 1 h").waitFor();
    await page.keyboard.press("Enter");
    await state(page).getByText("Runs 1 h ahead of real time").waitFor();

    await page.getByRole("link", { name: /^Codes/ }).click();
    await line.getByRole("link", { name: "Clock +1 h" }).click();
    await page.getByRole("link", { name: "Failures" }).click();
    await page.getByRole("button", { name: "Turn off: Clock +1 h" }).click();
    await page.getByText("Nothing is simulated.").waitFor();
    await line.getByRole("link", { name: "Real time" }).waitFor();
    // The change at the top of Simulate can be undone here too.
    await strip(page).waitFor();
    await press(page, "Undo u");
    await line.getByRole("link", { name: "Clock +1 h" }).waitFor();
  });

  test("shows the server’s error when reading or moving fails, and what to do", async ({ visit }) => {
    const page = await visit(harness.url("/simulate/clock?app=nobody"));
    await page.getByRole("heading", { name: 'No app "nobody"' }).waitFor();
    await page.getByRole("button", { name: "Show the clock for all apps" }).click();
    await isReal(page);
    await page.getByLabel("Freeze at a time").fill("1950-01-01 00:00:00");
    await press(page, "Freeze");
    await page.getByText("must leave the clock between 1970 and the year 9999").waitFor();
    await page.route("**/emulator/v1/clock", (route) =>
      route.fulfill({ status: 500, json: { message: "Internal Server Error", instruction: "See the log." } }),
    );
    await page.goto(harness.url("/simulate/clock"));
    await page.getByRole("alert").getByText("Internal Server Error. See the log.").waitFor();
  });

  test("axe finds nothing", async ({ visit }) => {
    const page = await visit(harness.url("/simulate/clock"));
    await isReal(page);
    expect(await findings(page)).toEqual([]);
    await harness.sendCode(ADA);
    await page
      .getByRole("link", { name: /^Code .* for Ada Lovelace$/ })
      .first()
      .waitFor();
    await press(page, "Freeze f");
    await strip(page).waitFor();
    await press(page, "Freeze");
    await page.getByText("Enter a date and a time").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 600, height: 800 });
    expect(await findings(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBe(0);
  });
});

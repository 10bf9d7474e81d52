import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { findings } from "#test/e2e/axe.ts";
import { ADA, copiedBy, GRACE, rowWith, test, useHarness } from "#test/e2e/harness.ts";
import { caller } from "#test/hosts/client.ts";

const harness = useHarness();
const admin = caller(() => harness.built.ready.adminUrl, { Authorization: "Bearer sk_local_demo" });

const SESSION = "/v1/users/session";
const ask = (phone = ADA) => harness.auth("POST", SESSION, { appId: "demo-app", user: { phone } });
const latest = (phone: string, more = "") =>
  harness.control("GET", `/passcodes/latest?appId=demo-app&to=${encodeURIComponent(phone)}${more}`);
const faults = async () => (await harness.control("GET", "/faults")).json.items;
const mark = (page: Page) => page.getByRole("contentinfo").getByRole("link", { name: /faults? on$/ });

/** What is on, at the top of Simulate. */
const on = (page: Page) => page.getByRole("list", { name: "On" }).getByRole("link");
const calm = (page: Page) => page.getByText("Nothing is simulated.");

/** Adds a preset on the empty screen, like a keyboard user: for everybody, or for one user. */
const setPreset = async (page: Page, title: string, to?: string): Promise<void> => {
  await page.getByRole("button", { name: title }).press("Enter");
  if (to !== undefined) {
    await page.getByRole("region", { name: "New fault" }).getByLabel("Recipient").fill(to);
    await page.keyboard.press("Enter");
  }
  await on(page).first().waitFor();
};

describe("presets work as described", () => {
  test("the next code does not arrive, the one after it does", async ({ visit }) => {
    const page = await visit(harness.url("/simulate"));
    await setPreset(page, "Do not deliver next code");
    expect((await ask()).status).toBe(202);
    expect((await latest(ADA)).status).toBe(404);
    expect((await latest(ADA, "&status=any")).json.delivery).toBe("failed");
    await rowWith(page, "Does not deliver the code").getByText("Used up").waitFor();
    expect((await ask()).status).toBe(202);
    expect((await latest(ADA)).json.delivery).toBe("sent");
  });

  test("503 three times, then recovery; the counter is live, and the mark goes when used up", async ({ visit }) => {
    const page = await visit(harness.url("/simulate"));
    await setPreset(page, "503 three times");
    const row = rowWith(page, "Returns 503");
    await row.getByText("3 left", { exact: true }).waitFor();
    await mark(page).getByText("1 fault on").waitFor();
    const refused = await ask();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
    await row.getByText("2 left", { exact: true }).waitFor();
    expect((await ask()).status).toBe(503);
    expect((await ask()).status).toBe(503);
    await row.getByText("Used up", { exact: true }).waitFor();
    await mark(page).waitFor({ state: "hidden" });
    expect((await ask()).status).toBe(202);
  });

  test.for([
    ["Code expired", "passcode_expired"],
    ["Locked out", "passcode_exhausted"],
  ] as const)("%s, and no other user", async ([title, reason], { visit }) => {
    const page = await visit(harness.url("/simulate"));
    // With the gaps that the console itself shows.
    await setPreset(page, title, "+1 202 555 0100");
    const signIn = async (phone: string) =>
      await harness.auth("PUT", SESSION, {
        appId: "demo-app",
        user: { phone },
        passcode: await harness.sendCode(phone),
      });
    expect((await signIn(ADA)).reason).toBe(reason);
    expect((await signIn(ADA)).reason).toBe(reason);
    expect((await signIn(GRACE)).status).toBe(200);
    await rowWith(page, "for +1 202 555 0100").getByText("used 2×").waitFor();
  });
});

describe("faults", () => {
  test("a preset shows that it is on, and a second press turns it off; a fault has its command", async ({ visit }) => {
    const page = await visit(harness.url("/simulate"));
    const preset = page.getByRole("button", { name: /^503 three times/ });
    await preset.click();
    await preset.getByText("3 left · Turn off").waitFor();
    await rowWith(page, "Returns 503").getByRole("link").click();
    const line = await copiedBy(page, () => page.getByRole("button", { name: "Copy Command" }).click());
    expect(line).toContain(`${harness.built.ready.consoleUrl}/emulator/v1/faults`);
    await preset.click();
    await calm(page).waitFor();
    const set = await harness.control("POST", "/faults", / -d '(.*)'$/.exec(line)?.[1]);
    expect(set.status).toBe(201);
    await on(page).filter({ hasText: "Returns 503" }).waitFor();
  });

  test("can be added, opened, turned off and restored by keyboard; the mark leads to them", async ({ visit }) => {
    const page = await visit(harness.url("/simulate?app=demo-app"));
    await calm(page).waitFor();
    await page.keyboard.press("n");
    const panel = page.getByRole("region", { name: "New fault" });
    await panel.getByLabel("Listener").selectOption("admin");
    await panel.getByLabel("Method").selectOption("GET");
    await panel.getByLabel("Path").fill("/v1/profiles*");
    await panel.getByLabel("Status").fill("99");
    await panel.getByLabel("Number of requests").fill("2");
    await panel.getByLabel("Status").press("Enter");
    await panel.getByText("must be 200 or more").waitFor();
    await expect
      .poll(() => panel.getByLabel("Status").evaluate((field) => field === document.activeElement))
      .toBe(true);
    await panel.getByLabel("Effect").selectOption("Other, as JSON");
    const effect = { status: 418, body: { tea: true }, headers: { "Content-Length": "2" }, delayMs: 10 };
    await panel.getByLabel("JSON").fill(JSON.stringify({ effect }));
    await panel.getByRole("button", { name: "Turn on" }).click();
    await panel.getByText("Content-Length cannot be set by a fault").waitFor();
    const headers = { "Retry-After": "60" };
    await panel.getByLabel("JSON").fill(JSON.stringify({ effect: { ...effect, headers } }));
    await panel.getByText("GET /v1/profiles* on admin in Demo: returns 418, after 0.01 s, next 2 requests.").waitFor();
    await panel.getByRole("button", { name: "Turn on" }).click();
    const detail = page.getByRole("region", { name: "Fault: Returns 418, after 0.01 s" });
    await detail.waitFor();
    const answer = await admin("GET", "/v1/profiles");
    expect([answer.status, answer.json, answer.headers.get("Retry-After")]).toEqual([418, { tea: true }, "60"]);
    await detail.getByText("1 of 2 used").waitFor();

    await page.keyboard.press("Escape");
    await detail.waitFor({ state: "hidden" });
    await page.getByRole("link", { name: /^Codes/ }).click();
    await mark(page).click();
    await on(page).filter({ hasText: "Returns 418" }).press("Enter");
    await detail.waitFor();
    await page.keyboard.press("#");
    await page.getByRole("region", { name: "Last change" }).getByText("Turned off: Returns 418").waitFor();
    await expect.poll(faults).toEqual([]);
    await page.keyboard.press("u");
    await rowWith(page, "Returns 418").getByText("1 left", { exact: true }).waitFor();
    await expect.poll(() => page.getByRole("region", { name: "Last change" }).count()).toBe(0);
  });

  test("ask for the user of a preset, and show the server's error", async ({ visit }) => {
    const page = await visit(harness.url("/simulate/new?show=locked"));
    const panel = page.getByRole("region", { name: "New fault" });
    await panel.getByLabel("Recipient").press("Enter");
    await panel.getByText("Enter the user’s phone or email.").waitFor();
    await panel.getByLabel("Recipient").fill("nobody");
    await panel.getByText("must be a phone number in E.164 form or an email address").waitFor();
    expect(await faults()).toEqual([]);
    await page.route("**/emulator/v1/faults", (route) =>
      route.fulfill({ status: 409, json: { message: "Conflict", instruction: "There are too many faults." } }),
    );
    await panel.getByLabel("Recipient").fill(GRACE);
    await panel.getByLabel("Recipient").press("Enter");
    await panel.getByRole("alert").getByText("Conflict. There are too many faults.").waitFor();
    await page.keyboard.press("Escape");
    await panel.getByRole("button", { name: "Discard" }).click();
    await panel.waitFor({ state: "hidden" });
  });

  test("from a profile’s scenario appear there; turning one off removes it, undo restores it", async ({ visit }) => {
    const [{ userId }] = (await harness.control("GET", "/profiles?appId=demo-app&limit=1")).json.items;
    const page = await visit(harness.url(`/users/${userId}~edit?app=demo-app`));
    await page.getByLabel("Scenario").selectOption({ label: "Locked out" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Locked out" }).click();
    await page.getByRole("link", { name: "Belongs to the profile" }).waitFor();
    expect(await faults()).toMatchObject([{ userId, scenario: "locked" }]);
    await page
      .getByRole("region", { name: /^Fault:/ })
      .getByRole("button", { name: "Turn off" })
      .click();
    await calm(page).waitFor();
    expect((await harness.control("GET", `/profiles/${userId}`)).json.scenario).toBeNull();
    await page.getByRole("button", { name: "Undo" }).click();
    await on(page).first().waitFor();
    expect((await harness.control("GET", `/profiles/${userId}`)).json.scenario).toBe("locked");
  });

  test("of another app are mentioned; all can be turned off at once, and restored in order", async ({ visit }) => {
    await harness.control("POST", "/faults", { match: { appId: "demo-mail" }, effect: { status: 500 } });
    const page = await visit(harness.url("/simulate?app=demo-app"));
    await page.getByRole("link", { name: "1 in other apps" }).click();
    await harness.control("POST", "/faults", { effect: { delayMs: 10 } });
    await page.getByRole("button", { name: "All back to normal" }).click();
    await calm(page).waitFor();
    expect(await faults()).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();
    await rowWith(page, "Delays 0.01 s").waitFor();
    const back: { effect: object }[] = await faults();
    expect(back.map(({ effect }) => effect)).toEqual([{ status: 500 }, { delayMs: 10 }]);
  });

  test("count a burst, and are turned off one by one", async ({ visit }) => {
    const { id } = (await harness.control("POST", "/faults", { effect: { status: 500 } })).json;
    const page = await visit(harness.url("/simulate"));
    await Promise.all(Array.from({ length: 60 }, () => ask()));
    await rowWith(page, "Returns 500").getByText("used 60×").waitFor();
    await page.getByRole("button", { name: "Turn off: Returns 500" }).click();
    await expect.poll(async () => (await harness.control("GET", `/faults/${id}`)).status).toBe(404);
  });

  test("are linked from the requests they affected", async ({ visit }) => {
    await harness.control("POST", "/faults", { match: { to: ADA }, effect: { status: 500 } });
    const met = await ask();
    const page = await visit(harness.url(`/requests/${met.headers.get("Emulator-Request-Id")}`));
    await page
      .getByRole("link", { name: /^Fault: / })
      .first()
      .click();
    await page.getByRole("region", { name: "Fault: Returns 500" }).getByText("used 1×").waitFor();
  });

  test("can be added and turned off from the palette", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const run = async (typed: string, title: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "A name, phone, code, id, place or command" }).fill(typed);
      await page.getByRole("option").first().getByText(title).waitFor();
      await page.keyboard.press("Enter");
    };
    await run("not deliver", "Set a fault: Do not deliver next code");
    await mark(page).getByText("1 fault on").waitFor();
    await run("turn off", "Turn off all faults");
    await mark(page).waitFor({ state: "hidden" });
    expect(await faults()).toEqual([]);
  });

  test("show the server’s words when they cannot be read", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.route("**/emulator/v1/faults", (route) =>
      route.fulfill({ status: 500, json: { message: "Internal Server Error", instruction: "See the log." } }),
    );
    await page.goto(harness.url("/simulate"));
    await page.getByRole("alert").getByText("Internal Server Error. See the log.").waitFor();
    const tryAgain = page.getByRole("button", { name: "Try again" });
    const none = calm(page);
    await Promise.all([page.waitForRequest("**/emulator/v1/faults"), tryAgain.click()]);
    await page.unroute("**/emulator/v1/faults");
    // Once its stream opens, the page reads again without a click.
    const read = async (): Promise<boolean> => {
      if (await tryAgain.isVisible()) await tryAgain.click({ timeout: 1_000 }).catch(() => undefined);
      return none.isVisible();
    };
    await expect.poll(read).toBe(true);
  });

  describe("axe finds nothing", () => {
    test("without faults, and in the form", async ({ visit }) => {
      const page = await visit(harness.url("/simulate"));
      await calm(page).waitFor();
      expect(await findings(page)).toEqual([]);
      await page.getByRole("button", { name: "Locked out" }).click();
      await page.getByRole("button", { name: "Turn on" }).click();
      await page.getByText("Enter the user’s phone or email.").waitFor();
      expect(await findings(page)).toEqual([]);
    });

    test("with faults on, one open and some turned off", async ({ visit }) => {
      for (const effect of [{ status: 503 }, { delayMs: 1 }, { drop: true }])
        await harness.control("POST", "/faults", { match: { listener: "auth" }, effect, times: 1 });
      await ask();
      const page = await visit(harness.url("/simulate"));
      await rowWith(page, "Returns 503").getByText("Used up", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Turn off: Drops the connection" }).click();
      await page.getByRole("region", { name: "Last change" }).waitFor();
      await rowWith(page, "Delays").getByRole("link").click();
      await page.getByRole("region", { name: /^Fault: / }).waitFor();
      expect(await findings(page)).toEqual([]);
    });
  });
});

test("the form names the nearest path, and leaves the focus on the fault that it sets", async ({ visit }) => {
  const page = await visit(harness.url("/simulate?app=demo-app"));
  await page.getByRole("link", { name: "Custom fault" }).click();
  const path = page.getByLabel("Path", { exact: true });
  await path.fill("/v1/users/sesion");
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText(`did you mean "${SESSION}"?`).first().waitFor();
  await path.fill(SESSION);
  await page.getByRole("button", { name: "Turn on" }).click();
  const detail = page.getByRole("region", { name: "Fault: Returns 503" });
  await detail.waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
});

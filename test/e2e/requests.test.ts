import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { ADA, confirm, copiedBy, GRACE, rowWith, test, useHarness, wrongCode } from "./harness.ts";

const harness = useHarness();
const SESSION = "/v1/users/session";
/** The link of the row lies above its texts. */
const ANYWHERE = { force: true };

const admin = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(harness.built.ready.adminUrl + path, {
    ...init,
    headers: { Authorization: "Bearer sk_local_demo", "Content-Type": "application/json", Connection: "close" },
  });

describe("requests", () => {
  test("explain how to make the first one, which appears without a reload", async ({ visit }) => {
    const page = await visit(harness.url("/requests"));
    await page.getByRole("heading", { name: "No requests yet" }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.locator("pre").first().textContent()).toContain(harness.built.ready.authUrl);
    await harness.sendCode(ADA);
    await rowWith(page, "Passcode sent").getByText("202", { exact: true }).waitFor();
  });

  test("show the secret of the chosen app in the first command", async ({ visit }) => {
    const page = await visit(harness.url("/requests?app=demo-app"));
    await page.getByText("Authorization: Bearer sk_local_demo").waitFor();
  });

  test("can be downloaded with their login, without secrets", async ({ visit }) => {
    await harness.sendCode(ADA);
    expect((await harness.signIn(ADA, "1")).status).toBe(401);
    const page = await visit(harness.url("/requests"));
    await page.getByRole("link", { name: SESSION }).first().click();
    const download = page.waitForEvent("download");
    await page.getByRole("region", { name: /^PUT/ }).getByRole("button", { name: "More for" }).click();
    await page.getByRole("menuitem", { name: "Download login" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^login-demo-app-[\dT-]+\.json$/);
    const bundle = JSON.parse(await readFile(await file.path(), "utf8"));
    expect(bundle).toMatchObject({ kind: "stagedoor-login", requests: [{ status: 202 }, { status: 401 }] });
    expect(bundle.state.apps[0].secret).toBeUndefined();
  });

  test("say why a request failed, how to fix it and, last, which behaviour that is", async ({ visit }) => {
    const old = await harness.sendCode(ADA);
    const code = await harness.sendCode(ADA);
    expect((await harness.signIn(ADA, old === code ? wrongCode(code) : old)).status).toBe(401);
    const page = await visit(harness.url("/requests"));
    await rowWith(page, "was replaced just before this request. The newest is")
      .getByRole("link", { name: SESSION })
      .click();
    const detail = page.getByRole("region", { name: `PUT ${SESSION}` });
    await detail.getByText(`The newest is ${code}.`).waitFor();
    await detail.getByText(/^failed authentication: /i).waitFor();
    expect(await detail.locator("dd").last().textContent()).toBe("docs/fidelity.md#d25");
  });

  test("fold retries, and show each on request", async ({ visit }) => {
    const code = await harness.sendCode(GRACE);
    for (let tries = 0; tries < 3; tries++) await harness.signIn(GRACE, wrongCode(code));
    const page = await visit(harness.url("/requests"));
    await rowWith(page, "Received").getByRole("link", { name: SESSION }).click();
    await page.getByRole("heading", { name: "Repeated 3 times" }).waitFor();
    const before = page.url();
    await page
      .getByRole("region", { name: /^PUT/ })
      .getByRole("link", { name: /^\d\d:\d\d:\d\d\./ })
      .last()
      .click();
    await expect.poll(() => page.url()).not.toBe(before);
  });

  test("mark ignored fields, and render users' text as text", async ({ visit }) => {
    const name = '<img src=x onerror="document.title=1">';
    const made = await admin("/v1/profiles", {
      method: "POST",
      body: JSON.stringify({ name, shoe_size: 40 }),
    });
    expect(made.status).toBe(201);
    const page = await visit(harness.url("/requests"));
    await rowWith(page, "ignored: shoe_size").getByRole("link", { name: "/v1/profiles" }).click();
    const detail = page.getByRole("region", { name: "POST /v1/profiles" });
    await detail.getByText("shoe_size is ignored.").waitFor();
    expect(await detail.getByText("onerror").count()).toBeGreaterThan(0);
    expect(await page.locator("img").count()).toBe(0);
  });

  test("can be filtered by clicking a value and by a query, both in the address", async ({ visit }) => {
    await admin("/nowhere");
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/requests"));
    await rowWith(page, "Nothing is at GET /nowhere").getByText("404", { exact: true }).first().click(ANYWHERE);
    await page.getByRole("region", { name: "GET /nowhere" }).getByRole("link", { name: "404", exact: true }).click();
    await expect.poll(() => rowWith(page, "Passcode sent").count()).toBe(0);
    expect(new URL(page.url()).searchParams.get("q")).toBe("status:404");
    await page.getByRole("link", { name: "Without the filter status 404" }).click();
    await rowWith(page, "Passcode sent").first().waitFor();
    await page.keyboard.press("/");
    await page.getByRole("searchbox").fill("-status:202 method:POST nothing-such");
    await page.getByRole("heading", { name: "Nothing found for “-status:202 method:POST nothing-such”" }).waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByRole("link", { name: "Failed", exact: true }).click();
    await rowWith(page, "Nothing is at GET /nowhere").first().waitFor();
    await expect.poll(() => rowWith(page, "Passcode sent").count()).toBe(0);
  });

  test("of a trace are found by its id, from a query or a click", async ({ visit }) => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const user = { appId: "demo-app", user: { phone: ADA } };
    await harness.auth("POST", SESSION, user, { traceparent: `00-${trace}-00f067aa0ba902b7-01` });
    await admin("/v1/profiles?limit=1");
    const page = await visit(harness.url("/requests?q=trace:4bf92f35"));
    await rowWith(page, "Passcode sent").getByRole("link", { name: SESSION }).click();
    await expect.poll(() => rowWith(page, "Profiles listed").count()).toBe(0);
    await page.goto(harness.url("/requests"));
    await rowWith(page, "Profiles listed").waitFor();
    await rowWith(page, "Passcode sent").getByRole("link", { name: SESSION }).click();
    await page.getByRole("link", { name: trace, exact: true }).click();
    await expect.poll(() => rowWith(page, "Profiles listed").count()).toBe(0);
    expect(new URL(page.url()).searchParams.get("q")).toBe(`trace:${trace}`);
  });

  test("by keyboard: move down, open, copy as a working curl line, close", async ({ visit }) => {
    await admin("/v1/profiles?limit=1");
    const page = await visit(harness.url("/requests"));
    await rowWith(page, "Profiles listed").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "GET /v1/profiles?limit=1" }).waitFor();
    const line = await copiedBy(page, () => page.keyboard.press("c"));
    expect(line).toContain(`'${harness.built.ready.adminUrl}/v1/profiles?limit=1'`);
    expect(line).toContain("Bearer <APP_SECRET>");
    expect(line).not.toMatch(/sk_local_demo|connection:/i);
    await page.getByRole("region", { name: /^GET/ }).getByRole("button", { name: "More for" }).click();
    const whole = await copiedBy(page, () => page.getByRole("menuitem", { name: "Copy with secret" }).click());
    expect(whole).toContain("Bearer sk_local_demo");
    const { stdout } = await promisify(execFile)("sh", ["-c", `${whole} -s`]);
    expect(JSON.parse(stdout)).toHaveLength(1);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("region", { name: /^GET/ }).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.hasAttribute("data-row-link"))).toBe(true);
  });

  test("say whose they are, as it was sent if nobody is known, and why they failed", async ({ visit }) => {
    await harness.auth("POST", SESSION, { appId: "demo-app", user: { phone: "+1 (202)  555-0101" } });
    const code = await harness.sendCode(ADA);
    await harness.signIn(ADA, wrongCode(code));
    const page = await visit(harness.url("/requests"));
    await rowWith(page, "which contains more than a plus sign and digits")
      .getByText("+1 (202)  555-0101", { exact: true })
      .waitFor();
    const row = rowWith(page, `Received ${wrongCode(code)}, expected ${code}.`);
    await row.getByText("Ada Lovelace", { exact: true }).waitFor();
    await row.getByText("Wrong code", { exact: true }).waitFor();
    await row.getByText(/^\d\d:\d\d:\d\d$/).waitFor();
  });

  test("name another request by a link, never by its id", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    await harness.signIn(ADA, code);
    await harness.signIn(ADA, code);
    const page = await visit(harness.url("/requests"));
    const row = rowWith(page, "The same PUT came");
    expect(await row.textContent()).not.toMatch(/[\da-f]{8}-/);
    await row.getByRole("link").click();
    await page.getByRole("link", { name: "that request" }).click();
    await page.getByRole("heading", { name: "Signed in" }).waitFor();
  });

  test("of an app include those without a known app, which cite no unrelated behaviour", async ({ visit }) => {
    await harness.auth("POST", SESSION, { appId: "nobody-has-it", user: { phone: ADA } });
    await fetch(`${harness.built.ready.adminUrl}/v1/profiles`, { headers: { Authorization: "Bearer wrong" } });
    const page = await visit(harness.url("/requests?app=demo-mail"));
    await rowWith(page, 'No app "nobody-has-it"').first().waitFor();
    await rowWith(page, "No app has the secret").getByRole("link", { name: "/v1/profiles" }).first().click();
    const detail = page.getByRole("region", { name: "GET /v1/profiles" });
    await detail.getByRole("heading", { name: "How to fix" }).waitFor();
    expect(await detail.getByText(/pages of the list|Behaviour/).count()).toBe(0);
  });

  test("name the fault that affected them, and link to it", async ({ visit }) => {
    const fault = { match: { listener: "auth" }, effect: { reason: "rate_limited" }, times: 1 };
    const { id } = (await harness.control("POST", "/faults", fault)).json;
    await harness.auth("POST", SESSION, { appId: "demo-app", user: { phone: ADA } });
    const page = await visit(harness.url("/requests"));
    const row = rowWith(page, "Fault: 429 with Retry-After");
    expect(await page.getByText(/a limit of the app/i).count()).toBe(0);
    await row.getByRole("link", { name: SESSION }).click();
    const detail = page.getByRole("region", { name: `POST ${SESSION}` });
    await detail.getByRole("link", { name: "Fault: 429 with Retry-After" }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/simulate/${id}`);
  });

  test("can be sent again, as it was or as it would have been accepted", async ({ visit }) => {
    await admin("/v1/profiles?limit=2");
    const page = await visit(harness.url("/requests"));
    await page.getByRole("link", { name: "/v1/profiles?limit=2" }).first().click();
    const total = async (path: string) => (await harness.control("GET", `/requests?path=${path}`)).json.total;
    await page.getByRole("button", { name: "Resend", exact: true }).click();
    await expect.poll(() => total("/v1/profiles?limit=2")).toBe(2);
    await harness.auth("POST", SESSION, { appId: "demo-app", user: { phone: "+1 (202) 555-0101" } });
    await rowWith(page, "422").getByRole("link").click();
    const detail = page.getByRole("region", { name: `POST ${SESSION}` });
    await detail.getByText("+12025550101", { exact: true }).waitFor();
    await detail.getByRole("button", { name: "Resend corrected" }).click();
    await rowWith(page, "Passcode sent").waitFor();
    expect((await harness.control("GET", "/passcodes")).json.items).toMatchObject([{ to: GRACE }]);
  });

  test("begin a line with the reason, which a click opens like the rest of the row", async ({ visit }) => {
    await harness.signIn(ADA, wrongCode(await harness.sendCode(ADA)));
    const page = await visit(harness.url("/requests"));
    const row = rowWith(page, "401").first();
    await expect.poll(() => row.textContent()).toMatch(/\/sessionAda LovelaceWrong code Received \d{6}, expected/);
    await row.getByText("401", { exact: true }).click(ANYWHERE);
    await page.getByRole("region", { name: `PUT ${SESSION}` }).waitFor();
    expect(new URL(page.url()).search).toBe("");
  });

  test("are all shown for a filter that does not exist", async ({ visit }) => {
    await harness.signIn(ADA, wrongCode(await harness.sendCode(ADA)));
    const page = await visit(harness.url("/requests?show=all"));
    await rowWith(page, "401").first().waitFor();
    expect(await page.getByRole("link", { name: "All", exact: true }).getAttribute("aria-current")).toBe("true");
  });

  test("say how many are not shown, in colors that can be read", async ({ visit }) => {
    for (let at = 0; at < 201; at++) await admin("/v1/profiles?limit=1");
    const page = await visit(harness.url("/requests"));
    const rows = page.getByRole("list", { name: "Requests" }).getByRole("listitem").first();
    await page.getByText("Newest 200 of 201", { exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "More: clear" }).click();
    await page.getByRole("menuitem", { name: "Show all 201 requests" }).click();
    await rows.waitFor();
    await page.getByText("Newest 200 of 201", { exact: true }).waitFor({ state: "detached" });
  });

  test("axe finds nothing", async ({ visit }) => {
    await harness.signIn(ADA, wrongCode(await harness.sendCode(ADA)));
    const page = await visit(harness.url("/requests?q=status:401"));
    await page.getByRole("list", { name: "Requests" }).getByRole("link", { name: SESSION }).first().click();
    await page.getByRole("button", { name: "Close Esc" }).waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("are cleared after a second press: those that are chosen, and their number is said", async ({ visit }) => {
    await harness.sendCode(ADA);
    await harness.signIn(ADA, "000001");
    await harness.auth("POST", "/v1/users/session", { appId: "demo-mail", user: { email: "x" } });
    const page = await visit(harness.url("/requests?app=demo-app&show=failed"));
    await rowWith(page, "000001").first().waitFor();
    await page.getByRole("button", { name: "More: clear" }).click();
    await page.getByRole("menuitem", { name: "Clear log…" }).click();
    await page.getByRole("dialog").getByText("Clear 1 request?").waitFor();
    await confirm(page, "Clear");
    const total = async () => (await harness.control("GET", "/requests")).json.total;
    await expect.poll(total).toBe(2);
    await page.getByRole("region", { name: "Last change" }).getByText("Cleared 1 request.").waitFor();
    await page.keyboard.press("u");
    await expect.poll(total).toBe(3);
    await rowWith(page, "000001").first().waitFor();
    await harness.control("DELETE", "/requests", {
      ids: [(await harness.control("GET", "/requests")).json.items[1].id],
    });
    await page.goto(harness.url("/requests"));
    await rowWith(page, "Passcode sent").waitFor();
    await page.getByRole("button", { name: "More: clear" }).click();
    await page.getByRole("menuitem", { name: "Clear log…" }).click();
    await page.getByRole("dialog").getByText("Clear 2 requests?").waitFor();
    await confirm(page, "Clear");
    await page.getByRole("heading", { name: "No requests yet" }).waitFor();
    expect((await harness.control("GET", "/requests")).json.total).toBe(0);
  });
});

describe("a login in Codes", () => {
  test("has its steps, with the request and the session behind each", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    const detail = page.getByRole("region", { name: "Login of Ada Lovelace" });
    await detail.getByRole("button", { name: "Code sent by SMS" }).waitFor();
    for (const _ of [1, 2]) await harness.signIn(ADA, wrongCode(code));
    await detail.getByText("×2").waitFor();
    await harness.signIn(ADA, code);
    const last = detail.getByRole("button", { name: "signed in" });
    await last.click();
    expect(await findings(page)).toEqual([]);
    await detail.getByRole("link", { name: "View session" }).click();
    await page.getByRole("region", { name: "Session of Ada Lovelace" }).waitFor();
    await page.goBack();
    await last.click();
    await detail.getByRole("link", { name: "View request", exact: true }).click();
    await page.getByRole("region", { name: `PUT ${SESSION}` }).waitFor();
  });

  test("can be given a fixed code, with the server's errors, and a random one again", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    const open = async (): Promise<void> => {
      await page
        .getByRole("region", { name: "Login of Ada" })
        .getByRole("button", { name: /^More for/ })
        .click();
      await page.getByRole("menuitem", { name: "Fixed code of Ada Lovelace" }).click();
    };
    await open();
    const dialog = page.getByRole("dialog", { name: "Fixed code of Ada Lovelace" });
    const field = dialog.getByLabel("Fixed code", { exact: true });
    await expect.poll(() => field.inputValue()).toBe(code);
    await field.fill("12");
    await page.keyboard.press("Enter");
    await dialog.getByText("must be 4 to 10 digits").waitFor();
    expect(await findings(page)).toEqual([]);
    await field.fill("424242");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    expect(await harness.sendCode(ADA)).toBe("424242");
    await expect.poll(() => page.getByTestId("code").textContent()).toBe("424242");
    await open();
    await dialog.getByRole("button", { name: "Clear" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await harness.sendCode(ADA)).not.toBe("424242");
  });
});

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
    await page.getByRole("button", { name: "Download" }).click();
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
    await detail.getByRole("heading", { name: "Emulator behaviour: failed authentication" }).waitFor();
    await detail.getByText("docs/fidelity.md#d25").waitFor();
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

  test("mark ignored fields, fold JSON, and render users' text as text", async ({ visit }) => {
    const name = '<img src=x onerror="document.title=1">';
    const metadata = { list: Array.from({ length: 900 }, (_, index) => index) };
    const made = await admin("/v1/profiles", {
      method: "POST",
      body: JSON.stringify({ name, shoe_size: 40, metadata }),
    });
    expect(made.status).toBe(201);
    const page = await visit(harness.url("/requests"));
    await rowWith(page, "ignored: shoe_size").getByRole("link", { name: "/v1/profiles" }).click();
    const detail = page.getByRole("region", { name: "POST /v1/profiles" });
    await detail.getByText("ignored", { exact: true }).waitFor();
    await detail.getByText("shoe_size is ignored.").waitFor();
    expect(await detail.getByText("onerror").count()).toBeGreaterThan(0);
    expect(await page.locator("img").count()).toBe(0);
    const list = detail.getByRole("button", { name: "list, 900 entries" }).first();
    expect(await list.getAttribute("aria-expanded")).toBe("false");
    await list.click();
    await detail.getByRole("button", { name: "Show 100 more of 900" }).waitFor();
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
    const whole = await copiedBy(page, () => page.getByRole("button", { name: "Copy with secret" }).click());
    expect(whole).toContain("Bearer sk_local_demo");
    const { stdout } = await promisify(execFile)("sh", ["-c", `${whole} -s`]);
    expect(JSON.parse(stdout)).toHaveLength(1);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("region", { name: /^GET/ }).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.hasAttribute("data-row-link"))).toBe(true);
  });

  test("show recipient, typed code and time of a login", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    await harness.signIn(ADA, wrongCode(code));
    const page = await visit(harness.url("/requests"));
    const row = rowWith(page, `typed ${wrongCode(code)}`).first();
    await row.getByText(ADA, { exact: true }).waitFor();
    await row.getByText(/^\d\d:\d\d:\d\d$/).waitFor();
    // Nothing was typed to request it.
    await expect
      .poll(() => rowWith(page, "Passcode sent").textContent())
      .toMatch(/\/session · \+12025550100Passcode sent/);
  });

  test("show the number as it was sent, and the whole reason in a small window", async ({ visit }) => {
    await harness.auth("POST", SESSION, { appId: "demo-app", user: { phone: "+1 (202)  555-0101" } });
    await harness.signIn(ADA, wrongCode(await harness.sendCode(ADA)));
    const page = await visit(harness.url("/requests"));
    await page.setViewportSize({ width: 900, height: 600 });
    await rowWith(page, "which contains more than a plus sign and digits")
      .getByText("+1 (202)  555-0101", { exact: true })
      .waitFor();
    const reason = rowWith(page, "401").getByText(/^Received \d{6}, expected \d{6}\. Send \d{6}\.$/);
    const line = reason.locator("xpath=ancestor::*[contains(@class, 'small')][1]");
    expect(await line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
  });

  test("of an app include those without a known app, which cite no unrelated behaviour", async ({ visit }) => {
    await harness.auth("POST", SESSION, { appId: "nobody-has-it", user: { phone: ADA } });
    await fetch(`${harness.built.ready.adminUrl}/v1/profiles`, { headers: { Authorization: "Bearer wrong" } });
    const page = await visit(harness.url("/requests?app=demo-mail"));
    await rowWith(page, 'No app "nobody-has-it"').first().waitFor();
    await rowWith(page, "No app has the secret").getByRole("link", { name: "/v1/profiles" }).first().click();
    const detail = page.getByRole("region", { name: "GET /v1/profiles" });
    await detail.getByRole("heading", { name: "How to fix" }).waitFor();
    expect(await detail.getByText(/pages of the list|Emulator behaviour/).count()).toBe(0);
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

  test("tell a login as a story: what was requested and typed, the result, and how to fix it", async ({ visit }) => {
    const code = await harness.sendCode("+12025550109");
    await harness.signIn("+12025550109", wrongCode(code));
    const page = await visit(harness.url("/requests?show=logins"));
    await rowWith(page, "Hedy Lamarr").getByRole("link").click();
    const story = page.getByRole("region", { name: "Login of +1 202 555 0109" });
    await story
      .getByRole("listitem")
      .filter({ hasText: wrongCode(code) })
      .getByText("wrong · 4 left")
      .waitFor();
    await story.getByText(`Received ${wrongCode(code)}, expected ${code}.`).waitFor();
    expect(await findings(page)).toEqual([]);
    await harness.signIn("+12025550109", code);
    await story.getByText("Signed in after 1 wrong code").waitFor();
    await page.keyboard.press("Escape");
    await rowWith(page, "Hedy Lamarr").getByText("Signed in", { exact: true }).waitFor();
  });

  test("begin a line with the reason, which a click opens like the rest of the row", async ({ visit }) => {
    await harness.signIn(ADA, wrongCode(await harness.sendCode(ADA)));
    const page = await visit(harness.url("/requests"));
    const row = rowWith(page, "401").first();
    await expect.poll(() => row.textContent()).toMatch(/\/session · \+12025550100 typed \d{6}Received \d{6}, expected/);
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
    await page.getByText("Newest 200 of 201 · ").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("button", { name: "Show all", exact: true }).click();
    await page.getByText("Newest first", { exact: true }).waitFor();
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
    await page.getByRole("button", { name: "Clear", exact: true }).click();
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
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByRole("dialog").getByText("Clear 2 requests?").waitFor();
    await confirm(page, "Clear");
    await page.getByRole("heading", { name: "No requests yet" }).waitFor();
    expect((await harness.control("GET", "/requests")).json.total).toBe(0);
  });
});

describe("a login in the inbox", () => {
  test("is one live timeline: the code, a wrong attempt twice, the right one, the session", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await rowWith(page, code).getByRole("link").click();
    const detail = page.getByRole("region", { name: `Code ${code}` });
    await detail.getByRole("listitem").filter({ hasText: "Requested a code" }).getByText("202").waitFor();
    await detail.getByText("Waiting for the correct code").waitFor();
    await harness.signIn(ADA, wrongCode(code));
    await harness.signIn(ADA, wrongCode(code));
    await detail.getByText("×2").waitFor();
    await detail.getByText("wrong · 3 left").waitFor();
    await harness.signIn(ADA, code);
    await detail.getByText("signed in").waitFor();
    expect(await findings(page)).toEqual([]);
    await detail.getByRole("button", { name: "signed in" }).click();
    await detail.getByRole("link", { name: "View session" }).click();
    await page.getByRole("region", { name: "Session of Ada Lovelace" }).waitFor();
    await page.goBack();
    await detail.getByRole("button", { name: "signed in" }).click();
    await detail.getByRole("link", { name: "View request", exact: true }).click();
    await page.getByRole("region", { name: `PUT ${SESSION}` }).waitFor();
  });

  test("can be given a fixed code, with the server's errors, and a random one again", async ({ visit }) => {
    const phone = "+12025550188";
    await harness.auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone } });
    const code = await harness.sendCode(phone);
    const page = await visit(harness.url("/codes"));
    await rowWith(page, code).getByRole("link").click();
    await page.getByRole("button", { name: "Set a fixed code" }).click();
    const dialog = page.getByRole("dialog");
    const field = dialog.getByLabel("Fixed code");
    await expect.poll(() => field.inputValue()).toBe(code);
    await field.fill("12");
    await page.keyboard.press("Enter");
    await dialog.getByText("must be 4 to 10 digits").waitFor();
    expect(await findings(page)).toEqual([]);
    await field.fill("424242");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Change the fixed code" }).click();
    expect(await harness.sendCode(phone)).toBe("424242");
    await dialog.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("button", { name: "Set a fixed code" }).waitFor();
  });
});

import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { ADA, clipboard, GRACE, rowWith, test, useStage, wrongCode } from "./stage.ts";

const stage = useStage();
const SESSION = "/v1/users/session";

const admin = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(stage.built.ready.adminUrl + path, {
    ...init,
    headers: { Authorization: "Bearer sk_local_demo", "Content-Type": "application/json", Connection: "close" },
  });

describe("the requests", () => {
  test("with none yet, say what to ask; a call shows up without a reload", async ({ visit }) => {
    const page = await visit(stage.url("/requests"));
    await page.getByRole("heading", { name: "No requests yet" }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.locator("pre").first().textContent()).toContain(stage.built.ready.authUrl);
    await stage.sendCode(ADA);
    await rowWith(page, "Passcode sent").getByText("202").waitFor();
  });

  test("say in words why a call was refused, what to change and what that rests on", async ({ visit }) => {
    const old = await stage.sendCode(ADA);
    const code = await stage.sendCode(ADA);
    expect((await stage.signIn(ADA, old === code ? wrongCode(code) : old)).status).toBe(401);
    const page = await visit(stage.url("/requests"));
    await rowWith(page, "The passcode was replaced by a newer one").getByRole("link", { name: SESSION }).click();
    const detail = page.getByRole("region", { name: `PUT ${SESSION}` });
    await detail.getByText(`The newest is ${code}.`).waitFor();
    await detail.getByRole("heading", { name: /^Rests on D25/ }).waitFor();
    await detail.getByText("docs/fidelity.md#d25").waitFor();
  });

  test("fold retries, and show each of them", async ({ visit }) => {
    const code = await stage.sendCode(GRACE);
    for (let tries = 0; tries < 3; tries++) await stage.signIn(GRACE, wrongCode(code));
    const page = await visit(stage.url("/requests"));
    await rowWith(page, "The passcode is not the one sent").getByRole("link", { name: SESSION }).click();
    await page.getByRole("heading", { name: "The same call 3 times" }).waitFor();
    const before = page.url();
    await page
      .getByRole("region", { name: /^PUT/ })
      .getByRole("link", { name: /^\d\d:\d\d:\d\d\./ })
      .last()
      .click();
    await expect.poll(() => page.url()).not.toBe(before);
  });

  test("mark what was ignored, fold JSON, and keep what users typed from being markup", async ({ visit }) => {
    const name = '<img src=x onerror="document.title=1">';
    const metadata = { list: Array.from({ length: 900 }, (_, index) => index) };
    const made = await admin("/v1/profiles", {
      method: "POST",
      body: JSON.stringify({ name, shoe_size: 40, metadata }),
    });
    expect(made.status).toBe(201);
    const page = await visit(stage.url("/requests"));
    await rowWith(page, "ignored: shoe_size").getByRole("link", { name: "/v1/profiles" }).click();
    const detail = page.getByRole("region", { name: "POST /v1/profiles" });
    await detail.getByText("ignored", { exact: true }).waitFor();
    await detail.getByText("Nothing reads").waitFor();
    expect(await detail.getByText("onerror").count()).toBeGreaterThan(0);
    expect(await page.locator("img").count()).toBe(0);
    const list = detail.getByRole("button", { name: "list, 900 entries" }).first();
    expect(await list.getAttribute("aria-expanded")).toBe("false");
    await list.click();
    await detail.getByRole("button", { name: "Show 100 more of 900" }).waitFor();
  });

  test("are filtered by clicking a value and by a query, both in the address", async ({ visit }) => {
    await admin("/nowhere");
    await stage.sendCode(ADA);
    const page = await visit(stage.url("/requests"));
    await rowWith(page, "There is no such path").getByRole("link", { name: "404" }).first().click();
    await expect.poll(() => rowWith(page, "Passcode sent").count()).toBe(0);
    expect(new URL(page.url()).searchParams.get("q")).toBe("status:404");
    await page.getByRole("link", { name: "Without the filter status 404" }).click();
    await rowWith(page, "Passcode sent").first().waitFor();
    await page.getByRole("searchbox").fill("-status:202 method:POST nothing-such");
    await page.getByRole("heading", { name: "Nothing found for “-status:202 method:POST nothing-such”" }).waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByRole("link", { name: "Refused", exact: true }).click();
    await rowWith(page, "There is no such path").first().waitFor();
    await expect.poll(() => rowWith(page, "Passcode sent").count()).toBe(0);
  });

  test("by keyboard: down the list, open, copy as a curl line that works, close", async ({ visit }) => {
    await admin("/v1/profiles?limit=1");
    const page = await visit(stage.url("/requests"));
    await rowWith(page, "Profiles listed").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "GET /v1/profiles?limit=1" }).waitFor();
    await page.keyboard.press("c");
    await expect
      .poll(() => clipboard(page))
      .toContain(`curl -i -X GET '${stage.built.ready.adminUrl}/v1/profiles?limit=1'`);
    const line = await clipboard(page);
    expect(line).toContain("Bearer <APP_SECRET>");
    expect(line).not.toMatch(/sk_local_demo|connection:/i);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("region", { name: /^GET/ }).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.hasAttribute("data-row-link"))).toBe(true);
  });

  for (const scheme of ["dark", "light"] as const)
    test(`axe finds nothing, ${scheme}`, async ({ visit }) => {
      const page = await visit(stage.url("/requests?q=status:401"), scheme);
      await page.getByRole("list", { name: "Requests" }).getByRole("link", { name: SESSION }).first().click();
      await page.getByRole("button", { name: "Close Esc" }).waitFor();
      expect(await findings(page)).toEqual([]);
    });

  test("are cleared after a second press", async ({ visit }) => {
    const page = await visit(stage.url("/requests"));
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByRole("button", { name: "Really clear the log?" }).click();
    await page.getByRole("heading", { name: "No requests yet" }).waitFor();
    expect((await stage.control("GET", "/requests")).json.total).toBe(0);
  });
});

describe("a login in the inbox", () => {
  test("is one timeline, live: the code, a wrong try twice, the right one, the session", async ({ visit }) => {
    const code = await stage.sendCode(ADA);
    const page = await visit(stage.url("/inbox"));
    await rowWith(page, code).getByRole("link").click();
    const detail = page.getByRole("region", { name: `Code ${code}` });
    await detail.getByText("POST 202").waitFor();
    await detail.getByText("Waiting for the right code").waitFor();
    await stage.signIn(ADA, wrongCode(code));
    await stage.signIn(ADA, wrongCode(code));
    await detail.getByText("×2").waitFor();
    await detail.getByText("3 tries left").waitFor();
    await stage.signIn(ADA, code);
    await detail.getByText("PUT 200").waitFor();
    expect(await findings(page)).toEqual([]);
    await detail.getByRole("link", { name: "Session", exact: true }).click();
    await page.getByRole("region", { name: "Session of Ada Lovelace" }).waitFor();
    await page.goBack();
    await detail.getByRole("link", { name: "PUT 200" }).click();
    await page.getByRole("region", { name: `PUT ${SESSION}` }).waitFor();
  });

  test("can be fixed to a code of one's own, refused in the server's words, and set free again", async ({ visit }) => {
    const phone = "+12025550188";
    await stage.auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone } });
    const code = await stage.sendCode(phone);
    const page = await visit(stage.url("/inbox"));
    await rowWith(page, code).getByRole("link").click();
    const detail = page.getByRole("region", { name: /^Code/ });
    await detail.getByRole("button", { name: "Fix this user’s code" }).click();
    const field = detail.getByLabel("The code this user always gets");
    expect(await field.inputValue()).toBe(code);
    await field.fill("12");
    await page.keyboard.press("Enter");
    await detail.getByText("must be 4 to 10 digits").waitFor();
    await field.fill("424242");
    await page.keyboard.press("Enter");
    await detail.getByText("424242").waitFor();
    expect(await stage.sendCode(phone)).toBe("424242");
    await detail.getByRole("button", { name: "Clear it" }).click();
    await detail.getByText("test code off").waitFor();
  });
});

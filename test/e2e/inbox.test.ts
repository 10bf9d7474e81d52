import { describe, expect } from "vitest";
import { ADA, clipboard, GRACE, rowWith, test, useStage, wrongCode } from "./stage.ts";

const stage = useStage();

describe("the inbox", () => {
  test("with no code yet, says how the first one comes, and sends one", async ({ visit }) => {
    const page = await visit(stage.url("/"));
    await page.getByText("A new number or address signs in at once").waitFor();
    expect(await page.locator("pre").textContent()).toContain(
      `curl -i -X POST ${stage.built.ready.authUrl}/v1/users/session`,
    );
    await page.getByRole("button", { name: "Send a test code to Ada Lovelace" }).click();
    await page.getByRole("region", { name: /^Code \d{6}$/ }).waitFor();
    expect((await stage.control("GET", "/passcodes")).json.total).toBe(1);
  });

  test("shows a code without a reload, soon after its 202, and announces it", async ({ visit }) => {
    const page = await visit(stage.url("/inbox"));
    const code = await stage.sendCode(GRACE);
    await rowWith(page, code).waitFor({ timeout: 2_000 });
    const said = page.locator('[aria-live="polite"]');
    await expect.poll(() => said.textContent()).toContain(`${code.slice(0, 3)} ${code.slice(3)}`);
  });

  test("copies the digits without the gap: from the row, from the detail, by key", async ({ visit }) => {
    const code = await stage.sendCode(ADA);
    const page = await visit(stage.url("/inbox"));
    await page.getByRole("button", { name: `Copy code ${code}` }).click();
    await expect.poll(() => clipboard(page)).toBe(code);

    await page.evaluate(() => navigator.clipboard.writeText("something else"));
    await rowWith(page, code).getByRole("link").click();
    await page.getByRole("button", { name: "Copy code c" }).click();
    await expect.poll(() => clipboard(page)).toBe(code);

    await page.evaluate(() => navigator.clipboard.writeText("something else"));
    await page.keyboard.press("c");
    await expect.poll(() => clipboard(page)).toBe(code);
  });

  test("copies a selected code without a gap, too", async ({ visit }) => {
    const code = await stage.sendCode(ADA);
    const page = await visit(stage.url("/inbox"));
    await rowWith(page, code).getByRole("link").click();
    const text = page.getByTestId("hero");
    expect(await text.evaluate((element) => element.textContent)).toBe(code);
  });

  test("shows wrong tries as they are typed, then the code struck through", async ({ visit }) => {
    const code = await stage.sendCode(ADA);
    const page = await visit(stage.url("/inbox"));
    const row = rowWith(page, code);
    await row.getByRole("link").click();
    expect((await stage.signIn(ADA, wrongCode(code))).status).toBe(401);
    await row.getByText("1 wrong try").waitFor();
    const detail = page.getByRole("region", { name: `Code ${code}` });
    await detail.getByText(wrongCode(code)).waitFor();
    await detail.getByText("4 tries left").waitFor();

    expect((await stage.signIn(ADA, code)).status).toBe(200);
    await row.getByText("Used, 1 wrong try").waitFor();
    const line = await row
      .locator("[data-look=used]")
      .evaluate((element) => getComputedStyle(element, "::after").borderTopStyle);
    expect(line).toBe("solid");
  });

  test("lets a code expire now, after which it does not sign in", async ({ visit }) => {
    const code = await stage.sendCode(ADA);
    const page = await visit(stage.url("/inbox"));
    await rowWith(page, code).getByRole("link").click();
    await page.getByRole("button", { name: "Expire now" }).click();
    await rowWith(page, code).getByText("Expired", { exact: true }).waitFor();
    expect((await stage.signIn(ADA, code)).status).toBe(401);
  });

  test("sends another, which replaces the first and is selected", async ({ visit }) => {
    const code = await stage.sendCode(ADA);
    const page = await visit(stage.url("/inbox"));
    await rowWith(page, code).getByRole("link").click();
    await page.getByRole("button", { name: "Send another" }).click();
    await rowWith(page, code).getByText("Replaced", { exact: true }).waitFor();
    await expect.poll(() => page.getByRole("region", { name: /^Code/ }).getAttribute("aria-label")).not.toContain(code);
  });

  test("keeps screen, app, filter and selection in the address", async ({ visit }) => {
    const code = await stage.sendCode(ADA);
    const page = await visit(stage.url("/inbox"));
    await page.getByRole("button", { name: "App: All apps" }).click();
    await page.getByRole("menuitemradio", { name: /^Demo ?phone/ }).click();
    await page.getByRole("link", { name: "Active", exact: true }).click();
    await rowWith(page, code).getByRole("link").click();
    await page.reload();
    await page.getByRole("region", { name: `Code ${code}` }).waitFor();
    expect(new URL(page.url()).search).toBe("?app=demo-app&show=active");
    expect(await page.getByRole("link", { name: "Active", exact: true }).getAttribute("aria-current")).toBe("true");
    await page.goBack();
    await expect.poll(() => page.getByRole("region", { name: /^Code/ }).count()).toBe(0);
  });

  test("finds by name and by digits, and repeats a search that found nothing", async ({ visit }) => {
    const ada = await stage.sendCode(ADA);
    const grace = await stage.sendCode(GRACE);
    const page = await visit(stage.url("/inbox"));
    await page.getByLabel("Search codes and people").fill("grace");
    await rowWith(page, grace).first().waitFor();
    await expect.poll(() => rowWith(page, ada).count()).toBe(0);
    await page.getByLabel("Search codes and people").fill(`${ada.slice(0, 3)} ${ada.slice(3)}`);
    await rowWith(page, ada).waitFor();
    await page.getByLabel("Search codes and people").fill("nobody at all");
    await page.getByRole("heading", { name: "Nothing found for “nobody at all”" }).waitFor();
  });

  test("shows what users typed as text, never as markup", async ({ visit, faults }) => {
    const name = '<img src=x onerror="document.title=1">';
    const phone = "+12025550177";
    await stage.auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone, name } });
    const code = await stage.sendCode(phone);
    await stage.signIn(phone, "<b>1</b>");
    const page = await visit(stage.url("/inbox"));
    await rowWith(page, code).getByText(name).waitFor();
    await rowWith(page, code).getByRole("link").click();
    await page.getByRole("region", { name: /^Code/ }).getByText("<b>1</b>").waitFor();
    expect(await page.locator("img, b").count()).toBe(0);
    expect(await page.title()).toBe("Inbox – Stagedoor");
    expect(faults).toEqual([]);
  });
});

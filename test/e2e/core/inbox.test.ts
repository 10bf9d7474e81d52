import { describe, expect } from "vitest";
import { ADA, clipboard, GRACE, rowWith, test, testApart, useHarness, wrongCode } from "../harness.ts";
import { passUntil, standStill } from "../page-time.ts";

const harness = useHarness();

describe("the inbox", () => {
  test("without codes says how the first one arrives, and sends one", async ({ visit }) => {
    const page = await visit(harness.url("/"));
    await page.getByText("Codes appear here as soon as your app requests one").waitFor();
    expect(await page.locator("pre").textContent()).toContain(
      `curl -i -X POST ${harness.built.ready.authUrl}/v1/users/session`,
    );
    await page.getByRole("button", { name: "Send a code to Ada Lovelace" }).click();
    await page.getByRole("region", { name: /^Newest code \d{6}$/ }).waitFor();
    expect((await harness.control("GET", "/passcodes")).json.total).toBe(1);
  });

  test("shows a message whole that has the code twice, and copies its link", async ({ visit }) => {
    const sms = "Your code is {code}. Open https://example.com/login?code={code}\n\n@{domain} #{code}";
    const settings = { "message.sms": sms, "message.domain": "example.com" };
    expect((await harness.control("PATCH", "/apps/demo-app", { settings })).status).toBe(200);
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    const hero = page.getByRole("region", { name: `Newest code ${code}` });
    await hero.getByText(`@example.com #${code}`).waitFor();
    await hero.getByRole("button", { name: "Copy link" }).click();
    await expect.poll(() => clipboard(page)).toBe(`https://example.com/login?code=${code}`);
  });

  testApart("says that a code is not in the log once its row has had 1.5 s to come", async ({ visit }) => {
    const page = await visit(harness.url("/users"));
    await harness.sendCode(ADA);
    // As for a moment after each code, whose row comes later.
    await harness.control("DELETE", "/requests");
    await standStill(page);
    await page.goto(harness.url("/codes"));
    await passUntil(page, page.getByText("Requested a code"));
    expect(await page.getByText("not in the log").count()).toBe(0);
    await page.clock.runFor(1_500);
    await page.getByText("not in the log").waitFor();
  });

  test("shows a new code without a reload, and announces it", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const code = await harness.sendCode(GRACE);
    await rowWith(page, code).waitFor();
    const said = page.locator('[aria-live="polite"]');
    await expect.poll(() => said.textContent()).toContain(`${code.slice(0, 3)} ${code.slice(3)}`);
  });

  test("copies the digits without the gap: from the row, the code at the top, and by key", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await page.getByRole("button", { name: `Copy code ${code}` }).click();
    await expect.poll(() => clipboard(page)).toBe(code);

    await page.evaluate(() => navigator.clipboard.writeText("something else"));
    await rowWith(page, code).getByRole("link").click();
    await page.getByRole("button", { name: "Copy code c" }).click();
    await expect.poll(() => clipboard(page)).toBe(code);

    await page.evaluate(() => navigator.clipboard.writeText("something else"));
    // Screen readers say a text again only if it changes.
    const said = page.getByRole("status").filter({ hasText: "copied" });
    const before = await said.textContent();
    await page.keyboard.press("c");
    await expect.poll(() => clipboard(page)).toBe(code);
    await expect.poll(() => said.textContent()).not.toBe(before);
    expect((await said.textContent())?.trim()).toBe(before?.trim());
  });

  test("shows wrong attempts live, then strikes the used code through", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    const row = rowWith(page, code);
    await row.getByRole("link").click();
    expect((await harness.signIn(ADA, wrongCode(code))).status).toBe(401);
    await row.getByText("1 wrong attempt").waitFor();
    const hero = page.getByRole("region", { name: `Code ${code}` });
    const typed = hero.getByRole("listitem").filter({ hasText: wrongCode(code) });
    await typed.getByText("wrong · 4 left").waitFor();
    const wrong = [...wrongCode(code)].filter((digit, at) => digit !== code[at]).length;
    expect(await typed.locator("[data-wrong]").count()).toBe(wrong);
    await hero.getByText("Waiting for the correct code").waitFor();

    expect((await harness.signIn(ADA, code)).status).toBe(200);
    await row.getByText("signed in after 1 wrong attempt").waitFor();
    const line = await row
      .locator("[data-look=used]")
      .evaluate((element) => getComputedStyle(element, "::after").borderTopStyle);
    expect(line).toBe("solid");
  });

  test("shows five different wrong codes, what to do and the login’s link whole", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    for (const n of [1, 2, 3, 4, 5])
      await harness.signIn(
        ADA,
        String(Number(code) + n)
          .padStart(6, "0")
          .slice(-6),
      );
    const page = await visit(harness.url("/codes"));
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByText("Locked. Request a new code.").waitFor();
    const link = page.getByRole("link", { name: "View login" });
    const isWhole = () =>
      link.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return [top + 1, bottom - 1].every((y) => document.elementFromPoint((left + right) / 2, y) === element);
      });
    await expect.poll(isWhole).toBe(true);
  });

  test("expires a code, which then fails, and makes sending another the main action", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await rowWith(page, code).getByRole("link").click();
    await page.getByRole("button", { name: "Expire", exact: true }).click();
    await rowWith(page, code).getByText("Expired", { exact: true }).waitFor();
    expect((await harness.signIn(ADA, code)).status).toBe(401);
    await expect.poll(() => page.locator("button[data-variant=filled]").allTextContents()).toEqual(["Send new code"]);
    await page.getByRole("button", { name: "Undo u" }).click();
    await expect.poll(() => rowWith(page, code).getByText("Expired", { exact: true }).count()).toBe(0);
    expect((await harness.signIn(ADA, code)).status).toBe(200);
  });

  test("follows the newest code until a row is selected, and again on request", async ({ visit }) => {
    const first = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await page.getByRole("region", { name: `Newest code ${first}` }).waitFor();
    const second = await harness.sendCode(GRACE);
    await page
      .getByRole("region", { name: `Newest code ${second}` })
      .getByText("Grace Hopper")
      .waitFor();
    await rowWith(page, first).getByRole("link").click();
    const third = await harness.sendCode("+12025550102");
    await rowWith(page, third).waitFor();
    await page.getByRole("region", { name: `Code ${first}`, exact: true }).waitFor();
    const link = rowWith(page, first).getByRole("link");
    expect(await link.getAttribute("aria-current")).toBe("true");
    await page.getByRole("button", { name: "Show newest" }).click();
    await page.getByRole("region", { name: `Newest code ${third}` }).waitFor();
    expect(await link.getAttribute("aria-current")).toBe(null);
  });
});

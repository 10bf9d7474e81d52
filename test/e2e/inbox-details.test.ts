import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { ADA, clipboard, GRACE, rowWith, test, useHarness, wrongCode } from "./harness.ts";

const harness = useHarness();

describe("the inbox in detail", () => {
  test("copies a text selection without the gap, too", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await rowWith(page, code).getByRole("link").click();
    const text = page.getByTestId("hero");
    expect(await text.evaluate((element) => element.textContent)).toBe(code);
  });

  test("announces a wrong attempt", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const code = await harness.sendCode(ADA);
    await rowWith(page, code).getByText("Ada Lovelace").waitFor();
    const said = page.locator('[aria-live="polite"]');
    await harness.signIn(ADA, "000 001");
    await expect.poll(() => said.textContent()).toContain("Wrong code for Ada Lovelace:");
    await harness.signIn(ADA, wrongCode(code));
    await expect.poll(() => said.textContent()).toContain("attempt 2");
  });

  test("counts the active codes truly, loaded or not", async ({ visit }) => {
    const ask = (at: number) =>
      harness.auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone: `+1202556${1_000 + at}` } });
    const sendTo = async (from: number, to: number): Promise<void> => {
      for (let at = from; at < to; at++) for (let times = 0; times < 2; times++) await ask(at);
    };
    await sendTo(0, 60);
    // A newer code replaces the one before: the 100 newest have one active code.
    for (let times = 0; times < 100; times++) await ask(0);
    const page = await visit(harness.url("/simulate/clock"));
    const inbox = page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: /^Codes/ });
    await inbox.getByText("60", { exact: true }).waitFor();
    await inbox.getByText(", 60 active codes").waitFor({ state: "attached" });
    await sendTo(60, 110);
    await inbox.getByText("99+", { exact: true }).waitFor();
    await inbox.getByText(", more than 99 active codes").waitFor({ state: "attached" });
  });

  test("sends to an unknown number after creating the user", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.getByRole("button", { name: "Send code", exact: true }).click();
    await page.getByLabel("Find a user").fill("+1 202 555 0166");
    await page.getByRole("button", { name: "Create +12025550166 in Demo and send" }).click();
    await page
      .getByRole("region", { name: /^Newest code/ })
      .getByText("+1 202 555 0166")
      .waitFor();
  });

  test("says that a code is gone, not that there are none", async ({ visit }) => {
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes/00000000-0000-4000-8000-000000000000"));
    await page.getByRole("heading", { name: "Code not found" }).waitFor();
    expect(await page.getByText("No codes yet").count()).toBe(0);
    await page.getByRole("button", { name: "Show newest" }).click();
    await page.getByRole("region", { name: /^Newest code/ }).waitFor();
  });

  test("simulates a failure for the user with one click, counts its uses down, and names it", async ({ visit }) => {
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await page.getByRole("button", { name: "Simulate a failure" }).click();
    await page.getByRole("menuitem", { name: "Do not deliver next code" }).click();
    const hero = page.getByRole("region", { name: /^Newest code/ });
    // Not the countdown, which can say "9:51 left".
    await hero.getByText("· 1 left").waitFor();
    expect((await harness.control("GET", "/faults")).json.items[0].match).toEqual({
      listener: "auth",
      appId: "demo-app",
      to: ADA,
    });
    await harness.sendCode(ADA);
    // `latest` leaves out a code that did not arrive.
    const lost = (await harness.control("GET", "/passcodes?limit=1")).json.items[0].code;
    await rowWith(page, lost).getByText("Not delivered").waitFor();
    await rowWith(page, lost).getByRole("link", { name: "Fault", exact: true }).click();
    await page.getByRole("region", { name: /^Fault: / }).waitFor();
  });

  test("a fixed code always works, even when its message has expired", async ({ visit }) => {
    const code = await harness.sendCode(GRACE);
    const { id } = (await harness.control("GET", "/passcodes?limit=1")).json.items[0];
    await harness.control("POST", `/passcodes/${id}/expire`);
    const page = await visit(harness.url("/codes"));
    await rowWith(page, code).getByText("Always works").first().waitFor();
    expect((await harness.signIn(GRACE, code)).status).toBe(200);
  });

  test("sends another code, which replaces the first and is shown", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await rowWith(page, code).getByRole("link").click();
    await page.getByRole("button", { name: "Send new code" }).click();
    await rowWith(page, code).getByText("Replaced", { exact: true }).waitFor();
    const hero = page.getByRole("region", { name: /^Newest code/ });
    await expect.poll(() => hero.getAttribute("aria-label")).not.toContain(code);
  });

  test("keeps screen, app, filter and selection in the address", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
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

  test("finds codes by name and digits, and repeats a search without results", async ({ visit }) => {
    const ada = await harness.sendCode(ADA);
    const grace = await harness.sendCode(GRACE);
    const page = await visit(harness.url("/codes"));
    await page.getByLabel("Search codes and users").fill("grace");
    await rowWith(page, grace).first().waitFor();
    await expect.poll(() => rowWith(page, ada).count()).toBe(0);
    await page.getByLabel("Search codes and users").fill(`${ada.slice(0, 3)} ${ada.slice(3)}`);
    await rowWith(page, ada).waitFor();
    await page.getByLabel("Search codes and users").fill("nobody at all");
    await page.getByRole("heading", { name: "Nothing found for “nobody at all”" }).waitFor();
  });

  test("renders users' text as text, never as markup", async ({ visit, faults }) => {
    const name = '<img src=x onerror="document.title=1">';
    const phone = "+12025550177";
    await harness.auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone, name } });
    const code = await harness.sendCode(phone);
    await harness.signIn(phone, "<b>1</b>");
    const page = await visit(harness.url("/codes"));
    await rowWith(page, code).getByText(name).waitFor();
    await rowWith(page, code).getByRole("link").click();
    await page.getByRole("region", { name: /^Code/ }).getByText("<b>1</b>").first().waitFor();
    expect(await page.locator("img, b").count()).toBe(0);
    expect(await page.title()).toBe("Codes – Stagedoor");
    expect(faults).toEqual([]);
  });
});

describe("the mini window", () => {
  test("opens from the inbox, follows the newest code, and copies it by key", async ({ visit }) => {
    const first = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes?app=demo-app"));
    const opening = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Open mini window" }).click();
    const mini = await opening;
    await mini.getByTestId("hero").getByText(first.slice(0, 3)).first().waitFor();
    expect(new URL(mini.url()).pathname + new URL(mini.url()).search).toBe("/mini?app=demo-app");
    const second = await harness.sendCode(GRACE);
    await mini.getByText("Grace Hopper").waitFor();
    expect(await mini.getByTestId("hero").textContent()).toBe(second);
    await mini.bringToFront();
    await mini.keyboard.press("c");
    await expect.poll(() => clipboard(mini)).toBe(second);
  });

  test("fits any size without horizontal scrolling, and axe finds nothing", async ({ visit }) => {
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/mini"));
    for (const size of [
      { width: 380, height: 230 },
      { width: 220, height: 160 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(size);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
      expect(await findings(page)).toEqual([]);
    }
    expect(await page.title()).toBe("Newest code – Stagedoor");
  });
});

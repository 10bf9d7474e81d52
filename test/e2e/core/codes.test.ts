import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { findings } from "../axe.ts";
import { ADA, clipboard, test, useHarness, wrongCode } from "../harness.ts";

const harness = useHarness();
/** Grace has a fixed code. */
const JOSE = "+12025550107";

/** The row of a login. A code stands there in groups, without a gap between them. */
const row = (page: Page, text: string) =>
  page.getByRole("list", { name: "Logins" }).getByRole("listitem").filter({ hasText: text });
const detail = (page: Page, name: string) => page.getByRole("region", { name: `Login of ${name}` });

describe("Codes", () => {
  test("without logins says where to point one's app, and shows the first one by itself", async ({ visit }) => {
    const page = await visit(harness.url("/codes?app=demo-app"));
    await page.getByRole("heading", { name: "Request a code in your app" }).waitFor();
    await page.getByText(harness.built.ready.authUrl, { exact: true }).waitFor();
    const code = await harness.sendCode(ADA);
    await expect.poll(() => page.getByTestId("code").textContent()).toBe(code);
    await page
      .getByRole("status")
      .getByText(/^New code for/)
      .waitFor({ state: "attached" });
  });

  test("copies the digits without the gap: from the row, the large code, and by key", async ({ visit }) => {
    const ada = await harness.sendCode(ADA);
    const jose = await harness.sendCode(JOSE);
    const page = await visit(harness.url("/codes"));
    await row(page, ada).hover();
    await page.getByRole("button", { name: "Copy the code of Ada Lovelace" }).click();
    await expect.poll(() => clipboard(page)).toBe(ada);
    await page.mouse.move(0, 0);
    await page.getByRole("button", { name: `Copy ${jose}` }).click();
    await expect.poll(() => clipboard(page)).toBe(jose);
    await row(page, ada).getByRole("link").focus();
    await page.keyboard.press("c");
    await expect.poll(() => clipboard(page)).toBe(ada);
  });

  test("says live what is wrong, what is left and how it ended, in the same words everywhere", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    const swapped = `${code.slice(0, 4)}${code[5]}${code[4]}`;
    const typed = swapped === code ? wrongCode(code) : swapped;
    await harness.signIn(ADA, typed);
    await row(page, code).getByText("1 wrong code").waitFor();
    await detail(page, "Ada Lovelace").getByText("4 tries left.").waitFor();
    await detail(page, "Ada Lovelace").getByText(typed, { exact: true }).first().waitFor({ state: "attached" });
    await harness.signIn(ADA, code);
    await row(page, code).getByText("Signed in").waitFor();
    await detail(page, "Ada Lovelace")
      .getByText(/^Signed in at .* after 1 wrong code\.$/)
      .waitFor();
    await expect.poll(() => page.locator("[data-variant=filled]").allTextContents()).toEqual(["New code"]);
  });

  test("follows the newest code until a login is chosen, and again on Esc", async ({ visit }) => {
    const first = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await row(page, first).getByRole("link").click();
    await page.mouse.move(0, 0);
    const second = await harness.sendCode(JOSE);
    // The focus is in the list: what is new waits.
    await page.getByRole("button", { name: `New ${second.slice(0, 3)} ${second.slice(3)}` }).waitFor();
    expect(await row(page, second).count()).toBe(0);
    expect(await page.getByTestId("code").textContent()).toBe(first);
    await page.keyboard.press(".");
    await row(page, second).waitFor();
    await expect.poll(() => page.getByTestId("code").textContent()).toBe(second);
    const current = page.locator("[data-selected] a, [data-row] a[aria-current]");
    await expect.poll(() => current.allTextContents()).toEqual(["José Núñez"]);
    await row(page, first).getByRole("link").click();
    await expect.poll(() => page.getByTestId("code").textContent()).toBe(first);
    await expect.poll(() => current.allTextContents()).toEqual(["Ada Lovelace"]);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByTestId("code").textContent()).toBe(second);
  });

  test("the newest code is the newest active one: in the detail, by key, and in the mini window", async ({ visit }) => {
    const ada = await harness.sendCode(ADA);
    await harness.signIn(JOSE, await harness.sendCode(JOSE));
    const page = await visit(harness.url("/codes?app=demo-app"));
    await expect.poll(() => page.getByTestId("code").textContent()).toBe(ada);
    await page.keyboard.press("c");
    await expect.poll(() => clipboard(page)).toBe(ada);
    const opening = page.waitForEvent("popup");
    await page.getByRole("button", { name: "More for Ada Lovelace" }).last().click();
    await page.getByRole("menuitem", { name: "Open the mini window" }).click();
    const mini = await opening;
    await expect.poll(() => mini.getByTestId("code").textContent()).toBe(ada);
    await harness.signIn(ADA, ada);
    await mini.getByText("No active code").waitFor();
  });

  test("filters what waits and what failed, finds names and digits, and keeps both in the address", async ({
    visit,
  }) => {
    const ada = await harness.sendCode(ADA);
    const jose = await harness.sendCode(JOSE);
    await harness.signIn(JOSE, wrongCode(jose));
    const page = await visit(harness.url("/codes"));
    await page.getByRole("link", { name: "Failed 1" }).click();
    await expect.poll(() => row(page, ada).count()).toBe(0);
    await row(page, jose).waitFor();
    await page.getByRole("link", { name: "All", exact: true }).click();
    await page.keyboard.press("/");
    await page.keyboard.type(`${ada.slice(0, 3)} ${ada.slice(3)}`);
    await row(page, ada).waitFor();
    await expect.poll(() => row(page, jose).count()).toBe(0);
    await page.reload();
    await row(page, ada).waitFor();
    await page.getByRole("searchbox").focus();
    await page.keyboard.press("Escape");
    await row(page, jose).waitFor();
  });

  test("a link to a code that was deleted says so", async ({ visit }) => {
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/inbox/00000000-0000-4000-8000-000000000000"));
    await page.getByRole("heading", { name: "Code not found" }).waitFor();
    await page.getByRole("button", { name: "Show newest" }).click();
    await detail(page, "Ada Lovelace").waitFor();
  });

  test("no menu is cut at 720 × 480, and axe finds nothing in it", async ({ visit }) => {
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await page.setViewportSize({ width: 720, height: 480 });
    await page.getByRole("button", { name: "Fail…" }).click();
    const last = page.getByRole("menuitem", { name: "More in Simulate" });
    await last.scrollIntoViewIfNeeded();
    const box = await last.boundingBox();
    expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(480);
    expect(await findings(page)).toEqual([]);
    await page.getByRole("menuitem", { name: "503 three times" }).click();
    await page.getByText("Next request:").waitFor();
  });

  test("at most 90 words of ours with six logins, and six of them whole at 900 × 600", async ({ visit }) => {
    for (const end of [0, 1, 2, 3, 5, 7]) await harness.sendCode(`+1202555010${end}`);
    const page = await visit(harness.url("/codes?app=demo-app"));
    await page.setViewportSize({ width: 900, height: 600 });
    const list = page.getByRole("list", { name: "Logins" });
    await expect.poll(() => list.getByRole("listitem").count()).toBe(6);
    const sixth = await list.getByRole("listitem").last().boundingBox();
    expect((sixth?.y ?? 999) + (sixth?.height ?? 0)).toBeLessThanOrEqual(600 - 28);
    // biome-ignore lint/performance/useDomNodeTextContent: what is seen, not what is there
    const words = (await page.locator("body").innerText()).split(/\s+/).filter((word) => /[a-z]{2}/i.test(word));
    expect(words.length).toBeLessThanOrEqual(90);
  });
});

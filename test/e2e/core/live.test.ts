import { afterAll, beforeAll, describe, expect } from "vitest";
import { temporaryDir } from "#test/hosts/built.ts";
import { ADA, GRACE, rowWith, test, useHarness } from "../harness.ts";
import { settled } from "../settled.ts";

let data: Awaited<ReturnType<typeof temporaryDir>> | undefined;
beforeAll(async () => {
  data = await temporaryDir();
});
afterAll(async () => {
  await data?.remove();
});
const harness = useHarness(() => ["--data", data?.dir ?? ""]);

describe("the live connection", () => {
  test("shows a disconnected server and how to restart it; afterwards the list is current", async ({ visit }) => {
    const before = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await rowWith(page, before).waitFor();

    const { comeBack } = await harness.crash();
    const banner = page.getByRole("alert");
    await banner.getByText("npm start").waitFor();
    await rowWith(page, before).waitFor();

    await comeBack();
    const after = await harness.sendCode(GRACE);
    await rowWith(page, after).waitFor();
    await rowWith(page, before).waitFor();
    await banner.waitFor({ state: "hidden" });
    await page.getByText("Running", { exact: true }).waitFor();
    // The auth URL has changed.
    await page.getByText(new URL(harness.built.ready.authUrl).host).waitFor();
  });

  test("loads a screen that was opened meanwhile, with its style", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const { comeBack } = await harness.crash();
    await page.getByRole("alert").getByText("npm start").waitFor();
    await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Users" }).click();
    await page.getByRole("heading", { name: "Users", exact: true }).waitFor();
    // Until all of its requests have failed.
    await settled(page);
    await comeBack();
    const table = page.getByRole("grid");

    await table.getByText("Ada Lovelace").waitFor();
    expect(
      await table
        .getByRole("row")
        .first()
        .evaluate((row) => getComputedStyle(row).display),
    ).toBe("flex");
  });

  test("shows why an action failed", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/codes"));
    await rowWith(page, code).getByRole("link").click();
    await page.route("**/passcodes", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({
            status: 507,
            contentType: "application/json",
            body: JSON.stringify({ message: "Insufficient Storage", instruction: "The disk is full." }),
          })
        : route.continue(),
    );
    await page.getByRole("button", { name: "New code", exact: true }).click();
    await page.getByText("Insufficient Storage. The disk is full.").waitFor();
  });

  test("shows why a list could not be loaded, and retries", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    const page = await visit(harness.url("/setup"));
    await page.route("**/emulator/v1/passcodes?*", (route) =>
      route.fulfill({
        status: 500,
        contentType: "application/json",
        body: JSON.stringify({ message: "Internal Server Error", instruction: "This is a defect of Stagedoor." }),
      }),
    );
    await page.goto(harness.url("/codes"));
    // What the page reloads after changes has been loaded too.
    await page.getByText("Running", { exact: true }).waitFor();
    await page.getByText("Internal Server Error. This is a defect of Stagedoor.").waitFor();
    await page.unroute("**/emulator/v1/passcodes?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await rowWith(page, code).waitFor();
  });

  test("is closed by a hidden tab, and current once the tab is shown again", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    const setHidden = (hidden: boolean): Promise<void> =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    const closed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/events"));
    await setHidden(true);
    await closed;
    const code = await harness.sendCode(ADA);
    expect(await rowWith(page, code).count()).toBe(0);
    await setHidden(false);
    await rowWith(page, code).waitFor();
  });

  test("does not move the rows that the user has scrolled to", async ({ visit }) => {
    for (let n = 10; n < 30; n++) {
      const user = { phone: `+120255502${n}` };
      expect((await harness.auth("POST", "/v1/users/session", { appId: "demo-app", user })).status).toBe(200);
    }
    const page = await visit(harness.url("/codes?app=demo-app"));
    await page.setViewportSize({ width: 900, height: 400 });
    const list = page.getByRole("list", { name: "Logins" });
    await list.getByRole("link").first().waitFor();
    const scrolled = () => list.evaluate((element) => element.parentElement?.scrollTop ?? 0);
    await list.evaluate((element) => element.parentElement?.scrollTo(0, 100));
    await expect.poll(scrolled).toBe(100);
    await harness.sendCode(ADA);
    await page.getByRole("button", { name: /^New \d/ }).waitFor();
    expect(await scrolled()).toBe(100);
  });

  test("the status line says that data is stored", async ({ visit }) => {
    const page = await visit(harness.url("/codes"));
    await page.getByRole("contentinfo").getByText("Saved", { exact: true }).waitFor();
  });
});

/** The console in a browser, through nginx with the configuration of docs/deploy/proxies. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Built, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { overHttp2 } from "#test/hosts/outside/ask.ts";
import { authorityOf, BEHIND_PROXY, missing, PUBLIC, startProxy } from "#test/hosts/outside/proxy.ts";
import { APP } from "#test/hosts/outside/tour.ts";
import { launchBrowser, NO_BROWSER } from "#test/support/browser.ts";
import { findBrowser } from "#test/support/find-browser.ts";
import { clipboard, openScreen } from "./harness.ts";

const TOKEN = "for-the-tests-alone";
const run = promisify(execFile);
const ADA = APP.profiles[0].phone;

let built: Built;
let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-proxies-"));
  const fixtures = join(dir, "qa.json");
  await writeFile(fixtures, JSON.stringify({ apps: [APP] }));
  const env = { ...cleanEnv(), STAGEDOOR_ACCESS_TOKEN: TOKEN };
  built = await startBuilt(["--ephemeral", "--fixtures", fixtures, ...BEHIND_PROXY], env);
});
afterAll(async () => {
  await built.stop();
  await rm(dir, { recursive: true, force: true });
});

/** A browser with a home of its own, whose only authority beside the usual ones is the proxy's. */
const browserWith = async (port: number): Promise<Browser> => {
  const home = join(dir, "browser");
  const store = join(home, ".pki", "nssdb");
  await mkdir(store, { recursive: true });
  await run("certutil", ["-d", `sql:${store}`, "-N", "--empty-password"]);
  await run("certutil", ["-d", `sql:${store}`, "-A", "-t", "C,,", "-n", "proxy", "-i", authorityOf(dir)]);
  return await launchBrowser([`--host-resolver-rules=MAP *.example.com:443 127.0.0.1:${port}`], home);
};

/** @returns what failed on a page, as it comes: requests, responses from 400 on, scripts. */
const failuresOf = (page: Page): readonly string[] => {
  const failed: string[] = [];
  page.on("response", (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  page.on("requestfailed", (asked) => {
    // The page itself has cancelled what it no longer needs.
    if (asked.failure()?.errorText !== "net::ERR_ABORTED") failed.push(`${asked.failure()?.errorText} ${asked.url()}`);
  });
  page.on("pageerror", (error) => failed.push(error.message));
  return failed;
};

test("by clicks at https://qa.example.com: a code is copied, a profile edited, undone and exported, and the stage", async ({
  skip,
}) => {
  const why = missing("nginx", "certutil");
  if (why !== undefined) skip(why);
  if (findBrowser() === undefined && process.env["STAGEDOOR_REQUIRE_BROWSER"] !== "1") skip(NO_BROWSER);
  const proxy = await startProxy("nginx", dir, built.ready);
  const [app, browser] = [overHttp2(proxy), await browserWith(proxy.port)];
  try {
    const context = await browser.newContext();
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: PUBLIC.console });
    const page = await context.newPage();
    const failed = failuresOf(page);
    await page.goto(`${PUBLIC.console}/?access_token=${TOKEN}`);
    expect(await context.cookies()).toMatchObject([{ secure: true, httpOnly: true }]);

    // An app asks while the page is open.
    await page.getByRole("heading", { name: "Request a code in your app" }).waitFor();
    const user = { appId: APP.appId, user: { phone: ADA } };
    const session = async (method: string, body: object) =>
      (await app.ask(`${PUBLIC.auth}/v1/users/session`, { method, body })).status;
    expect(await session("POST", user)).toBe(202);
    await page
      .getByTestId("code")
      .getByRole("button", { name: /^Copy \d{6}$/ })
      .click();
    const code = await clipboard(page);
    expect(code).toMatch(/^\d{6}$/);
    expect(await session("PUT", { ...user, passcode: code })).toBe(200);

    await page.getByRole("link", { name: "Users", exact: true }).click();
    await page.waitForURL("**/users*");
    await page.getByRole("row").filter({ hasText: "Ada" }).getByRole("link").first().click();
    await page.getByRole("link", { name: "Edit e" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Ada of QA");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByLabel("Profile of Ada of QA").waitFor();
    const band = page.getByRole("region", { name: "Last change" });
    await band.getByRole("button", { name: "Undo u" }).click();
    await page.getByRole("region", { name: "Last undo" }).waitFor();
    await page.getByLabel("Profile of Ada", { exact: true }).waitFor();

    await openScreen(page, ["Setup", "Data"]);
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    const exported = JSON.parse(await readFile(await (await coming).path(), "utf8"));
    expect(exported.apps).toMatchObject([{ appId: APP.appId, profiles: [{ phone: ADA, name: "Ada" }] }]);

    await page.goto(`${PUBLIC.console}/stage`);
    await page.locator("main[data-state=idle]").waitFor();
    expect(page.frames().map((frame) => new URL(frame.url()).origin)).toContain(PUBLIC.auth);
    for (const state of ["filled", "code", "signedIn"]) {
      await page.keyboard.press("Space");
      await page.locator(`main[data-state=${state}]`).waitFor();
    }
    expect(failed).toEqual([]);
  } finally {
    app.close();
    await browser.close();
    await proxy.stop();
  }
});

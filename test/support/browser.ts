/**
 * Tests in a real Chromium or Chrome that is on the machine: nothing is downloaded. Without one these tests are skipped,
 * with the reason; with STAGEDOOR_REQUIRE_BROWSER=1, as in CI, they fail instead.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, test as base } from "vitest";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const MAC = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const WINDOWS = ["Google\\Chrome\\Application\\chrome.exe", "Chromium\\Application\\chrome.exe"];

const FLAGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Why browser tests are skipped. */
export const NO_BROWSER = "no Chromium or Chrome was found on this machine; set CHROME_PATH to one";

/**
 * @param env the environment: CHROME_PATH names the browser to use, and then only that one counts
 * @param platform as `process.platform` names it
 * @returns the path of a Chromium or Chrome, or undefined if none is in the usual places
 */
export const findBrowser = (env = process.env, platform: string = process.platform): string | undefined => {
  if (env.CHROME_PATH !== undefined) return existsSync(env.CHROME_PATH) ? env.CHROME_PATH : undefined;
  const roots = [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA].filter((root) => root !== undefined);
  const places: Record<string, string[]> = {
    darwin: MAC,
    win32: roots.flatMap((root) => WINDOWS.map((name) => join(root, name))),
  };
  const inPath = (env.PATH ?? "").split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return (places[platform] ?? [...inPath, "/snap/bin/chromium"]).find((path) => existsSync(path));
};

/**
 * Starts a browser with an empty profile of its own, headless.
 * @param args more flags, such as `--host-resolver-rules=…`
 * @throws Error if there is none
 */
export const launchBrowser = async (args: readonly string[] = []): Promise<Browser> => {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(NO_BROWSER);
  // Chromium's own sandbox does not work for root, as in a container.
  return await chromium.launch({
    executablePath,
    args: [...FLAGS, ...args],
    chromiumSandbox: process.getuid?.() !== 0,
  });
};

let shared: Promise<Browser> | undefined;
afterAll(async () => {
  const browser = await shared?.catch(() => undefined);
  shared = undefined;
  await browser?.close();
});

/**
 * @param skip the `skip` of the test's context
 * @returns the one browser of this test file, started when first asked for; it is closed after the last test
 */
export const browserOrSkip = async (skip: (note?: string) => void): Promise<Browser> => {
  if (findBrowser() === undefined && process.env.STAGEDOOR_REQUIRE_BROWSER !== "1") skip(NO_BROWSER);
  shared ??= launchBrowser();
  return await shared;
};

/** vitest's `test` with a fresh `context` (cookies, storage) and a `page` in it, for each test that names them. */
export const test = base.extend<{ context: BrowserContext; page: Page }>({
  context: async ({ skip }, use) => {
    const context = await (await browserOrSkip(skip)).newContext();
    await use(context);
    await context.close();
  },
  page: async ({ context }, use) => await use(await context.newPage()),
});

/**
 * Tests in a real Chromium or Chrome on this machine; nothing is downloaded. Without one these tests are skipped, with
 * the reason; with STAGEDOOR_REQUIRE_BROWSER=1, as in CI, they fail instead.
 */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { test as base } from "vitest";
import { findBrowser } from "#test/support/find-browser.ts";

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
 * Starts a headless browser with an empty profile.
 * @param args more flags, such as `--host-resolver-rules=…`
 * @param home its home directory; default: the user's
 * @throws Error if there is none
 */
export const launchBrowser = async (args: readonly string[] = [], home?: string): Promise<Browser> => {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(NO_BROWSER);
  // Chromium's sandbox does not work for root, as in a container.
  return await chromium.launch({
    ...(home === undefined ? {} : { env: { ...process.env, HOME: home } }),
    executablePath,
    args: [...FLAGS, ...args],
    chromiumSandbox: process.getuid?.() !== 0,
  });
};

/** A context that outlives a test. */
interface Shared {
  readonly context: BrowserContext;
  /** Closes the pages and clears all their data. */
  clean(): Promise<void>;
}

/**
 * Opens a context with a page that keeps one process for all pages of this machine: a separate context and process per
 * page takes more than twice the time.
 */
const openShared = async (browser: Browser): Promise<Shared> => {
  const context = await browser.newContext();
  const keeper = await context.newPage();
  await keeper.route("**", (route) => route.fulfill({ body: "" }));
  await keeper.goto("http://127.0.0.1/");
  const session = await context.newCDPSession(keeper);
  return {
    context,
    clean: async () => {
      const pages = context.pages().filter((page) => page !== keeper);
      const origins = new Set(pages.map((page) => new URL(page.url()).origin));
      for (const page of pages) await page.close();
      for (const origin of origins) await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
      await context.clearCookies();
      await context.clearPermissions();
      await context.setOffline(false);
    },
  };
};

interface Fixtures {
  $worker: { browser: Browser | undefined; sharedContext: Shared | undefined };
  $test: {
    /** For tests that change more than a page. */
    context: BrowserContext;
    /** For the others: pages of a clean context, and its first page. */
    newPage: () => Promise<Page>;
    page: Page;
  };
}

/** vitest's `test` with a browser, started once per worker for tests that use it. */
export const test = base.extend<Fixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures it needs
    async ({}, use) => {
      if (findBrowser() === undefined && process.env["STAGEDOOR_REQUIRE_BROWSER"] !== "1") return await use(undefined);
      const browser = await launchBrowser(["--process-per-site", "--renderer-process-limit=1"]);
      await use(browser);
      await browser.close();
    },
    { scope: "worker" },
  ],
  sharedContext: [
    async ({ browser }, use) => await use(browser === undefined ? undefined : await openShared(browser)),
    { scope: "worker" },
  ],
  context: async ({ skip, browser }, use) => {
    const context = await (browser ?? skip(NO_BROWSER)).newContext();
    await use(context);
    await context.close();
  },
  newPage: async ({ skip, sharedContext }, use) => {
    const { context, clean } = sharedContext ?? skip(NO_BROWSER);
    await use(() => context.newPage());
    await clean();
  },
  page: async ({ newPage }, use) => await use(await newPage()),
});

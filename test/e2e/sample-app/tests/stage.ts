/**
 * What the tests of the sample app share: one Stagedoor for each test file, and for each test an app of its own, with the
 * sample app served for it.
 */
import { type App, type Client, connect } from "stagedoor/client";
import { startStagedoor } from "stagedoor/testing";
import { test as browserTest } from "#test/support/browser.ts";
import { buildSite, openSite, type Site } from "./site.ts";
import { createVisitor, type Visitor } from "./visitor.ts";

/** A number of the demo world; each app has its own user with it. */
export const ADA = "+12025550100";

/** A test that waits for longer has failed; vitest would not say at what. */
const TIMEOUT_MS = 30_000;

interface Stage {
  /** One for the worker, as are the pages. */
  readonly stagedoor: Awaited<ReturnType<typeof startStagedoor>>;
  /** The folder of the built page. */
  readonly pages: string;
  readonly client: Client;
  /** Serves the sample app for an app. @param change what it believes otherwise. */
  readonly serve: (app: App, change?: { readonly appId?: string }) => Promise<Site>;
  /** The app of this test; it is deleted at its end. */
  readonly app: App;
  readonly site: Site;
  /** A user who has opened the page. Nothing that the page sends may go to the admin interface, or carry the secret. */
  readonly visitor: Visitor;
  /** The reason of the newest refused request of the app: what the log knows and the page does not. */
  readonly lastReason: () => Promise<string | null | undefined>;
}

/** A test of the sample app in a real browser. */
export const test = browserTest.extend<Stage>({
  stagedoor: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures it needs
    async ({}, use) => {
      const stagedoor = await startStagedoor();
      await use(stagedoor);
      await stagedoor.close();
    },
    { scope: "worker" },
  ],
  pages: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const site = await buildSite();
      await use(site.folder);
      await site.remove();
    },
    { scope: "worker" },
  ],
  client: async ({ stagedoor }, use) => await use(connect(stagedoor.consoleUrl)),
  serve: async ({ stagedoor: { adminUrl, authUrl }, pages }, use) =>
    await use(({ appId, secret: appSecret }, change = {}) =>
      openSite(pages, { adminUrl, authUrl, appId, appSecret, ...change }),
    ),
  app: async ({ client }, use) => {
    const app = await client.apps.create();
    await use(app);
    await client.apps.delete(app.appId);
  },
  site: async ({ app, serve }, use) => {
    const site = await serve(app);
    await use(site);
    await site.close();
  },
  visitor: async ({ page, site, app, stagedoor }, use) => {
    page.setDefaultTimeout(TIMEOUT_MS);
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(`threw: ${error.message}`));
    page.on("request", (request) => {
      const sent = `${request.url()} ${JSON.stringify(request.headers())} ${request.postData()}`;
      if (sent.includes(stagedoor.adminUrl) || sent.includes(app.secret)) faults.push(`told a secret: ${sent}`);
    });
    const visitor = createVisitor(page, site.url);
    await visitor.open();
    await use(visitor);
    if (faults.length > 0) throw new Error(faults.join("\n"));
  },
  lastReason: async ({ client, app: { appId } }, use) =>
    await use(async () => (await client.requests.list({ appId })).items.find(({ status }) => status >= 400)?.reason),
});

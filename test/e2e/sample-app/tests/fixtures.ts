/**
 * What a worker has: an app of its own, and the sample app served for it.
 */
import { test as base } from "@playwright/test";
import { type App, type Client, connect } from "stagedoor/client";
import { openSite, type Site } from "./site.ts";
import { PAGES } from "./workers.ts";

interface Worker {
  readonly stagedoor: Client;
  /** An app that no other worker sees. */
  readonly app: App;
  readonly authUrl: string;
  readonly site: Site;
}

/** A test with an app of its worker's own. */
export const test = base.extend<object, Worker>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures it needs
  stagedoor: [async ({}, use) => await use(connect()), { scope: "worker" }],
  app: [
    async ({ stagedoor }, use) => {
      const app = await stagedoor.apps.create();
      await use(app);
      await stagedoor.apps.delete(app.appId);
    },
    { scope: "worker" },
  ],
  authUrl: [async ({ stagedoor }, use) => await use((await stagedoor.status()).urls.auth), { scope: "worker" }],
  site: [
    async ({ stagedoor, app: { appId, secret } }, use) => {
      const { admin, auth } = (await stagedoor.status()).urls;
      const service = { adminUrl: admin, authUrl: auth, appId, appSecret: secret };
      const site = await openSite(PAGES, service);
      await use(site);
      await site.close();
    },
    { scope: "worker" },
  ],
});

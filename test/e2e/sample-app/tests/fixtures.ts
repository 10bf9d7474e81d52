/**
 * What a test has: an app of its own, and the sample app served for it.
 */
import { test as base } from "stagedoor/playwright";
import { openSite, type Site } from "./site.ts";
import { PAGES } from "./workers.ts";

/** A test with an app that no other test sees. */
export const test = base.extend<{ readonly site: Site }>({
  site: async ({ stagedoor: { adminUrl, authUrl }, app: { appId, secret } }, use) => {
    const site = await openSite(PAGES, { adminUrl, authUrl, appId, appSecret: secret });
    await use(site);
    await site.close();
  },
});

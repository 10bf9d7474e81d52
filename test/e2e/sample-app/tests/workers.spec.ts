import { expect } from "@playwright/test";
import type { Client } from "stagedoor/client";
import { test } from "./fixtures.ts";
import { createVisitor } from "./visitor.ts";
import { LOBBY, LOGINS, WORKERS } from "./workers.ts";

/** The same for every worker: whatever is not kept apart would show. */
const ADA = "+12025550100";

/** Waits until every worker is there, so that they really run at the same time. */
const meetTheOthers = async (client: Client): Promise<void> => {
  await client.profiles.create({ appId: LOBBY });
  const here = async () => (await client.profiles.list({ appId: LOBBY, limit: 1 })).total;
  await expect.poll(here, { timeout: 120_000 }).toBe(WORKERS);
};

const timed = async (what: string, task: () => Promise<void>): Promise<void> => {
  const start = performance.now();
  await task();
  test.info().annotations.push({ type: what, description: (performance.now() - start).toFixed(2) });
};

for (let n = 1; n <= WORKERS; n++)
  test(`worker ${n} of ${WORKERS} sees nothing of the others`, async ({ stagedoor, app, site, page }) => {
    const { client, authUrl } = stagedoor;
    const { appId } = app;
    // Each second worker lives in another time, in which its codes expire.
    const leaps = n % 2 === 0;
    const codes: string[] = [];
    const visitor = createVisitor(page, site.url);
    const nextCode = async (ask: () => Promise<unknown>): Promise<string> => {
      const { code } = await client.passcodes.requestedBy(ask, { to: ADA, appId });
      codes.unshift(code);
      return code;
    };
    const session = (method: string, passcode?: string): Promise<Response> =>
      fetch(`${authUrl}/v1/users/session`, {
        method,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ appId, user: { phone: ADA }, passcode }),
      });

    await client.profiles.create({ appId, phone: ADA, name: `Ada ${n}` });
    await visitor.open();
    await meetTheOthers(client);
    for (let login = 1; login <= LOGINS; login++) {
      if (leaps) {
        const late = await nextCode(() => visitor.askForCode(ADA));
        await client.clock.advance(601, { appId });
        await visitor.enterCode(late);
        await visitor.sees(/no longer valid/);
        await client.clock.reset({ appId });
        await visitor.press("Use another phone");
      }
      await timed("login in the page", async () => {
        await visitor.enterCode(await nextCode(() => visitor.askForCode(ADA)));
        await visitor.seesProfileOf(`Ada ${n}`);
      });
      await visitor.press("Log out");
      if (leaps) await client.clock.advance(86_400, { appId });
      await timed("login without a page", async () => {
        expect((await session("PUT", await nextCode(() => session("POST")))).status).toBe(200);
      });
      if (leaps) await client.clock.reset({ appId });
    }

    const passcodes = (await client.passcodes.list({ appId, limit: 100 })).items;
    expect(passcodes.map(({ code }) => code)).toEqual(codes);
    const used = passcodes.filter(({ status }) => status === "used");
    expect(used).toHaveLength(2 * LOGINS);
    expect(passcodes).toHaveLength((leaps ? 3 : 2) * LOGINS);
    expect((await client.sessions.list({ appId })).total).toBe(2 * LOGINS);
    expect((await client.profiles.list({ appId })).items).toMatchObject([{ name: `Ada ${n}`, phone: ADA }]);
    expect((await client.clock.read({ appId })).offsetSeconds).toBe(0);
    const refused = (await client.requests.list({ appId, status: 401 })).items.map(({ reason }) => reason);
    expect(refused).toEqual(leaps ? Array<string>(LOGINS).fill("passcode_expired") : []);
  });

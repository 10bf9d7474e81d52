/** A shared app in tests: `isolation: "user"` and `isolation: "rewind"` of the frameworks. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, type Client, connect } from "stagedoor/client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { withAppOf } from "#client/frameworks/fixtures.ts";
import { type TestUser, withUser } from "#client/frameworks/user.ts";
import type { RunningServer } from "#server/server.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server.close());

const shared = async (strategy: "phone" | "email") => {
  const client = connect(server.urls.console);
  const { appId } = await client.apps.create({ strategy });
  return { client, app: await client.apps.get(appId) };
};

const session = ({ appId, phone }: TestUser, method = "POST"): Promise<Response> =>
  fetch(`${server.urls.auth}/v1/users/session`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ appId, user: { phone } }),
  });

describe("withUser", () => {
  test.each([
    [400, "phone"],
    [40, "email"],
  ] as const)("gives %i at once contacts of their own, by %s", async (count, strategy) => {
    const { client, app } = await shared(strategy);
    const seen: string[] = [];
    /** @returns, once the user is there, what lets it leave. */
    const enter = (): Promise<() => Promise<void>> =>
      new Promise((entered, failed) => {
        const gone = withUser(client, app, async (user) => {
          seen.push(strategy === "phone" ? user.phone : user.email);
          await new Promise<void>((leave) => {
            entered(() => {
              leave();
              return gone;
            });
          });
        });
        gone.catch(failed);
      });
    // No more at a time than a busy machine has connections for before `fetch` gives up.
    const leaving: (() => Promise<void>)[] = [];
    while (leaving.length < count) leaving.push(...(await Promise.all(Array.from({ length: 40 }, enter))));
    while (leaving.length > 0) await Promise.all(leaving.splice(0, 40).map((leave) => leave()));
    expect(new Set(seen).size).toBe(count);
    expect((await client.profiles.list({ appId: app.appId })).total).toBe(0);
  });

  test("passcode, sign-in, faults, scenario and requests are that user's alone", async () => {
    const { client, app } = await shared("phone");
    await withUser(client, app, (one) =>
      withUser(client, app, async (other) => {
        expect((await session(one)).status).toBe(202);
        expect((await one.passcode()).to).toBe(one.phone);
        expect(await client.sessions.introspect((await one.signIn()).token)).toMatchObject({ sub: one.userId });
        await one.faults.add({ effect: { status: 503 } });
        expect([(await session(one)).status, (await session(other)).status]).toEqual([503, 202]);
        await other.scenario("serverError");
        expect((await session(other)).status).toBeGreaterThanOrEqual(500);
        await other.scenario(null);
        expect((await session(other)).status).toBe(202);
        const ids = (await one.requests()).map(({ userId }) => userId);
        expect(new Set(ids)).toEqual(new Set([one.userId]));
      }),
    );
  });

  test("leaves nothing behind, whether the test passes or throws", async () => {
    const { client, app } = await shared("phone");
    const of = { appId: app.appId };
    const failed = withUser(client, app, async (user) => {
      await user.faults.add({ effect: { status: 503 }, times: null });
      await user.scenario("locked");
      await user.signIn();
      await client.passcodes.send({ ...of, userId: user.userId });
      await client.faults.add({ match: { ...of, to: user.phone }, effect: { delayMs: 1 } });
      await client.connections.create({ ...of, userId: user.userId, name: "Calendar" });
      throw new Error("the test failed");
    });
    await expect(failed).rejects.toThrow("the test failed");
    const lists = [client.profiles, client.sessions, client.passcodes, client.connections, client.faults];
    expect(await Promise.all(lists.map(async (noun) => (await noun.list(of)).items))).toEqual([[], [], [], [], []]);
  });
});

test("a user whom the test deleted and signed up again is gone as well", async () => {
  const { client, app } = await shared("email");
  await withUser(client, app, async ({ userId, email }) => {
    await client.profiles.deleteMany(app.appId, [userId]);
    await client.signInAs({ appId: app.appId, email });
  });
  expect((await client.profiles.list({ appId: app.appId })).total).toBe(0);
});

test("what cannot be deleted does not hide the test's own error, nor keep the rest", async () => {
  const { client, app } = await shared("phone");
  const unable = async (): Promise<never> => {
    throw new Error("connections cannot be listed");
  };
  const broken = { ...client, connections: { ...client.connections, list: unable } };
  const failing = async (): Promise<void> => {
    throw new Error("the test failed");
  };
  await expect(withUser(broken, app, failing)).rejects.toThrow("the test failed");
  await expect(withUser(broken, app, async () => undefined)).rejects.toThrow("connections cannot be listed");
  expect((await client.profiles.list({ appId: app.appId })).total).toBe(0);
});

test("a stranger with the user's other contact stays", async () => {
  const { client, app } = await shared("email");
  let stranger = "";
  await withUser(client, app, async ({ phone, email }) => {
    const input = { appId: app.appId, phone, email: `not-${email}` };
    stranger = (await client.profiles.create(input)).userId;
    // Its name is found with the user's address.
    await client.profiles.update(stranger, { name: email }, { appId: app.appId });
  });
  expect((await client.profiles.list({ appId: app.appId })).items).toMatchObject([{ userId: stranger }]);
});

describe("isolation: user", () => {
  const run = async (appId: string | undefined, use = async (_: unknown): Promise<void> => undefined) => {
    const stagedoor = { client: connect(server.urls.console) } as Parameters<typeof withAppOf>[0];
    await withAppOf(stagedoor, { isolation: "user", appId }, use);
  };

  test("uses the named app, else that of STAGEDOOR_APP_ID, and keeps it", async () => {
    const { client, app } = await shared("phone");
    const seen: unknown[] = [];
    const use = async (given: unknown) => void seen.push(given);
    await run(app.appId, use);
    vi.stubEnv("STAGEDOOR_APP_ID", app.appId);
    await run(undefined, use);
    vi.unstubAllEnvs();
    expect(seen).toEqual([app, app]);
    expect(await client.apps.get(app.appId)).toEqual(app);
  });

  test("says what is missing", async () => {
    vi.stubEnv("STAGEDOOR_APP_ID", "");
    await expect(run(undefined)).rejects.toThrow("STAGEDOOR_APP_ID, or the option appId");
    vi.unstubAllEnvs();
    await expect(run("nobodys-app")).rejects.toMatchObject({ status: 404 });
  });
});

describe("isolation: rewind", () => {
  const run = async (appId: string | undefined, use: (app: App) => Promise<void>) => {
    const stagedoor = { client: connect(server.urls.console) } as Parameters<typeof withAppOf>[0];
    await withAppOf(stagedoor, { isolation: "rewind", appId }, use);
  };
  const dataOf = async (client: Client, appId: string) => {
    const lists = [client.profiles, client.sessions, client.passcodes, client.connections];
    return await Promise.all(lists.map(async (noun) => (await noun.list({ appId })).items));
  };

  test("the app is afterwards as before, whether the test passes, throws or deletes it", async () => {
    const { client, app } = await shared("phone");
    const { appId } = app;
    await client.signInAs({ appId, phone: "+12025550100" });
    const before = await dataOf(client, appId);
    const { userId = "" } = (await client.profiles.list({ appId })).items[0] ?? {};
    await run(appId, async (given) => {
      expect(given.secret).toBe(app.secret);
      await client.passcodes.send({ appId, userId });
      await client.signInAs({ appId, phone: "+12025550101" });
    });
    expect(await dataOf(client, appId)).toEqual(before);
    const failed = run(appId, async () => {
      await client.profiles.deleteMany(appId, [userId]);
      throw new Error("the test failed");
    });
    await expect(failed).rejects.toThrow("the test failed");
    expect(await dataOf(client, appId)).toEqual(before);
    await run(appId, () => client.apps.delete(appId));
    expect(await dataOf(client, appId)).toEqual(before);
  });

  test("without a named app each test has one of its own", async () => {
    const { client } = await shared("phone");
    vi.stubEnv("STAGEDOOR_APP_ID", "");
    let own = "";
    await run(undefined, async ({ appId }) => {
      own = appId;
    });
    vi.unstubAllEnvs();
    await expect(client.apps.get(own)).rejects.toMatchObject({ status: 404 });
  });

  test("says what to do if the moment before is no longer kept", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "stagedoor-"));
    const first = await startInProcess({ config: { dataDir, durability: "process" } });
    const consolePort = Number(new URL(first.urls.console).port);
    const client = connect(first.urls.console);
    const { appId } = await client.apps.create({});
    let second: RunningServer | undefined;
    const restarted = withAppOf(
      { client } as Parameters<typeof withAppOf>[0],
      { isolation: "rewind", appId },
      async () => {
        await client.profiles.create({ appId, phone: "+12025550100" });
        await first.close();
        second = await startInProcess({ config: { dataDir, durability: "process", consolePort } });
        // A connection to the first server may seem open for a moment.
        await expect.poll(() => client.apps.list().catch(() => undefined)).toBeDefined();
      },
    );
    await expect(restarted).rejects.toThrow('Use isolation: "app" for this test');
    expect((await client.profiles.list({ appId })).total).toBe(1);
    await second?.close();
    await rm(dataDir, { recursive: true });
  });
});

describe("isolation: app, with people of the fixtures", () => {
  const source = async () => {
    const client = connect(server.urls.console);
    const app = await client.apps.create({ name: "Acme", strategy: "email", settings: { passcode: { length: 4 } } });
    const ada = { email: "ada@example.com", name: "Ada", testPasscode: "1234", metadata: { plan: "pro" } };
    await client.state.import({
      version: 1,
      apps: [{ appId: app.appId, profiles: [ada, { email: "bob@example.com" }] }],
    });
    return { client, app };
  };

  test.each(["copied", "appId"] as const)("each test gets a copy of the app that %s names, of its own", async (how) => {
    const { client, app } = await source();
    const stagedoor = { client } as Parameters<typeof withAppOf>[0];
    const before = (await client.profiles.list({ appId: app.appId })).items;
    const secrets = new Set([app.secret]);
    for (let nth = 0; nth < 3; nth += 1)
      await withAppOf(stagedoor, { [how]: app.appId }, async (own) => {
        expect(own).toMatchObject({ strategy: "email", settings: { passcode: { length: 4 } } });
        expect(own.appId).not.toBe(app.appId);
        secrets.add(own.secret);
        const { items } = await client.profiles.list({ appId: own.appId });
        expect(items.map(({ appId: _, ...rest }) => rest)).toEqual(before.map(({ appId: _, ...rest }) => rest));
        const url = `${server.urls.auth}/v1/users/session`;
        const send = (method: string, body: object) =>
          fetch(url, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
        const user = { email: "ada@example.com" };
        expect((await send("POST", { appId: own.appId, user })).status).toBe(202);
        expect((await send("PUT", { appId: own.appId, user, passcode: "1234" })).status).toBe(200);
        await client.profiles.create({ appId: own.appId, email: "eve@example.com" });
      });
    expect(secrets.size).toBe(4);
    expect((await client.profiles.list({ appId: app.appId })).items).toEqual(before);
  });

  test("appInput counts, and nothing given is an empty app", async () => {
    const { client, app } = await source();
    const stagedoor = { client } as Parameters<typeof withAppOf>[0];
    await withAppOf(
      stagedoor,
      { copied: app.appId, appInput: { settings: { signUp: "closed", passcode: { length: 4 } } } },
      async (own) => {
        expect(own.settings).toEqual({ signUp: "closed", passcode: { length: 4 } });
        expect((await client.profiles.list({ appId: own.appId })).total).toBe(2);
      },
    );
    await withAppOf(stagedoor, {}, async (own) => {
      expect((await client.profiles.list({ appId: own.appId })).total).toBe(0);
    });
  });
});

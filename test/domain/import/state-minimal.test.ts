/** `minimal=1`: the shortest export that imports to the same state except for ids and times (CONTRACT 13). */
import { expect, test } from "vitest";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { stage } from "#test/http/control/support.ts";

const { control, app, auth } = stage();

const USER = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";
const GONE = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a02";

/** @returns a state without ids and times; connections refer to their owner by index. */
// biome-ignore lint/suspicious/noExplicitAny: as a client reads it, field by field
const withoutIds = ({ apps }: { apps: any[] }) =>
  apps.map(({ createdAt: _, profiles, connections, ...rest }) => ({
    ...rest,
    // biome-ignore lint/suspicious/noExplicitAny: as above
    profiles: profiles.map(({ userId: _1, createdAt: _2, updatedAt: _3, ...profile }: any) => profile),
    // biome-ignore lint/suspicious/noExplicitAny: as above
    connections: connections.map(({ id: _1, createdAt: _2, disabledAt: _3, userId, ...connection }: any) => ({
      ...connection,
      // biome-ignore lint/suspicious/noExplicitAny: as above
      of: profiles.findIndex((profile: any) => profile.userId === userId),
    })),
  }));

const importedAnew = async (state: object) => {
  const server = await startInProcess();
  try {
    const { control: other } = clientsOf(() => server);
    expect((await other("PUT", "/state", { mode: "replace", state })).status).toBe(200);
    return (await other("GET", "/state?volatile=1")).json;
  } finally {
    await server.close();
  }
};

test("leaves out what an import generates", async () => {
  const { appId, secret } = await app({ settings: { passcode: { length: 6, ttlSeconds: 60 }, signUp: "open" } });
  await control("PUT", `/state`, {
    mode: "merge",
    state: {
      apps: [
        {
          appId,
          profiles: [
            { phone: "+12025550100", name: "Ada", metadata: {}, scenario: "slow" },
            { userId: USER, name: "Without a number" },
          ],
          connections: [
            { user: "+12025550100", name: "one" },
            { userId: USER, name: "two", managed: false },
            { userId: GONE, name: "three", status: "disabled" },
          ],
        },
      ],
    },
  });
  expect((await control("GET", `/state?appId=${appId}&minimal=1`)).json).toEqual({
    apps: [
      {
        appId,
        secret,
        settings: { passcode: { ttlSeconds: 60 } },
        profiles: [
          { phone: "+12025550100", name: "Ada", metadata: {}, scenario: "slow" },
          { userId: USER, name: "Without a number" },
        ],
        connections: [
          { user: "+12025550100", name: "one" },
          { userId: USER, name: "two", managed: false },
          { userId: GONE, name: "three", status: "disabled" },
        ],
      },
    ],
  });
});

test("imports to an equivalent state: the demo, and an app with sessions and codes", async () => {
  const { appId, profile } = await app({ name: "Shop", strategy: "email", settings: { signUp: "closed" } });
  const { email } = await profile({ email: "a@example.com" });
  await profile({ email: "b@example.com", testPasscode: "123456", metadata: { plan: "pro" } });
  await auth("POST", "/v1/users/session", { appId, user: { email } });
  const code = (await control("GET", `/passcodes/latest?appId=${appId}&to=${email}`)).json.code;
  await auth("PUT", "/v1/users/session", { appId, user: { email }, passcode: code });

  const full = (await control("GET", "/state")).json;
  const minimal = await control("GET", "/state?minimal=1");
  expect(minimal.text.length).toBeLessThan(JSON.stringify(full).length / 1.5);
  const without = (state: Parameters<typeof withoutIds>[0]) =>
    withoutIds(state).map(({ passcodes: _, sessions: _2, clock: _3, ...rest }) => rest);
  expect(without(await importedAnew(minimal.json))).toEqual(without({ apps: withEmptySettings(full.apps) }));

  const volatile = (await control("GET", "/state?minimal=1&volatile=1")).json;
  const again = await importedAnew(volatile);
  const shop = again.apps.find((one: { appId: string }) => one.appId === appId);
  expect(shop.sessions).toHaveLength(1);
  expect(shop.profiles[0].userId).toBe(shop.sessions[0].userId);
});

/** Removes settings that equal their default. */
// biome-ignore lint/suspicious/noExplicitAny: as above
const withEmptySettings = (apps: any[]) =>
  apps.map((one) =>
    one.settings.passcode?.length === 6 ? { ...one, settings: { passcode: { ttlSeconds: 60 } } } : one,
  );

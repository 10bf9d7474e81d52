/** `minimal=1`: the shortest export that imports to the same state except for ids and times. */
import { expect, test } from "vitest";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { harness } from "#test/http/control/support.ts";

const { control, app, auth } = harness();

const USER = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";
const GONE = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a02";

type Fields = Readonly<Record<string, unknown>>;
interface ExportedApp extends Fields {
  readonly settings: { readonly passcode?: Fields };
  readonly profiles: readonly Fields[];
  readonly connections: readonly Fields[];
}

/** @returns the apps without ids, times and volatile parts; connections refer to their owner by index. */
const withoutIds = ({ apps }: { readonly apps: readonly ExportedApp[] }) =>
  apps.map(({ createdAt: _1, passcodes: _2, sessions: _3, clock: _4, profiles, connections, ...rest }) => ({
    ...rest,
    profiles: profiles.map(({ userId: _1, createdAt: _2, updatedAt: _3, ...profile }) => profile),
    connections: connections.map(({ id: _1, createdAt: _2, disabledAt: _3, userId, ...connection }) => ({
      ...connection,
      of: profiles.findIndex((profile) => profile["userId"] === userId),
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
  const expected = withoutIds({ apps: withEmptySettings(full.apps) });
  expect(withoutIds(await importedAnew(minimal.json))).toEqual(expected);

  const volatile = (await control("GET", "/state?minimal=1&volatile=1")).json;
  const again = await importedAnew(volatile);
  const shop = again.apps.find((one: { appId: string }) => one.appId === appId);
  expect(shop.sessions).toHaveLength(1);
  expect(shop.profiles[0].userId).toBe(shop.sessions[0].userId);
});

/** Removes settings that equal their default. */
const withEmptySettings = (apps: readonly ExportedApp[]): ExportedApp[] =>
  apps.map((one) =>
    one.settings.passcode?.["length"] === 6 ? { ...one, settings: { passcode: { ttlSeconds: 60 } } } : one,
  );

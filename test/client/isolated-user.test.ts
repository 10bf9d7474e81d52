/** A user for one test in a shared app, as `isolation: "user"` of the frameworks gives it (CONTRACT 19). */
import { connect } from "stagedoor/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedApp } from "#client/frameworks/fixtures.ts";
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
  return { client, app: await client.apps.create({ strategy }) };
};

const session = ({ appId, phone }: TestUser, method = "POST"): Promise<Response> =>
  fetch(`${server.urls.auth}/v1/users/session`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ appId, user: { phone } }),
  });

describe("withUser", () => {
  test.each(["phone", "email"] as const)("gives a hundred at once contacts of their own, by %s", async (strategy) => {
    const { client, app } = await shared(strategy);
    const seen: string[] = [];
    let release = (): void => undefined;
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    const use = async (user: TestUser): Promise<void> => {
      if (seen.push(strategy === "phone" ? user.phone : user.email) === 100) release();
      await all;
    };
    await Promise.all(Array.from({ length: 100 }, () => withUser(client, app, use)));
    expect(new Set(seen).size).toBe(100);
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
      await client.connections.create({ ...of, userId: user.userId, name: "Calendar" });
      throw new Error("the test failed");
    });
    await expect(failed).rejects.toThrow("the test failed");
    const lists = [client.profiles, client.sessions, client.passcodes, client.connections, client.faults];
    expect(await Promise.all(lists.map(async (noun) => (await noun.list(of)).items))).toEqual([[], [], [], [], []]);
  });
});

test("the shared app must be named", async () => {
  const { client, app } = await shared("phone");
  const stagedoor = { client } as Parameters<typeof sharedApp>[0];
  expect(await sharedApp(stagedoor, app.appId)).toMatchObject({ appId: app.appId });
  await expect(sharedApp(stagedoor, "")).rejects.toThrow("STAGEDOOR_APP_ID");
});

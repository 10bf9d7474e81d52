/** CONTRACT 13: a join token makes leased apps and nothing else; a token bound to an app sees and changes that app alone. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { type Operation, routes } from "#contract/routes.ts";
import type { RunningServer } from "#server/server.ts";
import { type Call, caller, type Reply } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

const PHONE = "+12025550177";
let server: RunningServer;
beforeAll(async () => {
  server = await startInProcess({
    config: { consoleHost: "127.0.0.1", accessToken: "whole-console", joinToken: "join-the-others" },
  });
});
afterAll(() => server.close());

const as = (token: string): Call =>
  caller(() => `${server.urls.console}/emulator/v1`, { Authorization: `Bearer ${token}` });
const whole = as("whole-console");
const join = as("join-the-others");
const newApp = async (name: string): Promise<{ appId: string; bound: Call; token: string }> => {
  const made = await join("POST", "/apps", { name, ttlSeconds: 3_600 });
  expect(made.status, made.text).toBe(201);
  const { appId, accessToken } = made.json;
  return { appId, bound: as(accessToken), token: accessToken };
};

const console = Object.entries<Operation>(routes).filter(([, { listener }]) => listener === "console");

/** Sends an operation as a token may try it, with ids of an app in every place. */
const attempt = (
  call: Call,
  operation: Operation,
  ids: Readonly<Record<string, string>>,
  naming: boolean,
): Promise<Reply> => {
  const path = operation.path
    .replace("/emulator/v1", "")
    .replaceAll(/:(\w+)/g, (_, name: string) => ids[`${operation.path.split("/")[3]}.${name}`] ?? ids[name] ?? "none");
  const query = naming ? `?appId=${ids["appId"]}` : "";
  const body =
    operation.body === undefined ? undefined : { ...(naming ? { appId: ids["appId"] } : {}), userId: ids["userId"] };
  return call(operation.method, path + (operation.query === undefined ? "" : query), body);
};

describe("a join token", () => {
  test("makes apps with a lease, and gets a token with each", async () => {
    const { appId, bound } = await newApp("Job 1");
    expect((await bound("GET", `/apps/${appId}`)).json).toMatchObject({ appId, lease: { ttlSeconds: 3_600 } });
    expect((await whole("GET", `/apps/${appId}`)).text).not.toContain("accessToken");
  });

  test("makes none without a lease", async () => {
    const refused = await join("POST", "/apps", { name: "Forever" });
    expect([refused.status, refused.reason]).toEqual([403, "lease_required"]);
  });

  test.each(console.filter(([id]) => id !== "createApp"))("may not %s", async (_, operation) => {
    const { appId } = (await whole("GET", "/apps")).json.items[0];
    const refused = await attempt(join, operation, { appId }, true);
    expect([refused.status, refused.reason]).toEqual([403, "not_your_app"]);
  });

  test("opens no page, and no OpenAPI text", async () => {
    for (const path of ["/", "/inbox", "/openapi/control.json"]) {
      const answer = await fetch(server.urls.console + path, { headers: { Authorization: "Bearer join-the-others" } });
      expect(answer.status, path).toBe(403);
    }
  });
});

describe("a bound token", () => {
  /** An app of somebody else, with one of everything. */
  const victim = async () => {
    const { appId } = (await whole("POST", "/apps", { name: "Victim" })).json;
    const { userId } = (await whole("POST", "/profiles", { appId, phone: PHONE, name: "SECRET-NAME" })).json;
    const passcode = (await whole("POST", "/passcodes", { appId, userId })).json;
    const session = (await whole("POST", "/sessions", { appId, userId })).json;
    const connection = (await whole("POST", "/connections", { appId, userId, name: "SECRET-NAME" })).json;
    const fault = (await whole("POST", "/faults", { appId, effect: "status", status: 503 })).json;
    await whole("PUT", `/snapshots/theirs?appId=${appId}`, {});
    await fetch(`${server.urls.auth}/v1/users/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ appId, user: { phone: PHONE } }),
    });
    const [row] = (await whole("GET", `/requests?appId=${appId}`)).json.items;
    return {
      appId,
      userId,
      name: "theirs",
      "passcodes.id": passcode.id,
      "sessions.id": session.id,
      "connections.id": connection.id,
      "faults.id": fault.id,
      "requests.id": row?.id,
    };
  };

  test.each(console)("%s shows nothing of another app, and changes nothing there", async (_, operation) => {
    const ids = await victim();
    const state = async (): Promise<string> => {
      const parts = await Promise.all(
        ["/state?volatile=1&", "/faults?", "/snapshots?", "/clock?"].map((path) =>
          whole("GET", `${path}appId=${ids.appId}`),
        ),
      );
      return JSON.stringify(parts.map(({ json: { now: _now, ...rest } }) => rest));
    };
    const before = await state();
    const { bound } = await newApp("Attacker");
    for (const naming of [true, false]) {
      const answer = await attempt(bound, operation, ids, naming);
      expect(answer.text, `${answer.status}`).not.toContain("SECRET-NAME");
      expect(answer.text).not.toContain(PHONE);
      if (naming && (operation.query !== undefined || operation.path.includes(":appId")))
        expect(answer.status).toBe(403);
    }
    expect(await state()).toBe(before);
    await whole("DELETE", `/apps/${ids.appId}`);
  });

  test("of an app that is gone is good for nothing, also when its id is used again", async () => {
    const { appId, bound } = await newApp("Gone");
    await whole("DELETE", `/apps/${appId}`);
    expect((await bound("GET", `/apps/${appId}`)).status).toBe(401);
    await whole("POST", "/apps", { appId });
    expect((await bound("GET", `/apps/${appId}`)).status).toBe(401);
  });

  test("is enough for the client to sign users in and read their codes", async () => {
    const { appId, token } = await newApp("Job 2");
    const client = connect({ consoleUrl: server.urls.console, accessToken: token });
    const { userId } = await client.profiles.create({ phone: PHONE });
    expect((await client.signInAs({ phone: PHONE })).userId).toBe(userId);
    const ask = () =>
      fetch(`${server.urls.auth}/v1/users/session`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ appId, user: { phone: PHONE } }),
      });
    expect((await client.passcodes.requestedBy(ask, { to: PHONE })).appId).toBe(appId);
    expect((await client.apps.list()).items.map((app) => app.appId)).toEqual([appId]);
    expect((await client.requests.list()).total).toBe(1);
    await client.state.reset();
    expect((await client.profiles.list()).total).toBe(0);
    await client.close();
  });
});

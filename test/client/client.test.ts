/** `stagedoor/client` against a server in this process: every call, and the errors it throws. */
import { describe, expect, expectTypeOf, test } from "vitest";
import { connect, type Passcode, type Profile, StagedoorError } from "#client/index.ts";
import type { PasscodeItem } from "#contract/service/passcodes.ts";
import type { ProfileItem } from "#contract/service/profiles.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { ADA, failure, useServed } from "./support.ts";

const at = useServed();
const { session, askForCode } = at;

test("its types match the contract", () => {
  expectTypeOf<Passcode>().toEqualTypeOf<PasscodeItem>();
  expectTypeOf<Profile>().toEqualTypeOf<ProfileItem>();
});

describe("connect", () => {
  test("takes a URL, options, or the environment", async () => {
    expect(connect(`${at.server.urls.console}/`).consoleUrl).toBe(at.server.urls.console);
    expect((await connect({ consoleUrl: at.server.urls.console }).status()).urls).toEqual(at.server.urls);
    process.env["STAGEDOOR_CONSOLE_URL"] = at.server.urls.console;
    expect(connect().consoleUrl).toBe(at.server.urls.console);
    delete process.env["STAGEDOOR_CONSOLE_URL"];
    expect(connect().consoleUrl).toBe("http://127.0.0.1:4012");
    expect(() => connect("nonsense")).toThrow(TypeError);
    expect(() => connect("ftp://x")).toThrow(TypeError);
  });

  test("authenticates with the token of an open console", async () => {
    const open = await startInProcess({ config: { consoleHost: "127.0.0.1" } });
    const accessToken = open.accessToken ?? "";
    expect(await failure(connect(open.urls.console).status())).toMatchObject({
      status: 401,
      reason: "missing_access_token",
    });
    await connect({ consoleUrl: open.urls.console, accessToken }).status();
    await connect(`${open.urls.console}/?access_token=${accessToken}`).status();
    await open.close();
  });
});

describe("errors contain status, reason and body", () => {
  test("of an API error", async () => {
    const error = await failure(at.client.apps.get("nobody"));
    expect(error).toBeInstanceOf(StagedoorError);
    expect(error).toMatchObject({ status: 404, reason: "unknown_record", body: { message: "Not Found" } });
    const invalid = await failure(at.client.profiles.create({ appId: "demo-app", phone: "12" }));
    expect(invalid).toMatchObject({ status: 422, reason: "invalid_fields", body: { phone: [expect.any(String)] } });
    expect(String(invalid)).toContain("phone");
  });

  test("of a failed connection, and of another program", async () => {
    expect(await failure(connect("http://127.0.0.1:1").status())).toMatchObject({ status: 0, reason: "unreachable" });
    // Auth is not a console.
    expect(await failure(connect(at.server.urls.auth).status())).toMatchObject({ status: 404 });
  });
});

test("an error has messages by field, and a text to show", async () => {
  const invalid = await failure(at.client.profiles.create({ appId: "demo-app", phone: "12" }));
  expect(invalid).toMatchObject({ fields: { phone: [expect.any(String)] } });
  expect(invalid).toHaveProperty("explanation", expect.stringMatching(/^phone /));
  const unknown = await failure(at.client.sessions.get("ghost"));
  expect(unknown).toMatchObject({ fields: {}, explanation: expect.stringMatching(/^\S.+\. \S/) });
  expect(unknown).not.toHaveProperty("explanation", expect.stringContaining("/emulator/v1"));
  expect(await failure(connect("http://127.0.0.1:1").status())).toMatchObject({
    explanation: "Stagedoor does not respond at http://127.0.0.1:1.",
  });
});

test("aborting the client's signal aborts its calls; a call's own signal works too", async () => {
  const stop = new AbortController();
  const bound = at.client.withSignal(stop.signal);
  expect((await bound.apps.list()).total).toBeGreaterThan(0);
  const own = new AbortController();
  const left = failure(bound.passcodes.next({ to: ADA, after: 0, appId: "demo-app", signal: own.signal }));
  own.abort(new Error("left"));
  expect(await left).toHaveProperty("message", "left");
  stop.abort(new Error("stopped"));
  expect(await failure(bound.apps.list())).toHaveProperty("message", "stopped");
});

test("several profiles can be deleted at once; unknown ids are skipped", async () => {
  const { items } = await at.client.profiles.list({ appId: "demo-app", limit: 2 });
  const ids = items.map(({ userId }) => userId);
  expect(await at.client.profiles.deleteMany("demo-app", [...ids, crypto.randomUUID()])).toEqual({ deleted: 2 });
  expect(await failure(at.client.profiles.get(ids[0] ?? "", { appId: "demo-app" }))).toMatchObject({ status: 404 });
});

describe("the other calls", () => {
  test("apps, profiles, sessions, connections: the whole life cycle", async () => {
    const app = await at.client.apps.create({ strategy: "email", settings: { passcode: { length: 4 } } });
    const { appId } = app;
    expect((await at.client.apps.get(appId)).secret).toBe(app.secret);
    expect((await at.client.apps.renewSecret(appId)).secret).not.toBe(app.secret);
    expect((await at.client.apps.update(appId, { settings: { signUp: "closed" } })).settings).toEqual({
      passcode: { length: 4 },
      signUp: "closed",
    });
    expect((await at.client.apps.list()).items.map((one) => one.appId)).toContain(appId);

    const profile = await at.client.profiles.create({
      appId,
      email: "a@example.com",
      metadata: { favorite_color: "red" },
    });
    const { userId } = profile;
    expect(await at.client.profiles.get(userId, { appId })).toEqual(profile);
    expect((await at.client.profiles.update(userId, { name: "A" }, { appId })).name).toBe("A");
    expect((await at.client.profiles.list({ appId })).total).toBe(1);

    const { token, id } = await at.client.sessions.create({ appId, userId, ttlSeconds: 60 });
    expect((await at.client.sessions.get(id)).state).toBe("active");
    expect(await at.client.sessions.introspect(token)).toMatchObject({ active: true, sub: userId });
    expect((await at.client.sessions.token(id)).split(".")).toHaveLength(3);
    expect((await at.client.sessions.list({ appId })).total).toBe(1);
    await at.client.sessions.revoke(id);
    expect(await at.client.sessions.introspect(token)).toEqual({ active: false, reason: "revoked" });
    const second = await at.client.sessions.create({ appId, userId });
    expect((await at.client.sessions.expire(second.id)).state).toBe("expired");
    await at.client.sessions.revokeAll({ appId });

    const connection = await at.client.connections.create({ appId, userId, name: "Bank" });
    expect(await at.client.connections.get(connection.id)).toEqual(connection);
    expect((await at.client.connections.update(connection.id, { status: "disabled" })).disabledAt).not.toBeNull();
    expect((await at.client.connections.list({ appId })).total).toBe(1);
    await at.client.connections.delete(connection.id);

    await at.client.profiles.delete(userId, { appId });
    expect(await failure(at.client.profiles.get(userId, { appId }))).toMatchObject({ status: 404 });
    await at.client.apps.delete(appId);
    expect(await failure(at.client.apps.get(appId))).toMatchObject({ status: 404 });
  });

  test("the clock of all apps, and of one", async () => {
    await askForCode();
    await at.client.clock.advance(660, { appId: "demo-app" });
    const { code } = await at.client.passcodes.latest({ to: ADA, status: "any" });
    const late = await session("PUT", { appId: "demo-app", user: { phone: ADA }, passcode: code });
    expect(late.headers.get("Emulator-Reason")).toBe("passcode_expired");
    expect((await at.client.clock.read()).offsetSeconds).toBe(0);
    const frozen = await at.client.clock.freeze();
    expect((await at.client.clock.read()).now).toBe(frozen.frozenAt);
    expect((await at.client.clock.freeze("2030-01-01T00:00:00.000Z")).now).toBe("2030-01-01T00:00:00.000Z");
    expect((await at.client.clock.set({ offsetSeconds: 5 })).offsetSeconds).toBe(5);
    expect((await at.client.clock.reset()).offsetSeconds).toBe(0);
  });

  test("snapshots of an app: save, restore, delete", async () => {
    const of = { appId: "demo-app" };
    expect(await at.client.snapshots.save("before", of)).toMatchObject({ name: "before", appId: "demo-app" });
    await askForCode();
    expect((await at.client.snapshots.restore("before", of)).changes).toBeGreaterThan(0);
    expect((await at.client.passcodes.list({ to: ADA })).total).toBe(0);
    expect((await at.client.snapshots.list(of)).total).toBe(1);
    await at.client.snapshots.delete("before", of);
    expect((await at.client.snapshots.list(of)).total).toBe(0);
  });

  test("the timeline: an app's mark, and a rewind to it, to a change, or to before a request", async () => {
    const client = connect(at.server.urls.console);
    const app = await client.apps.create({ name: "Rewound" });
    const { appId } = app;
    expect(JSON.parse(JSON.stringify(app))).toMatchObject({ ...(await client.apps.get(appId)) });
    const mark = await app.mark();
    expect(mark).toEqual(await client.mark(appId));
    const { userId } = await client.profiles.create({ appId, phone: ADA });
    expect((await client.timeline({ appId })).items[0]).toMatchObject({ what: "Profile created: +1 202 555 0100" });
    const { changed, seq } = await app.rewind(mark);
    expect(changed).toEqual({ profiles: 1, passcodes: 0, sessions: 0, connections: 0 });
    expect(await failure(client.profiles.get(userId, { appId }))).toMatchObject({ status: 404 });
    await (await client.apps.get(appId)).rewind({ to: seq - 1 }, { userId, clock: "then" });
    expect((await client.profiles.get(userId, { appId })).phone).toBe(ADA);
    expect(await failure(client.rewind({ appId, before: "ghost" }))).toMatchObject({ status: 404 });
    await client.apps.delete(appId);
  });

  test("local network access, TLS, auth clients, and device actions", async () => {
    const { lan, tls, clients, connect: buttons } = at.client;
    expect((await lan.open()).open).toBe(true);
    expect(await lan.read()).toMatchObject({ open: true });
    expect(await lan.close()).toMatchObject({ open: false, urls: [] });
    const { ca } = await tls.on();
    expect((await tls.read()).ca).toEqual(ca);
    expect((await tls.off()).ca).toEqual(ca);
    await fetch(`${at.server.urls.auth}/livez`, { headers: { "User-Agent": "curl/8" } });
    expect((await clients.list()).items[0]).toMatchObject({ device: "curl", http: true, https: false });
    expect(await failure(buttons.adbReverse())).toMatchObject({ status: 409, reason: "tool_failed" });
    expect(await failure(buttons.simulatorTrust())).toMatchObject({ status: 409, reason: "tool_failed" });
  });

  test("requests and state", async () => {
    await askForCode();
    const { items } = await at.client.requests.list({ listener: "auth", limit: 1 });
    expect(items[0]).toMatchObject({ method: "POST", status: 202, appId: "demo-app" });
    expect(await at.client.requests.get(items[0]?.id ?? "")).toEqual(items[0]);
    const command = await at.client.requests.curl(items[0]?.id ?? "");
    expect(command).toMatch(/^curl .*\/v1\/users\/session/s);
    const again = await at.client.requests.replay(items[0]?.id ?? "");
    expect(again.status).toBe(202);
    expect((await at.client.requests.get(again.requestId ?? "")).status).toBe(202);
    await at.client.requests.clear();
    const world = await at.client.state.export({ appId: "demo-app" });
    expect(world.apps).toHaveLength(1);
    expect((await at.client.state.export({ volatile: true })).clock).toBeDefined();
    expect(await at.client.state.import(world, { dryRun: true, appId: "demo-app" })).toMatchObject({ apps: 1 });
    await at.client.state.import({ version: 1, apps: [{ appId: "mine" }] });
    await at.client.state.import({ version: 1, apps: [{ appId: "other" }] }, { mode: "replace" });
    expect((await at.client.apps.list()).items.map(({ appId }) => appId)).toEqual(["other"]);
  });
});

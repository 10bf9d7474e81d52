/**
 * `stagedoor/client` against a server in this process: every call, and what it throws.
 */
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { type Client, connect, type Fault, type Passcode, type Profile, StagedoorError } from "#client/index.ts";
import type { FaultItem } from "#contract/faults.ts";
import type { PasscodeItem } from "#contract/passcodes.ts";
import type { ProfileItem } from "#contract/profiles.ts";
import type { RunningServer } from "#server/server.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

let server: RunningServer;
let client: Client;
const ADA = "+12025550100";

beforeAll(async () => {
  server = await startInProcess();
  client = connect(server.urls.console);
});
afterAll(() => server.close());
afterEach(() => client.state.reset());

const session = (method: string, body: unknown): Promise<Response> =>
  fetch(`${server.urls.auth}/v1/users/session`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const askForCode = async (phone = ADA, appId = "demo-app"): Promise<void> => {
  expect((await session("POST", { appId, user: { phone } })).status).toBe(202);
};
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail("it did not fail"),
    (error: unknown) => error,
  );

test("its types are those of the contract", () => {
  expectTypeOf<Passcode>().toEqualTypeOf<PasscodeItem>();
  expectTypeOf<Profile>().toEqualTypeOf<ProfileItem>();
  expectTypeOf<Fault["match"]>().toEqualTypeOf<FaultItem["match"]>();
});

describe("connect", () => {
  test("takes a URL, options, or the environment", async () => {
    expect(connect(`${server.urls.console}/`).consoleUrl).toBe(server.urls.console);
    expect((await connect({ consoleUrl: server.urls.console }).status()).urls).toEqual(server.urls);
    process.env["STAGEDOOR_CONSOLE_URL"] = server.urls.console;
    expect(connect().consoleUrl).toBe(server.urls.console);
    delete process.env["STAGEDOOR_CONSOLE_URL"];
    expect(connect().consoleUrl).toBe("http://127.0.0.1:4012");
    expect(() => connect("nonsense")).toThrow(TypeError);
    expect(() => connect("ftp://x")).toThrow(TypeError);
  });

  test("a console that is open to other machines gets its token", async () => {
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

describe("errors say status, reason and body", () => {
  test("of a refusal", async () => {
    const error = await failure(client.apps.get("nobody"));
    expect(error).toBeInstanceOf(StagedoorError);
    expect(error).toMatchObject({ status: 404, reason: "unknown_record", body: { message: "Not Found" } });
    const invalid = await failure(client.profiles.create({ appId: "demo-app", phone: "12" }));
    expect(invalid).toMatchObject({ status: 422, reason: "invalid_fields", body: { phone: [expect.any(String)] } });
    expect(String(invalid)).toContain("phone");
  });

  test("of nobody, and of something else", async () => {
    expect(await failure(connect("http://127.0.0.1:1").status())).toMatchObject({ status: 0, reason: "unreachable" });
    // Auth is no console.
    expect(await failure(connect(server.urls.auth).status())).toMatchObject({ status: 404 });
  });
});

test("a refusal says what is wrong by field, and in words to show", async () => {
  const invalid = await failure(client.profiles.create({ appId: "demo-app", phone: "12" }));
  expect(invalid).toMatchObject({ fields: { phone: [expect.any(String)] } });
  expect(invalid).toHaveProperty("explanation", expect.stringMatching(/^phone /));
  const unknown = await failure(client.sessions.get("ghost"));
  expect(unknown).toMatchObject({ fields: {}, explanation: expect.stringMatching(/^\S.+\. \S/) });
  expect(unknown).not.toHaveProperty("explanation", expect.stringContaining("/emulator/v1"));
  expect(await failure(connect("http://127.0.0.1:1").status())).toMatchObject({
    explanation: "No Stagedoor answers at http://127.0.0.1:1.",
  });
});

test("calls of a client with a signal end with it; their own signal counts too", async () => {
  const stop = new AbortController();
  const bound = client.withSignal(stop.signal);
  expect((await bound.apps.list()).total).toBeGreaterThan(0);
  const own = new AbortController();
  const left = failure(bound.passcodes.next({ to: ADA, after: 0, appId: "demo-app", signal: own.signal }));
  own.abort(new Error("left"));
  expect(await left).toHaveProperty("message", "left");
  stop.abort(new Error("stopped"));
  expect(await failure(bound.apps.list())).toHaveProperty("message", "stopped");
});

test("many profiles are deleted at once; unknown ids are left out", async () => {
  const { items } = await client.profiles.list({ appId: "demo-app", limit: 2 });
  const ids = items.map(({ userId }) => userId);
  expect(await client.profiles.deleteMany("demo-app", [...ids, crypto.randomUUID()])).toEqual({ deleted: 2 });
  expect(await failure(client.profiles.get(ids[0] ?? "", { appId: "demo-app" }))).toMatchObject({ status: 404 });
});

describe("passcodes.next", () => {
  test("gives the code that is asked for afterwards, and no older one", async () => {
    await askForCode();
    const { code: stale, seq } = await client.passcodes.latest({ to: ADA });
    const next = client.passcodes.next({ to: ADA });
    // A user takes longer than this.
    await client.status();
    await client.status();
    await askForCode();
    const fresh = await next;
    expect(fresh).toMatchObject({ to: ADA, status: "active" });
    expect(fresh.seq).toBeGreaterThan(seq);
    expect(fresh.code === stale && fresh.seq === seq).toBe(false);
    const signedIn = await session("PUT", { appId: "demo-app", user: { phone: ADA }, passcode: fresh.code });
    expect(signedIn.status).toBe(200);
  });

  test("an old code is not enough: it times out and says so", async () => {
    await askForCode();
    const error = await failure(client.passcodes.next({ to: ADA, timeoutMs: 150 }));
    expect(error).toMatchObject({ status: 404, reason: "no_passcode", message: expect.stringContaining(ADA) });
  });

  test("with a cursor, and sentBy, fifty codes at full speed are each the right one", async () => {
    for (let i = 0; i < 25; i++) {
      const after = await client.passcodes.cursor();
      await askForCode();
      const { requestId, seq } = await client.passcodes.next({ to: ADA, after, timeoutMs: 2_000 });
      const { items } = await client.passcodes.list({ to: ADA, limit: 1 });
      expect(items[0]).toMatchObject({ seq, requestId });
    }
    for (let i = 0; i < 25; i++) {
      const { seq } = await client.passcodes.sentBy(() => askForCode(), { to: ADA, timeoutMs: 2_000 });
      expect((await client.passcodes.list({ to: ADA, limit: 1 })).items[0]?.seq).toBe(seq);
    }
  });

  test("only of its app; ends with its signal; a wait that nobody awaits is no unhandled rejection", async () => {
    const { appId } = await client.apps.create();
    await client.profiles.create({ appId, phone: ADA });
    const own = client.passcodes.next({ to: ADA, appId, timeoutMs: 5_000 });
    await client.status();
    await askForCode();
    await askForCode(ADA, appId);
    expect((await own).appId).toBe(appId);
    const ended = new AbortController();
    const waiting = client.passcodes.next({ to: "+12025550199", signal: ended.signal });
    ended.abort(new Error("enough"));
    expect(await failure(waiting)).toMatchObject({ message: "enough" });
    void client.passcodes.next({ to: "+12025550199", timeoutMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 50));
  });

  test("list, send, expire and clear", async () => {
    const ada = (await client.profiles.list({ appId: "demo-app", q: ADA })).items[0];
    const sent = await client.passcodes.send({ appId: "demo-app", userId: ada?.userId ?? "" });
    expect(await client.passcodes.get(sent.id)).toEqual(sent);
    expect((await client.passcodes.expire(sent.id)).status).toBe("expired");
    expect((await client.passcodes.list({ to: ADA, status: "expired" })).total).toBe(1);
    await client.passcodes.clear({ appId: "demo-app" });
    expect((await client.passcodes.list()).total).toBe(0);
  });
});

describe("what else there is", () => {
  test("apps, profiles, sessions, connections, from their making to their end", async () => {
    const app = await client.apps.create({ strategy: "email", settings: { passcode: { length: 4 } } });
    const { appId } = app;
    expect((await client.apps.get(appId)).secret).toBe(app.secret);
    expect((await client.apps.renewSecret(appId)).secret).not.toBe(app.secret);
    expect((await client.apps.update(appId, { settings: { signUp: "closed" } })).settings).toEqual({
      passcode: { length: 4 },
      signUp: "closed",
    });
    expect((await client.apps.list()).items.map((one) => one.appId)).toContain(appId);

    const profile = await client.profiles.create({
      appId,
      email: "a@example.com",
      metadata: { favorite_color: "red" },
    });
    const { userId } = profile;
    expect(await client.profiles.get(userId, { appId })).toEqual(profile);
    expect((await client.profiles.update(userId, { name: "A" }, { appId })).name).toBe("A");
    expect((await client.profiles.list({ appId })).total).toBe(1);

    const { token, id } = await client.sessions.create({ appId, userId, ttlSeconds: 60 });
    expect((await client.sessions.get(id)).state).toBe("active");
    expect(await client.sessions.introspect(token)).toMatchObject({ active: true, sub: userId });
    expect((await client.sessions.token(id)).split(".")).toHaveLength(3);
    expect((await client.sessions.list({ appId })).total).toBe(1);
    await client.sessions.revoke(id);
    expect(await client.sessions.introspect(token)).toEqual({ active: false });
    const second = await client.sessions.create({ appId, userId });
    expect((await client.sessions.expire(second.id)).state).toBe("expired");
    await client.sessions.revokeAll({ appId });

    const connection = await client.connections.create({ appId, userId, name: "Bank" });
    expect(await client.connections.get(connection.id)).toEqual(connection);
    expect((await client.connections.update(connection.id, { status: "disabled" })).disabledAt).not.toBeNull();
    expect((await client.connections.list({ appId })).total).toBe(1);
    await client.connections.delete(connection.id);

    await client.profiles.delete(userId, { appId });
    expect(await failure(client.profiles.get(userId, { appId }))).toMatchObject({ status: 404 });
    await client.apps.delete(appId);
    expect(await failure(client.apps.get(appId))).toMatchObject({ status: 404 });
  });

  test("the clock of all, and of one app", async () => {
    await askForCode();
    await client.clock.advance(660, { appId: "demo-app" });
    const { code } = await client.passcodes.latest({ to: ADA, status: "any" });
    const late = await session("PUT", { appId: "demo-app", user: { phone: ADA }, passcode: code });
    expect(late.headers.get("Emulator-Reason")).toBe("passcode_expired");
    expect((await client.clock.read()).offsetSeconds).toBe(0);
    const frozen = await client.clock.freeze();
    expect((await client.clock.read()).now).toBe(frozen.frozenAt);
    expect((await client.clock.freeze("2030-01-01T00:00:00.000Z")).now).toBe("2030-01-01T00:00:00.000Z");
    expect((await client.clock.set({ offsetSeconds: 5 })).offsetSeconds).toBe(5);
    expect((await client.clock.reset()).offsetSeconds).toBe(0);
  });

  test("faults: the next one, then it recovers", async () => {
    const fault = await client.faults.add({ match: { to: ADA }, effect: { status: 503 }, times: 1 });
    expect((await session("POST", { appId: "demo-app", user: { phone: ADA } })).status).toBe(503);
    await askForCode();
    expect(await client.faults.get(fault.id)).toMatchObject({ used: 1, remaining: 0 });
    expect((await client.faults.list()).total).toBe(1);
    await client.faults.remove(fault.id);
    await client.faults.clear();
    expect((await client.faults.list()).total).toBe(0);
  });

  test("snapshots of one app: save, diff, restore, forget", async () => {
    const of = { appId: "demo-app" };
    expect(await client.snapshots.save("before", of)).toMatchObject({ name: "before", appId: "demo-app" });
    await askForCode();
    expect((await client.snapshots.diff("before", { ...of, limit: 10 })).added.passcodes).toHaveLength(1);
    expect((await client.snapshots.restore("before", of)).changes).toBeGreaterThan(0);
    expect((await client.passcodes.list({ to: ADA })).total).toBe(0);
    expect((await client.snapshots.list(of)).total).toBe(1);
    await client.snapshots.delete("before", of);
    expect((await client.snapshots.list(of)).total).toBe(0);
  });

  test("requests and state", async () => {
    await askForCode();
    const { items } = await client.requests.list({ listener: "auth", limit: 1 });
    expect(items[0]).toMatchObject({ method: "POST", status: 202, appId: "demo-app" });
    expect(await client.requests.get(items[0]?.id ?? "")).toEqual(items[0]);
    const command = await client.requests.curl(items[0]?.id ?? "");
    expect(command).toMatch(/^curl .*\/v1\/users\/session/s);
    const again = await client.requests.replay(items[0]?.id ?? "");
    expect(again.status).toBe(202);
    expect((await client.requests.get(again.requestId ?? "")).status).toBe(202);
    await client.requests.clear();
    const world = await client.state.export({ appId: "demo-app" });
    expect(world.apps).toHaveLength(1);
    expect((await client.state.export({ volatile: true })).clock).toBeDefined();
    expect(await client.state.import(world, { dryRun: true, appId: "demo-app" })).toMatchObject({ apps: 1 });
    await client.state.import({ version: 1, apps: [{ appId: "mine" }] });
    await client.state.import({ version: 1, apps: [{ appId: "other" }] }, { mode: "replace" });
    expect((await client.apps.list()).items.map(({ appId }) => appId)).toEqual(["other"]);
  });
});

describe("events", () => {
  test("come as things change, typed, of one app; the signal ends them", async () => {
    const { appId } = await client.apps.create();
    await client.profiles.create({ appId, phone: ADA });
    const stop = new AbortController();
    const codes: string[] = [];
    const onOpen = (): void => void askForCode().then(() => askForCode(ADA, appId));
    for await (const event of client.events({ signal: stop.signal, appId, onOpen })) {
      if (event.type !== "passcode.put") continue;
      expect(event.item.appId).toBe(appId);
      codes.push(event.item.code);
      stop.abort();
    }
    expect(codes).toEqual([(await client.passcodes.latest({ to: ADA, appId })).code]);
  });

  test("leaving the loop closes the connection; what cannot be opened throws", async () => {
    for await (const event of client.events({ onOpen: () => void askForCode() })) {
      expect(event.seq).toBeGreaterThan(0);
      break;
    }
    const first = connect("http://127.0.0.1:1").events().next();
    expect(await failure(first)).toMatchObject({ reason: "unreachable" });
  });

  test("go on when the server has gone and come back", async () => {
    const once = await startInProcess();
    const port = Number(new URL(once.urls.console).port);
    let back: RunningServer | undefined;
    const breaks: unknown[] = [];
    const opened: number[] = [];
    const events = connect(once.urls.console).events({
      onOpen: () => {
        opened.push(1);
        if (opened.length === 1)
          void once.close().then(async () => (back = await startInProcess({ config: { consolePort: port } })));
      },
      onBreak: (error) => breaks.push(error),
    });
    const { value } = await events.next();
    expect(value).toMatchObject({ type: "resync", item: null });
    expect(opened).toHaveLength(2);
    expect(breaks.length).toBeGreaterThan(0);
    await events.return();
    await back?.close();
  });
});

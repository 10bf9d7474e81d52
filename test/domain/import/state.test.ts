import { describe, expect, test } from "vitest";
import { harness, NOBODY } from "#test/http/control/support.ts";

const { control, admin, auth, as, app } = harness();
const state = async (query = "") => (await control("GET", `/state${query}`)).json;
const put = (mode: "merge" | "replace", sent: unknown, query = "") =>
  control("PUT", `/state${query}`, { mode, state: sent });
const world = (...apps: object[]) => ({ version: 1, apps });

describe("GET state", () => {
  test("exports what belongs in git: apps with profiles and connections, without keys and volatile parts", async () => {
    const { appId, profile, ask, secret } = await app({ settings: { passcode: { length: 4 } } });
    const { userId, phone } = await profile({ testPasscode: "1234", metadata: { aB: [1] } });
    await ask(phone);
    await control("POST", "/sessions", { appId, userId });
    const { id } = (await control("POST", "/connections", { appId, userId, name: "Bank" })).json;
    const { version, apps, ...rest } = await state();
    expect([version, rest]).toEqual([1, {}]);
    const own = apps.find((entry: { appId: string }) => entry.appId === appId);
    expect(own).toMatchObject({ appId, secret, strategy: "phone", settings: { passcode: { length: 4 } } });
    expect(own.profiles).toMatchObject([{ userId, phone, testPasscode: "1234", metadata: { aB: [1] } }]);
    expect(own.connections).toMatchObject([{ id, userId, name: "Bank", status: "connected" }]);
    for (const noun of ["passcodes", "sessions", "clock"]) expect(own).not.toHaveProperty(noun);
    expect(JSON.stringify(apps)).not.toMatch(/"(d|kty|crv)":/);
  });

  test("?appId= exports one app; ?volatile=1 adds passcodes, sessions and the clock", async () => {
    const { appId, profile, ask } = await app();
    const { userId, phone } = await profile();
    await ask(phone);
    await control("POST", "/sessions", { appId, userId });
    const { apps, clock } = await state(`?appId=${appId}&volatile=1`);
    expect(apps).toHaveLength(1);
    expect(apps[0].passcodes).toMatchObject([{ userId, to: phone }]);
    expect(apps[0].sessions).toMatchObject([{ userId }]);
    expect(clock).toBeDefined();
    expect(JSON.stringify(apps)).not.toMatch(/"(d|kty|crv)":/);
    expect((await control("GET", "/state?appId=none")).status).toBe(404);
    expect((await control("GET", "/state?volatile=maybe")).status).toBe(422);
  });
});

describe("PUT state replaces", () => {
  test("everything: an export imported again is identical and works, volatile parts included", async () => {
    const [one, two] = [await app(), await app({ strategy: "email" })];
    const ann = await one.profile({ name: "Ann" });
    const { userId } = (await control("POST", "/profiles", { appId: two.appId, email: "ann@example.com" })).json;
    await one.ask(ann.phone);
    await control("POST", "/passcodes", { appId: two.appId, userId });
    await one.ask(ann.phone);
    const { token } = (await control("POST", "/sessions", { appId: two.appId, userId })).json;
    await control("POST", "/connections", { appId: one.appId, userId: ann.userId, name: "Bank" });
    await control("PUT", `/clock?appId=${two.appId}`, { offsetSeconds: 60 });
    const [plain, whole] = [await state(), await state("?volatile=1")];
    const order = async () => (await control("GET", "/passcodes")).json.items.map((item: { id: string }) => item.id);
    const before = await order();

    await one.profile();
    await app();
    const done = await put("replace", whole);
    expect(done.status).toBe(200);
    const { apps, profiles, passcodes, sessions, connections } = (await control("GET", "/status")).json.counts;
    expect(done.json).toEqual({ apps, profiles, passcodes, sessions, connections });
    expect(await state("?volatile=1")).toEqual(whole);
    expect(await state()).toEqual(plain);
    expect(await order()).toEqual(before);

    expect((await control("POST", "/sessions/introspect", { token })).json.active).toBe(true);
    const { code } = (await control("GET", `/passcodes/latest?to=${ann.phone}&appId=${one.appId}`)).json;
    const login = { appId: one.appId, user: { phone: ann.phone }, passcode: code };
    expect((await auth("PUT", "/v1/users/session", login)).status).toBe(200);
  });

  test("without volatile parts, and so removes all passcodes and sessions", async () => {
    const { appId, profile, ask } = await app();
    await ask((await profile()).phone);
    expect((await put("replace", await state())).status).toBe(200);
    expect((await control("GET", `/apps/${appId}`)).json.counts).toMatchObject({ profiles: 1, passcodes: 0 });
  });

  test("a single app with ?appId=, and keeps the other apps and their order", async () => {
    const [one, two] = [await app(), await app()];
    const ann = await one.profile({ name: "Ann" });
    await two.profile({ name: "Bob" });
    const whole = await state();
    await control("PATCH", `/profiles/${ann.userId}`, { name: "Changed" });
    await one.profile();
    const { phone } = await two.profile({ name: "New" });
    // Given the whole export, it imports only this app.
    const done = await put("replace", whole, `?appId=${one.appId}`);
    expect([done.status, done.json]).toEqual([
      200,
      { apps: 1, profiles: 1, passcodes: 0, sessions: 0, connections: 0 },
    ]);
    const after = await state();
    expect(after.apps.map((entry: { appId: string }) => entry.appId)).toEqual(
      whole.apps.map((entry: { appId: string }) => entry.appId),
    );
    expect((await state(`?appId=${one.appId}`)).apps[0].profiles).toMatchObject([{ name: "Ann" }]);
    expect((await state(`?appId=${two.appId}`)).apps[0].profiles).toMatchObject([{ name: "Bob" }, { phone }]);
    const missing = await put("replace", world({ appId: two.appId }), `?appId=${one.appId}`);
    expect([missing.status, Object.keys(missing.json)]).toEqual([422, ["apps"]]);
  });
});

describe("PUT state merges", () => {
  test("profiles by userId, else by username; adds the others and removes nothing", async () => {
    const { appId, profile } = await app({ name: "Shop" });
    const [ann, bob, kept] = [await profile({ name: "Ann", metadata: { a: 1 } }), await profile(), await profile()];
    const sent = world({
      appId,
      profiles: [
        { userId: ann.userId, metadata: { b: 2 } },
        { phone: bob.phone, name: "Bob" },
        { phone: "+13035550000", name: "New" },
      ],
    });
    const done = await put("merge", sent);
    expect([done.status, done.json.profiles]).toEqual([200, 3]);
    const { items } = (await control("GET", `/profiles?appId=${appId}`)).json;
    expect(items).toMatchObject([
      { userId: ann.userId, name: "Ann", phone: ann.phone, metadata: { a: 1, b: 2 } },
      { userId: bob.userId, name: "Bob" },
      { userId: kept.userId },
      { name: "New", phone: "+13035550000" },
    ]);
    expect((await control("GET", `/apps/${appId}`)).json.name).toBe("Shop");
  });

  test("a profile with an unknown userId by its username, with everything that refers to it", async () => {
    const { appId, profile } = await app();
    const ann = await profile({ name: "Ann" });
    const sent = world({
      appId,
      profiles: [{ userId: NOBODY, phone: ann.phone, email: "ann@example.com" }],
      connections: [{ userId: NOBODY, name: "Bank" }],
    });
    expect((await put("merge", sent)).status).toBe(200);
    expect((await control("GET", `/profiles?appId=${appId}`)).json.items).toMatchObject([
      { userId: ann.userId, name: "Ann", email: "ann@example.com" },
    ]);
    const links = (await control("GET", `/connections?appId=${appId}`)).json.items;
    expect(links).toMatchObject([{ userId: ann.userId, name: "Bank", managed: true }]);
  });

  test("profiles whose usernames change places within the import", async () => {
    const { appId, profile } = await app();
    const [a, b] = [await profile(), await profile()];
    const swap = [
      { userId: a.userId, phone: b.phone },
      { userId: b.userId, phone: a.phone },
    ];
    expect((await put("merge", world({ appId, profiles: swap }))).status).toBe(200);
    expect((await control("GET", `/profiles/${a.userId}`)).json.phone).toBe(b.phone);
    const handOver = [
      { userId: a.userId, phone: "+13035551111" },
      { phone: b.phone, name: "takes it over" },
    ];
    expect((await put("merge", world({ appId, profiles: handOver }))).status).toBe(200);
    expect((await control("GET", `/profiles?appId=${appId}`)).json.total).toBe(3);
  });

  test("apps that swap secrets, or reuse the secret of an app that the import removes", async () => {
    const [one, two] = [await app(), await app()];
    const swap = world({ appId: one.appId, secret: two.secret }, { appId: two.appId, secret: one.secret });
    expect((await put("merge", swap)).status).toBe(200);
    await control("POST", "/profiles", { appId: one.appId, name: "of one" });
    expect((await as(two.secret)("GET", "/v1/profiles")).json).toMatchObject([{ name: "of one" }]);
    expect((await as(one.secret)("GET", "/v1/profiles")).json).toEqual([]);
    const { apps } = await state();
    const without = apps.filter((entry: { appId: string }) => entry.appId !== one.appId);
    const taken = [...without, { appId: "takes-over", secret: two.secret }];
    expect((await put("replace", world(...taken))).status).toBe(200);
    expect((await as(two.secret)("GET", "/v1/profiles")).json).toEqual([]);
    expect((await as(one.secret)("GET", "/v1/profiles")).status).toBe(200);
  });

  test("a new app, generating ids, secret and times", async () => {
    const done = await put("merge", world({ appId: "merged-in", profiles: [{ name: "Only a name" }] }));
    expect(done.status).toBe(200);
    const made = (await control("GET", "/apps/merged-in")).json;
    expect((await as(made.secret)("GET", "/v1/profiles")).json).toMatchObject([{ name: "Only a name", phone: null }]);
  });

  test("an app with a new strategy, and applies its usernames", async () => {
    const { appId, profile } = await app();
    const ann = await profile({ email: "ann@example.com" });
    const bob = await profile({ email: "bob@example.com" });
    const found = await put(
      "merge",
      world({ appId, strategy: "email", profiles: [{ email: "ANN@example.com", name: "Ann" }] }),
    );
    expect(found.status).toBe(200);
    expect((await control("GET", `/profiles/${ann.userId}`)).json.name).toBe("Ann");
    const clash = world({ appId, strategy: "phone", profiles: [{ userId: ann.userId, phone: bob.phone }] });
    const refused = await put("merge", clash);
    expect([refused.status, Object.keys(refused.json)]).toEqual([422, ["apps[0].profiles[0].phone"]]);
  });

  test("nothing with dryRun=1, which only validates and counts", async () => {
    const before = await state("?volatile=1");
    const { seq } = (await control("GET", "/status")).json;
    const dry = await put("replace", world({ appId: "dry", profiles: [{}] }), "?dryRun=1");
    expect([dry.status, dry.json.profiles]).toEqual([200, 1]);
    const bad = await put("replace", world({ appId: "dry", profiles: [{ phone: "1" }] }), "?dryRun=1");
    expect([bad.status, Object.keys(bad.json)]).toEqual([422, ["apps[0].profiles[0].phone"]]);
    expect(await state("?volatile=1")).toEqual(before);
    expect((await control("GET", "/status")).json.seq).toBe(seq);
  });
});

test("accepts a 16 MB state and returns 413 above 64 MiB", { timeout: 30_000 }, async () => {
  const { appId } = await app();
  const metadata = { text: "x".repeat(16_000) };
  const profiles = Array.from({ length: 1_000 }, () => ({ metadata }));
  expect((await put("merge", world({ appId, profiles }))).status).toBe(200);
  expect((await control("GET", `/apps/${appId}`)).json.counts.profiles).toBe(1_000);
  const large = `{"mode":"merge","state":{"version":1,"apps":[]}}${" ".repeat(67_108_864)}`;
  expect((await control("PUT", "/state", large)).status).toBe(413);
  await control("DELETE", `/apps/${appId}`);
  expect((await admin("GET", "/v1/profiles")).status).toBe(200);
});

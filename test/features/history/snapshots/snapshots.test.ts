import { describe, expect, test } from "vitest";
import { LOGIN, snapshotCalls } from "#test/http/control/snapshot-calls.ts";
import { freshPhone, handClock, harness, ISO, until } from "#test/http/control/support.ts";
import { openEvents } from "#test/http/events/event-stream.ts";

const at = harness({ now: handClock().now });
const { control, auth, app, as } = at;
const { state, save, restore, remove, login } = snapshotCalls(at);

describe("a snapshot", () => {
  test("can be created, listed, overwritten and removed", async () => {
    const { appId, profile } = await app();
    await profile();
    const made = await save("first", appId);
    const item = {
      name: "first",
      appId,
      seq: (await control("GET", "/status")).json.seq,
      createdAt: expect.stringMatching(ISO),
      counts: { apps: 1, profiles: 1, passcodes: 0, sessions: 0, connections: 0 },
      // Nothing is stored with durability `memory`.
      stored: false,
    };
    expect([made.status, made.json]).toEqual([201, item]);
    expect((await control("GET", `/snapshots?appId=${appId}`)).json).toEqual({ items: [item], total: 1 });
    expect((await control("GET", "/snapshots")).json).toEqual({ items: [], total: 0 });
    await profile();
    const again = await save("first", appId);
    expect([again.status, again.json.counts.profiles]).toEqual([200, 2]);
    expect((await control("GET", `/snapshots?appId=${appId}`)).json.total).toBe(1);
    expect((await remove("first", appId)).status).toBe(204);
    expect((await remove("first", appId)).reason).toBe("unknown_record");
    expect((await restore("first", appId)).reason).toBe("unknown_record");
  });

  test.each([["-x"], ["a b"], ["x".repeat(65)], ["..%2Fx"], ["%C3%A4"]])("rejects a name like %s", async (name) => {
    const refused = await save(name);
    expect([refused.status, Object.keys(refused.json)]).toEqual([422, ["name"]]);
  });

  test("returns 404 for an unknown app", async () => {
    expect((await save("x", "no-such-app")).status).toBe(404);
    expect((await restore("x", "no-such-app")).status).toBe(404);
    await save("all");
    expect((await restore("all", "no-such-app")).status).toBe(404);
    await remove("all");
  });

  test("is limited to 100", async () => {
    for (let i = 0; i < 100; i++) expect((await save(`n${i}`)).status).toBe(201);
    expect((await save("one-more")).reason).toBe("too_many_snapshots");
    expect((await save("n7")).status).toBe(200);
    for (let i = 0; i < 100; i++) await remove(`n${i}`);
  });
});

describe("restore", () => {
  test("brings back everything: profiles, codes, sessions, connections, clocks, settings, in their order", async () => {
    const { appId, admin, profile } = await app();
    const [ann, bob, cy] = [await profile({ name: "Ann" }), await profile({ name: "Bob" }), await profile()];
    await control("POST", "/connections", { appId, userId: bob.userId, name: "bank" });
    await login(appId, ann.phone);
    await auth("POST", LOGIN, { appId, user: { phone: cy.phone } });
    const before = await state();
    await save("full");
    expect((await restore("full")).json).toMatchObject({ name: "full", changes: 0 });

    await admin("DELETE", `/v1/profiles/${bob.userId}`);
    await admin("PUT", `/v1/profiles/${ann.userId}`, { phone: bob.phone, metadata: { a: 1 } });
    await profile({ phone: ann.phone });
    await login(appId, cy.phone);
    await control("DELETE", `/sessions?appId=${appId}`);
    await control("PATCH", `/apps/${appId}`, { name: "Other", settings: { signUp: "closed" } });
    await control("PUT", `/clock?appId=${appId}`, { frozenAt: "2030-01-01T00:00:00.000Z" });
    await control("POST", "/clock/advance", { seconds: 60 });
    const other = await app();
    await other.profile();
    expect(await state()).not.toBe(before);

    const restored = await restore("full");
    expect([restored.status, restored.json.name]).toEqual([200, "full"]);
    expect(restored.json.changes).toBeGreaterThan(5);
    expect(await state()).toBe(before);
    const listed = (await admin("GET", "/v1/profiles")).json.map(({ userId }: { userId: string }) => userId);
    expect(listed).toEqual([ann.userId, bob.userId, cy.userId]);
    // The look-ups are restored too: by username and by id.
    expect((await auth("POST", LOGIN, { appId, user: { phone: bob.phone } })).status).toBe(202);
    expect((await admin("GET", `/v1/profiles/${bob.userId}`)).json.name).toBe("Bob");
    expect((await as(other.secret)("GET", "/v1/profiles")).status).toBe(401);
    await remove("full");
  });

  test("can be repeated, and undone with another snapshot", async () => {
    const { appId, profile } = await app();
    await save("a", appId);
    const empty = await state(appId);
    await profile();
    await save("b", appId);
    const one = await state(appId);
    await profile();
    for (const [name, text] of [
      ["a", empty],
      ["b", one],
      ["a", empty],
      ["a", empty],
      ["b", one],
    ] as const) {
      expect((await restore(name, appId)).status).toBe(200);
      expect(await state(appId)).toBe(text);
    }
    await remove("a", appId);
    await profile();
    await restore("b", appId);
    expect(await state(appId)).toBe(one);
  });

  test("brings back an app that was deleted, replaced or reset, in its position", async () => {
    const [one, two, three] = [await app(), await app({ strategy: "email" }), await app()];
    const { phone } = await one.profile();
    await login(one.appId, phone);
    await two.profile({ email: "ann@example.com" });
    await two.profile({ email: "bob@example.com" });
    await three.profile();
    const before = await state();
    const ids = async () => (await control("GET", "/apps")).json.items.map((item: { appId: string }) => item.appId);
    const order = await ids();
    await save("apps");
    await two.admin("POST", "/v1/profiles", { email: "cy@example.com" });
    await control("DELETE", `/apps/${one.appId}`);
    await control("POST", "/apps", { appId: one.appId, secret: two.secret.concat("x"), strategy: "email" });
    await control("DELETE", `/apps/${two.appId}`);
    await control("DELETE", `/state?appId=${three.appId}`);
    expect((await restore("apps")).status).toBe(200);
    expect([await state(), await ids()]).toEqual([before, order]);
    await control("DELETE", "/state");
    expect((await restore("apps")).status).toBe(200);
    expect([await state(), await ids()]).toEqual([before, order]);
    await remove("apps");
  });

  test("reverts a change of strategy, and its usernames", async () => {
    const { appId, profile } = await app();
    const ann = await profile({ email: "a@example.com" });
    const bob = await profile({ email: "b@example.com" });
    await save("phones", appId);
    await control("PATCH", `/apps/${appId}`, { strategy: "email" });
    // Under the other strategy two profiles can share a phone.
    await control("PATCH", `/profiles/${bob.userId}?appId=${appId}`, { phone: ann.phone });
    await restore("phones", appId);
    for (const { phone } of [ann, bob])
      expect((await auth("POST", LOGIN, { appId, user: { phone } })).status).toBe(202);
    const sent = (await control("GET", `/passcodes?appId=${appId}`)).json.items;
    expect(sent.map(({ userId }: { userId: string }) => userId)).toEqual([bob.userId, ann.userId]);
  });
});

describe("a snapshot survives", () => {
  const file = async (appId: string) => (await control("GET", `/state?appId=${appId}`)).json;

  test("a reset of its app and of all, and can still be restored", async () => {
    const { appId, profile } = await app();
    await profile();
    await save("own", appId);
    await save("all");
    const before = await state(appId);
    await control("DELETE", `/state?appId=${appId}`);
    expect((await restore("own", appId)).status).toBe(200);
    expect(await state(appId)).toBe(before);
    // A reset of all deletes an app without a fixture, and its snapshots with it.
    await control("DELETE", "/state");
    expect((await restore("own", appId)).status).toBe(404);
    expect((await restore("all", appId)).status).toBe(200);
    expect(await state(appId)).toBe(before);
    await remove("all");
  });

  test("an import that replaces its app, or every other app", async () => {
    const { appId, profile } = await app();
    const { userId } = await profile({ name: "Then" });
    await save("own", appId);
    await save("all");
    const before = await state(appId);
    const world = await file(appId);
    world.apps[0].profiles = [{ phone: freshPhone(), name: "New" }];
    const replaced = await control("PUT", `/state?appId=${appId}`, { mode: "replace", state: world });
    expect(replaced.status).toBe(200);
    expect((await control("GET", `/profiles/${userId}?appId=${appId}`)).status).toBe(404);
    expect((await restore("own", appId)).status).toBe(200);
    expect(await state(appId)).toBe(before);
    const other = { version: 1, apps: [{ appId: "only-one", secret: `sk_${appId}`, profiles: [] }] };
    expect((await control("PUT", "/state", { mode: "replace", state: other })).status).toBe(200);
    expect((await control("GET", `/apps/${appId}`)).status).toBe(404);
    expect((await restore("all")).status).toBe(200);
    expect(await state(appId)).toBe(before);
    expect((await control("GET", "/apps/only-one")).status).toBe(404);
    await remove("all");
  });

  test("a new secret: after a restore the old secret works and the new one does not", async () => {
    const { appId, admin, profile } = await app();
    await profile();
    await save("own", appId);
    const { secret } = (await control("POST", `/apps/${appId}/secret`)).json;
    expect((await admin("GET", "/v1/profiles")).status).toBe(401);
    expect((await restore("own", appId)).json.changes).toBe(1);
    expect((await admin("GET", "/v1/profiles")).json).toHaveLength(1);
    expect((await as(secret)("GET", "/v1/profiles")).status).toBe(401);
  });
});

test("events report snapshots that are saved, overwritten, deleted, and removed with their app", async () => {
  const stream = await openEvents(at.server.urls.console);
  const { appId } = await app();
  const heard = () =>
    stream.events
      .filter(({ type, item }) => type.startsWith("snapshot.") && item?.name?.startsWith("told"))
      .map(({ type, appId: of, item }) => ({ type, appId: of, item }));
  const first = (await save("told", appId)).json;
  const again = (await save("told", appId)).json;
  const all = (await save("told-all")).json;
  await remove("told-all");
  await control("DELETE", `/apps/${appId}`);
  await until(heard, (events) => events.length >= 5);
  expect(heard()).toEqual([
    { type: "snapshot.put", appId, item: first },
    { type: "snapshot.put", appId, item: again },
    { type: "snapshot.put", appId: null, item: all },
    { type: "snapshot.remove", appId: null, item: { name: "told-all" } },
    { type: "snapshot.remove", appId, item: { name: "told" } },
  ]);
  stream.close();
});

/** The list of faults: adding, reading, removing, events, limits (docs/faults.md). */
import { describe, expect, test } from "vitest";
import { harness, NOBODY, until } from "#test/http/control/support.ts";
import { openEvents } from "#test/http/events/event-stream.ts";
import { faultCalls } from "./fault-calls.ts";

const running = harness();
const { control, app } = running;
const { set, fault } = faultCalls(running);

describe("the list", () => {
  test("lists in order, for all apps or one; reads, removes one, clears", async () => {
    const [one, two] = [await app(), await app()];
    const ids = [await set({ drop: true }, { appId: one.appId }), await set({ drop: true }, { appId: two.appId })];
    expect((await control("GET", `/faults?appId=${one.appId}`)).json).toMatchObject({
      items: [{ id: ids[0] }],
      total: 1,
    });
    const all = (await control("GET", "/faults")).json.items.map(({ id }: { id: string }) => id);
    expect(all.slice(-2)).toEqual(ids);
    expect((await control("DELETE", `/faults/${ids[0]}`)).status).toBe(204);
    expect((await control("DELETE", `/faults/${ids[0]}`)).status).toBe(404);
    expect((await control("GET", `/faults/${ids[0]}`)).status).toBe(404);
    expect((await control("GET", `/faults/${NOBODY}`)).reason).toBe("unknown_record");
    expect((await control("DELETE", `/faults?appId=${one.appId}`)).status).toBe(204);
    expect((await fault(ids[1] ?? "")).id).toBe(ids[1]);
    expect((await control("DELETE", "/faults")).status).toBe(204);
    expect((await control("GET", "/faults")).json).toEqual({ items: [], total: 0 });
  });

  test("deleting an app removes its faults; so does its reset, and a reset of all removes all", async () => {
    const [one, two, three] = [await app(), await app(), await app()];
    await set({ drop: true }, { appId: one.appId });
    await set({ drop: true }, { appId: two.appId });
    const kept = await set({ drop: true }, { appId: three.appId });
    await control("DELETE", `/apps/${one.appId}`);
    await control("DELETE", `/state?appId=${two.appId}`);
    const left = (await control("GET", "/faults")).json.items;
    expect(left.map(({ id }: { id: string }) => id)).toEqual([kept]);
    await control("DELETE", "/state");
    expect((await control("GET", "/faults")).json.total).toBe(0);
  });

  test("events report every fault: added, used, removed", async () => {
    const { appId, admin } = await app();
    const stream = await openEvents(running.server.urls.console);
    const id = await set({ status: 500 }, { appId }, 1);
    await admin("GET", "/v1/profiles");
    await control("DELETE", `/faults/${id}`);
    await until(
      () => stream.events.filter(({ type }) => type.startsWith("fault.")),
      (events) => events.length === 3,
    );
    const events = stream.events.filter(({ type }) => type.startsWith("fault."));
    expect(events).toMatchObject([
      { type: "fault.put", appId, item: { id, used: 0, remaining: 1 } },
      { type: "fault.put", appId, item: { id, used: 1, remaining: 0 } },
      { type: "fault.remove", appId, item: { id } },
    ]);
    stream.close();
  });

  test.each([
    [{}, "effect"],
    [{ effect: {} }, "effect"],
    [{ effect: { drop: true, status: 500 } }, "effect.drop"],
    [{ effect: { body: {}, delayMs: 1 } }, "effect.body"],
    [{ effect: { status: 199 } }, "effect.status"],
    [{ effect: { delayMs: 60_001 } }, "effect.delayMs"],
    [{ effect: { drop: false } }, "effect.drop"],
    [{ effect: { reason: "bad_host" } }, "effect.reason"],
    [{ effect: { drop: true }, times: 0 }, "times"],
    [{ effect: { drop: true }, match: { path: "v1" } }, "match.path"],
    [{ effect: { drop: true }, match: { path: "/v1/*/x" } }, "match.path"],
    [{ effect: { drop: true }, match: { to: "12" } }, "match.to"],
    [{ effect: { drop: true }, match: { listener: "console" } }, "match.listener"],
    [{ effect: { undelivered: true }, match: { listener: "admin" } }, "effect.undelivered"],
    [{ effect: { drop: true }, match: { listener: "admin", to: "+12025550100" } }, "match.to"],
    [{ effect: { drop: true }, mach: {} }, "mach"],
  ])("%j is rejected at %s", async (body, field) => {
    const refused = await control("POST", "/faults", body);
    expect([refused.status, Object.keys(refused.json)]).toEqual([422, [field]]);
  });

  test.each([
    ["/v1/user/session", {}, "/v1/users/session"],
    ["/v1/users/sesion/", { listener: "auth" }, "/v1/users/session"],
    ["/v1/profile", {}, "/v1/profiles"],
    ["/v1/profile/7", {}, "/v1/profiles/7"],
    ["/v1/profil/*", {}, "/v1/profiles/*"],
    ["/v2/users*", {}, "/v1/users*"],
  ])("a misspelt path %s is rejected, with the nearest one", async (path, match, meant) => {
    const refused = await control("POST", "/faults", { effect: { drop: true }, match: { ...match, path } });
    const error = `is not a path of the API; did you mean "${meant}"?`;
    expect([refused.status, refused.json]).toEqual([422, { "match.path": [error] }]);
  });

  test.each([
    "/",
    "/*",
    "/v1*",
    "/v1/*",
    "/v1/profiles",
    "/v1/profiles/",
    "/v1/profiles*",
    "/v1/profiles/*",
    "/v1/profiles/7",
    "/v1/profiles/7*",
    "/v1/users/ses*",
    "/v1/users/session",
    "/.well-known/*",
    "/nowhere",
    "/v1/users/session/more",
    `/v1/${"x".repeat(500)}`,
  ])("the path %s is taken", async (path) => {
    const { appId } = await app();
    await set({ drop: true }, { appId, path });
  });

  const twentyOne = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`X-${i}`, "1"]));
  test.each([
    [{ "Content-Length": "1" }, "Content-Length cannot be set by a fault"],
    [{ "transfer-encoding": "chunked" }, "transfer-encoding cannot be set by a fault"],
    [{ Connection: "close" }, "Connection cannot be set by a fault"],
    [{ "Keep-Alive": "timeout=5" }, "Keep-Alive cannot be set by a fault"],
    [{ Upgrade: "h2c" }, "Upgrade cannot be set by a fault"],
    [{ TE: "trailers" }, "TE cannot be set by a fault"],
    [{ Trailer: "X" }, "Trailer cannot be set by a fault"],
    [{ "Proxy-Authenticate": "Basic" }, "Proxy-Authenticate cannot be set by a fault"],
    [{ "Access-Control-Allow-Credentials": "true" }, "Access-Control-Allow-Credentials cannot be set by a fault"],
    [{ "Emulator-Fault": "none" }, "Emulator-Fault cannot be set by a fault"],
    [{ "X Y": "1" }, "X Y is not a header name"],
    [{ "X:Y": "1" }, "X:Y is not a header name"],
    [{ "": "1" }, " is not a header name"],
    [{ "X-A": "a\r\nX-B: b" }, "X-A must have a value of characters that a header can have"],
    [{ "X-A": "日" }, "X-A must have a value of characters that a header can have"],
    [{ "X-A": "" }, "X-A must have a value of characters that a header can have"],
    [{ "X-A": "1", "x-a": "2" }, "x-a must be given once"],
    [twentyOne, "must have at most 20 headers"],
  ])("headers %j are rejected by name", async (headers, error) => {
    const refused = await control("POST", "/faults", { effect: { status: 503, headers } });
    expect([refused.status, refused.json]).toEqual([422, { "effect.headers": [error] }]);
  });

  test("headers go with a status, and their values are texts", async () => {
    const refused = async (effect: object) => (await control("POST", "/faults", { effect })).json;
    expect(await refused({ delayMs: 1, headers: {} })).toEqual({ "effect.headers": ["goes with status"] });
    expect(await refused({ status: 503, headers: { "Retry-After": 1 } })).toEqual({
      "effect.headers.Retry-After": ["must be a string"],
    });
    expect(await refused({ status: 503, headers: ["a"] })).toEqual({ "effect.headers": ["must be an object"] });
  });

  test("rejects an unknown app", async () => {
    const refused = await control("POST", "/faults", { effect: { drop: true }, match: { appId: "no-such-app" } });
    expect([refused.status, refused.json.instruction]).toEqual([404, expect.stringContaining('No app "no-such-app"')]);
  });

  test("holds 1,000 and then drops used-up ones; without any, rejects another", async () => {
    await control("DELETE", "/faults");
    const { appId, admin } = await app();
    const first = await set({ status: 500 }, { appId }, 1);
    for (let i = 1; i < 1_000; i++) await set({ drop: true }, { path: "/nowhere" });
    expect((await control("POST", "/faults", { effect: { drop: true } })).reason).toBe("too_many_faults");
    await admin("GET", "/v1/profiles");
    const last = await set({ status: 500 }, { appId }, 1);
    expect((await control("GET", `/faults/${first}`)).status).toBe(404);
    expect((await admin("GET", "/v1/profiles")).headers.get("Emulator-Fault")).toBe(last);
    // Weather of two faults, of which one has room, is not half set.
    expect((await control("PUT", "/weather", { appId, name: "tunnel" })).status).toBe(429);
    expect((await control("GET", "/weather")).json.items).toEqual([]);
    await control("DELETE", "/faults");
  });
});

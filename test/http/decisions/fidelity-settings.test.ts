/** Assumptions about the real service that an app's settings replace. */
import { describe, expect, test } from "vitest";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { harness, NOBODY, OTHER_PHONE, PHONE, SESSION, wrong } from "./support.ts";

const { app: newApp, control, auth, clock } = harness();
const PROFILES = "/v1/profiles";
const BLANK = ["can't be blank"];

const withProfile = async (settings: object, body: object = {}) => {
  const app = await newApp({ settings });
  const { json, status, text } = await app.admin("POST", PROFILES, body);
  expect(status, text).toBe(201);
  const path = `${PROFILES}/${json.userId}`;
  const read = async () => (await app.admin("GET", path)).json;
  return { ...app, path, read, put: (change: object) => app.admin("PUT", path, change) };
};

describe("profile.required (D1)", () => {
  test("these fields are required on create and cannot be cleared, and at sign-up", async () => {
    const { admin, start } = await newApp({ settings: { "profile.required": ["name", "email"] } });
    expect(await admin("POST", PROFILES, { email: null })).toMatchObject({
      status: 422,
      json: { name: BLANK, email: BLANK },
    });
    const made = await admin("POST", PROFILES, { name: "Ada", email: "ada@example.com" });
    expect(made.status).toBe(201);
    const path = `${PROFILES}/${made.json.userId}`;
    expect(await admin("PUT", path, { name: null })).toMatchObject({ status: 422, json: { name: BLANK } });
    expect((await admin("PUT", path, { phone: null })).status).toBe(200);
    expect(await start({ phone: PHONE })).toMatchObject({ status: 422, json: { name: BLANK, email: BLANK } });
    expect((await start({ phone: PHONE, name: "Bo", email: "bo@example.com" })).status).toBe(200);
  });

  test("a repeated or unknown field name is rejected", async () => {
    for (const required of [["name", "name"], ["nickname"], "name"])
      expect((await control("POST", "/apps", { settings: { profile: { required } } })).status).toBe(422);
  });
});

describe("update.null and update.touch (D2)", () => {
  const FULL = { name: "Ada", phone: PHONE, email: "ada@example.com", metadata: { a: 1 } };
  const NULLS = { name: null, email: null, metadata: null };

  test("null is ignored", async () => {
    const { put, read } = await withProfile({ "update.null": "ignore" }, FULL);
    expect((await put({ ...NULLS, name: null })).status).toBe(200);
    expect(await read()).toMatchObject(FULL);
  });

  test("null is refused, and nothing changes", async () => {
    const { put, read } = await withProfile({ "update.null": "refuse" }, FULL);
    const before = await read();
    expect(await put({ ...NULLS, phone: OTHER_PHONE })).toMatchObject({
      status: 422,
      json: { name: BLANK, email: BLANK, metadata: BLANK },
    });
    expect(await read()).toEqual(before);
  });

  test("updatedAt moves only if a value changes", async () => {
    const { put, read } = await withProfile({ "update.touch": "onChange" }, FULL);
    const before = await read();
    clock.advance(5);
    const same = await put({ name: "Ada", metadata: { a: 1 } });
    expect([same.status, same.json.updatedAt]).toEqual([200, before.updatedAt]);
    expect(await read()).toEqual(before);
    expect((await put({ metadata: { b: 2 } })).json.updatedAt).not.toBe(before.updatedAt);
  });
});

describe("metadata.merge and metadata.null (D3)", () => {
  const FIRST = { metadata: { address: { city: "Rome", street: { name: "Via", no: 1 } }, plan: "free" } };

  test("deep: merges nested objects and keeps null as a value", async () => {
    const { put } = await withProfile({ "metadata.merge": "deep" }, FIRST);
    const changed = await put({ metadata: { address: { city: null, street: { no: 2 } }, plan: { a: 1 } } });
    expect(changed.json.metadata).toEqual({
      address: { city: null, street: { name: "Via", no: 2 } },
      plan: { a: 1 },
    });
  });

  test("null removes a key: at the top level, and in a deep merge at every depth", async () => {
    const shallow = await withProfile({ "metadata.null": "remove" }, FIRST);
    const change = { metadata: { plan: null, gone: null, address: { city: null } } };
    expect((await shallow.put(change)).json.metadata).toEqual({ address: { city: null } });
    const deep = await withProfile({ "metadata.merge": "deep", "metadata.null": "remove" }, FIRST);
    expect((await deep.put(change)).json.metadata).toEqual({ address: { street: { name: "Via", no: 1 } } });
    const made = await withProfile({ "metadata.null": "remove" }, { metadata: { a: null, b: 1 } });
    expect((await made.read()).metadata).toEqual({ b: 1 });
  });
});

describe("profile.unique (D9)", () => {
  test("both: the other field is unique too, ignoring case, in every call that sets it", async () => {
    const { admin, start, authenticate, sentCode, passcodes, put } = await withProfile(
      { "profile.unique": "both" },
      { phone: PHONE, email: "Ada@example.com" },
    );
    const taken = { status: 422, json: { email: ["has already been taken"] } };
    expect(await admin("POST", PROFILES, { email: "ada@EXAMPLE.com" })).toMatchObject(taken);
    expect(await start({ phone: OTHER_PHONE, email: "ada@example.com" })).toMatchObject(taken);
    expect((await start({ phone: OTHER_PHONE })).status).toBe(200);
    const code = await sentCode({ phone: OTHER_PHONE });
    expect(await authenticate({ phone: OTHER_PHONE, email: "ada@example.com" }, code)).toMatchObject(taken);
    expect((await passcodes())[0]).toMatchObject({ status: "active", attempts: 0 });
    expect((await put({ email: "ada@example.com" })).status).toBe(200);
  });

  test("username: the other field can be shared", async () => {
    const { admin } = await withProfile({}, { phone: PHONE, email: "ada@example.com" });
    expect((await admin("POST", PROFILES, { email: "ada@example.com" })).status).toBe(201);
  });
});

test("unknownFields refuse (D10): applies to admin and session bodies; the control API accepts a whole profile", async () => {
  const { appId, admin, put, read, start, path } = await withProfile({ unknownFields: "refuse" }, { name: "Ada" });
  const strange = { status: 422, json: { nickname: ["is unknown"], createdAt: ["is unknown"] } };
  expect(await admin("POST", PROFILES, { nickname: "A", createdAt: "x" })).toMatchObject(strange);
  expect(await put({ name: "B", nickname: "A", createdAt: "x" })).toMatchObject(strange);
  expect((await read()).name).toBe("Ada");
  expect(await start({ phone: PHONE, nickname: "A" }, { device: "x" })).toMatchObject({
    status: 422,
    json: { nickname: ["is unknown"], device: ["is unknown"] },
  });
  const { items } = (await control("GET", `/profiles?appId=${appId}`)).json;
  const whole = await control("PATCH", `/profiles/${path.split("/").at(-1)}?appId=${appId}`, items[0]);
  expect(whole.status, whole.text).toBe(200);
});

describe("list (D12)", () => {
  const five = async (settings: object) => {
    const app = await newApp({ settings });
    for (const name of ["a", "b", "c", "d", "e"]) await app.admin("POST", PROFILES, { name });
    const list = async (query = "") => {
      const { status, json, headers } = await app.admin("GET", PROFILES + query);
      return { status, json, headers, names: (json.data ?? json).map?.(({ name }: { name: string }) => name) };
    };
    return list;
  };

  test("applies names, limits, order and envelope", async () => {
    const list = await five({
      list: {
        pageParameter: "pageNumber",
        limitParameter: "perPage",
        defaultLimit: 2,
        maxLimit: 4,
        order: "newest",
        envelope: "data",
      },
    });
    const second = await list("?pageNumber=2");
    expect([second.names, Object.keys(second.json)]).toEqual([["c", "b"], ["data"]]);
    expect(second.headers.get("Page-Items")).toBe("2");
    expect(second.headers.get("Link")).toContain('?pageNumber=3&perPage=2>; rel="next"');
    expect((await list("?perPage=4")).names).toEqual(["e", "d", "c", "b"]);
    expect((await list("?pageNumber=3")).names).toEqual(["a"]);
    expect((await list("?pageNumber=9")).names).toEqual([]);
    expect((await list("?page=2&limit=1")).names).toEqual(["e", "d"]);
    expect(await list("?perPage=5&pageNumber=0")).toMatchObject({ status: 422 });
    expect(await list("?perPage=2&perPage=3")).toMatchObject({
      status: 422,
      json: { perPage: ["must be given once"] },
    });
  });

  test("overLimit cut: a page has maxLimit profiles, and other bad parameters are refused", async () => {
    const list = await five({ list: { defaultLimit: 1, maxLimit: 3, overLimit: "cut" } });
    const cut = await list("?limit=9");
    expect([cut.names, cut.headers.get("Page-Items")]).toEqual([["a", "b", "c"], "3"]);
    for (const query of ["?limit=0", "?limit=x", "?page=0"])
      expect(await list(query), query).toMatchObject({ status: 422 });
  });

  test("badParameter ignore: what is bad or repeated counts as absent, but a size over the limit is refused", async () => {
    const list = await five({ list: { defaultLimit: 2, maxLimit: 3, badParameter: "ignore" } });
    for (const query of [
      "?limit=0",
      "?limit=x",
      "?limit=-1",
      "?page=0",
      "?page=x",
      "?page=2&page=3",
      "?limit=3&limit=3",
    ])
      expect((await list(query)).names, query).toEqual(["a", "b"]);
    expect(await list("?limit=4")).toMatchObject({ status: 422 });
    const both = await five({ list: { defaultLimit: 2, maxLimit: 3, badParameter: "ignore", overLimit: "cut" } });
    expect([(await both("?limit=4")).names, (await both("?limit=x")).names]).toEqual([
      ["a", "b", "c"],
      ["a", "b"],
    ]);
  });

  test("firstPage 0: pages, Current-Page and Link count from 0", async () => {
    const list = await five({ list: { defaultLimit: 2, firstPage: 0 } });
    expect([(await list("?page=0")).names, (await list("?page=2")).names]).toEqual([["a", "b"], ["e"]]);
    const { names, headers } = await list("?page=1");
    expect([names, headers.get("Current-Page")]).toEqual([["c", "d"], "1"]);
    const links = ["0", "2", "0", "2"].map((page) => `?page=${page}&limit=2>`);
    expect(headers.get("Link")?.match(/\?[^>]*>/g)).toEqual(links);
    expect((await list()).headers.get("Current-Page")).toBe("0");
    const offset = await five({ list: { pageParameter: "offset", firstPage: 1 } });
    expect((await offset("?offset=0")).names).toHaveLength(5);
  });

  test("offset counts profiles", async () => {
    const list = await five({ list: { pageParameter: "offset", limitParameter: "pageSize", maxLimit: 500 } });
    const some = await list("?offset=3&pageSize=2");
    expect(some.names).toEqual(["d", "e"]);
    expect([some.headers.get("Current-Page"), some.headers.get("Total-Pages")]).toEqual(["2", "3"]);
    expect(some.headers.get("Link")).toContain('?offset=0&pageSize=2>; rel="first"');
    expect((await list("?pageSize=500")).names).toHaveLength(5);
    expect((await list("?offset=9")).names).toEqual([]);
  });
});

test("delete.again 204 (D14): applies to a deleted id, not to an invalid one", async () => {
  const { admin, path } = await withProfile({ "delete.again": 204 });
  expect([(await admin("DELETE", path)).status, (await admin("DELETE", path)).status]).toEqual([204, 204]);
  expect((await admin("DELETE", `${PROFILES}/${NOBODY}`)).status).toBe(204);
  expect((await admin("DELETE", `${PROFILES}/x`)).status).toBe(404);
  expect((await admin("GET", path)).status).toBe(404);
});

describe("passcode.previous valid (D24)", () => {
  const twice = async () => {
    const app = await newApp({ settings: { "passcode.previous": "valid", "passcode.maxAttempts": 3 } });
    await app.start({ phone: PHONE });
    const older = await app.sentCode({ phone: PHONE });
    clock.advance(300);
    let newer = await app.sentCode({ phone: PHONE });
    while (newer === older) newer = await app.sentCode({ phone: PHONE });
    const typed = async (code: string) =>
      (await app.authenticate({ phone: PHONE }, code)).headers.get("Emulator-Reason");
    return { ...app, older, newer, typed };
  };

  test("the older code works once, then the newer one still works", async () => {
    const { older, newer, typed } = await twice();
    expect(await typed(older)).toBe(null);
    expect(await typed(older)).toBe("passcode_mismatch");
    expect(await typed(newer)).toBe(null);
    expect(await typed(newer)).toBe("passcode_used");
  });

  test("each expires at its own time", async () => {
    const { older, newer, typed } = await twice();
    clock.advance(301);
    expect(await typed(older)).toBe("passcode_mismatch");
    expect(await typed(newer)).toBe(null);
  });

  test("wrong attempts are counted together and lock all of them", async () => {
    const { older, newer, typed } = await twice();
    const bad = [1, 2, 3, 4, 5].map((n) => wrong(newer, n)).filter((code) => code !== older);
    for (const code of bad.slice(0, 3)) expect(await typed(code)).toBe("passcode_mismatch");
    expect([await typed(older), await typed(newer)]).toEqual(["passcode_exhausted", "passcode_exhausted"]);
  });
});

describe("statuses", () => {
  test.each([400, 403, 404])("authenticate.refusedStatus %s (D25): one body for every cause", async (status) => {
    const { start, authenticate } = await newApp({ settings: { "authenticate.refusedStatus": status } });
    await start({ phone: PHONE });
    const unsent = await authenticate({ phone: PHONE }, "000000");
    const unknown = await authenticate({ phone: OTHER_PHONE }, "000000");
    expect([unsent.status, unknown.status, unsent.json]).toEqual([status, status, unknown.json]);
    expect(unsent.json).toEqual({ message: expect.any(String), instruction: expect.any(String) });
    expect(unsent.headers.get("Emulator-Reason")).toBe("passcode_not_sent");
  });

  test("authenticate.refusedStatus 422 names the passcode field", async () => {
    const { start, authenticate } = await newApp({ settings: { "authenticate.refusedStatus": 422 } });
    await start({ phone: PHONE });
    expect(await authenticate({ phone: PHONE }, "000000")).toMatchObject({
      status: 422,
      json: { passcode: ["is invalid"] },
    });
  });

  test("unknownAppStatus (D27): follows the oldest app that sets it", async () => {
    const [first, second] = [await newApp({ settings: { unknownAppStatus: 404 } }), await newApp()];
    await second.patch({ settings: { unknownAppStatus: 422 } });
    const ask = async () => await auth("POST", SESSION, { appId: "ghost", user: { phone: PHONE } });
    expect(await ask()).toMatchObject({ status: 404, json: { message: "Not Found" } });
    await first.patch({ settings: { unknownAppStatus: null } });
    expect(await ask()).toMatchObject({ status: 422, json: { appId: ["is unknown"] } });
    expect((await ask()).headers.get("Emulator-Reason")).toBe("unknown_app");
    await second.patch({ settings: { unknownAppStatus: null } });
    expect((await ask()).status).toBe(401);
  });
});

test.each([
  ["seconds", (now: number) => now + 86_400],
  ["milliseconds", (now: number) => (now + 86_400) * 1_000],
  ["ttl", () => 86_400],
] as const)("session.expiration %s (D28); the token's exp stays in seconds", async (unit, expected) => {
  const { start } = await newApp({ settings: { "session.expiration": unit, sessionExtensions: true } });
  const { json } = await start({ phone: PHONE });
  expect(json.expiration).toBe(expected(clock.seconds));
  const { exp } = JSON.parse(Buffer.from(json.token.split(".")[1], "base64url").toString());
  expect(exp).toBe(clock.seconds + 86_400);
  clock.advance(100);
  const read = await fetch(`${(await control("GET", "/status")).json.urls.auth}${SESSION}`, {
    headers: { Authorization: `Bearer ${json.token}` },
  });
  expect(await read.json()).toMatchObject({ expiration: unit === "ttl" ? 86_300 : json.expiration });
});

test("session.expiration ttl is never negative, however late the response is (D28)", async () => {
  let ms = Date.parse("2026-11-20T12:00:00.000Z");
  const slow = await startInProcess({ now: () => (ms += 5_000) });
  const { auth: ask, control: change } = clientsOf(() => slow);
  const settings = { "session.expiration": "ttl", "session.ttlSeconds": 1 };
  const { appId } = (await change("POST", "/apps", { settings })).json;
  const { status, text } = await ask("POST", SESSION, { appId, user: { phone: PHONE } });
  expect([status, JSON.parse(text).expiration]).toEqual([200, 0]);
  await slow.close();
});

test("errors.shape and errors.fields: apply on admin and auth once the app is known, not on the console", async () => {
  const { admin, start, authenticate, patch } = await newApp({
    settings: { errors: { shape: "error", fields: "nested" } },
  });
  const missing = await admin("GET", `${PROFILES}/${NOBODY}`);
  expect([missing.status, missing.json]).toEqual([404, { error: expect.any(String) }]);
  expect((await admin("POST", PROFILES, { phone: "x" })).json).toEqual({ errors: { phone: [expect.any(String)] } });
  expect((await start({})).json).toEqual({ errors: { phone: BLANK } });
  await start({ phone: PHONE });
  expect((await authenticate({ phone: PHONE }, "000000")).json).toEqual({ error: expect.any(String) });
  expect((await patch({ settings: { errors: { shape: "odd" } } })).json).toEqual({
    "settings.errors.shape": [expect.any(String)],
  });
});

describe("passcode.resend same (D24)", () => {
  const resending = async (more: Readonly<Record<string, string>> = {}) => {
    const app = await newApp({ settings: { "passcode.resend": "same", "passcode.maxAttempts": 3, ...more } });
    await app.start({ phone: PHONE });
    const sent = async () => {
      expect((await app.start({ phone: PHONE })).status).toBe(202);
      return (await control("GET", `/passcodes?appId=${app.appId}&limit=1`)).json.items[0];
    };
    const typed = async (code: string) =>
      (await app.authenticate({ phone: PHONE }, code)).headers.get("Emulator-Reason");
    return { ...app, sent, typed };
  };

  test("a POST sends the active code again, with its attempts and its end; row and passcode say so", async () => {
    const { appId, sent, typed } = await resending();
    const first = await sent();
    expect(first).not.toHaveProperty("resent");
    expect(await typed(wrong(first.code, 1))).toBe("passcode_mismatch");
    clock.advance(60);
    const again = await sent();
    expect(again).toMatchObject({ code: first.code, message: first.message, expiresAt: first.expiresAt, attempts: 1 });
    expect(again).toMatchObject({ resent: true, status: "active", tried: [wrong(first.code, 1)] });
    expect(again.id).not.toBe(first.id);
    const [row] = (await control("GET", `/requests?appId=${appId}&limit=1`)).json.items;
    expect(row.warnings).toEqual([expect.stringContaining("sent again")]);
    const [, older] = (await control("GET", `/passcodes?appId=${appId}`)).json.items;
    expect(older).toMatchObject({ id: first.id, status: "replaced" });
    expect(await typed(wrong(first.code, 2))).toBe("passcode_mismatch");
    expect(await typed(wrong(first.code, 3))).toBe("passcode_mismatch");
    expect(await typed(first.code)).toBe("passcode_exhausted");
  });

  test("another code comes once it is used, locked or expired", async () => {
    const { sent, typed } = await resending();
    for (const end of [
      async (code: string) => expect(await typed(code)).toBe(null),
      async (code: string) => {
        for (const n of [1, 2, 3]) await typed(wrong(code, n));
      },
      async () => clock.advance(601),
    ]) {
      const { code } = await sent();
      await end(code);
      expect(await sent()).toMatchObject({ attempts: 0, status: "active" });
      expect(await sent()).not.toHaveProperty("earlierAttempts");
      clock.advance(601);
    }
  });

  test("with older codes valid, a used code is used up", async () => {
    const { sent, typed } = await resending({ "passcode.previous": "valid" });
    const { code } = await sent();
    await sent();
    expect(await typed(code)).toBe(null);
    expect(await typed(code)).toBe("passcode_used");
  });
});

describe("passcode.attemptsPer user (D24)", () => {
  const perUser = async (more: Readonly<Record<string, string>> = {}) => {
    const settings = { "passcode.attemptsPer": "user", "passcode.maxAttempts": 3, "passcode.ttlSeconds": 600, ...more };
    const app = await newApp({ settings });
    await app.start({ phone: PHONE });
    const sent = async () => await app.sentCode({ phone: PHONE });
    const typed = async (code: string) =>
      (await app.authenticate({ phone: PHONE }, code)).headers.get("Emulator-Reason");
    const newest = async () => (await control("GET", `/passcodes?appId=${app.appId}&limit=1`)).json.items[0];
    return { ...app, sent, typed, newest };
  };

  test("wrong attempts count on over new codes, and lock the user for the lifetime of a code", async () => {
    const { sent, typed, newest } = await perUser();
    const first = await sent();
    expect([await typed(wrong(first, 1)), await typed(wrong(first, 2))]).toEqual(Array(2).fill("passcode_mismatch"));
    clock.advance(300);
    const second = await sent();
    expect(await newest()).toMatchObject({ attempts: 0, earlierAttempts: 2 });
    expect(await typed(wrong(second, 1))).toBe("passcode_mismatch");
    expect(await typed(second)).toBe("passcode_exhausted");
    clock.advance(300);
    const third = await sent();
    expect(await typed(third)).toBe("passcode_exhausted");
    // The last attempt that counted is 600 s ago.
    clock.advance(300);
    expect(await typed(third)).toBe(null);
  });

  test("a right code ends the count, and so does the lifetime of a code without an attempt", async () => {
    const { sent, typed, newest } = await perUser();
    for (const end of [async () => expect(await typed(await sent())).toBe(null), async () => clock.advance(600)]) {
      const code = await sent();
      expect([await typed(wrong(code, 1)), await typed(wrong(code, 2))]).toEqual(Array(2).fill("passcode_mismatch"));
      await end();
      await sent();
      expect(await newest()).not.toHaveProperty("earlierAttempts");
      await typed(await sent());
    }
  });

  test("survives a restart of the count with resend same", async () => {
    const { sent, typed, newest } = await perUser({ "passcode.resend": "same" });
    const code = await sent();
    await typed(wrong(code, 1));
    expect(await sent()).toBe(code);
    await typed(wrong(code, 2));
    expect(await newest()).toMatchObject({ attempts: 2, resent: true });
    expect(await typed(wrong(code, 3))).toBe("passcode_mismatch");
    expect(await typed(code)).toBe("passcode_exhausted");
    expect(await typed(await sent())).toBe("passcode_exhausted");
  });
});

test("update.touch onChange (D2) holds at a login as well: unchanged extra information moves nothing", async () => {
  const app = await newApp({ settings: { "update.touch": "onChange" } });
  const { userId } = (await app.start({ phone: PHONE, name: "Ada" })).json;
  const updatedAt = async () => (await app.admin("GET", `${PROFILES}/${userId}`)).json.updatedAt;
  const first = await updatedAt();
  clock.advance(60);
  const signIn = async (name: string) => {
    const code = await app.sentCode({ phone: PHONE });
    expect((await app.authenticate({ phone: PHONE, name }, code)).status).toBe(200);
  };
  await signIn("Ada");
  expect(await updatedAt()).toBe(first);
  await signIn("Ada Lovelace");
  expect(await updatedAt()).not.toBe(first);
});

describe("passcode.afterChange (D24): a code that was sent before the user's phone changed", () => {
  const sentThenChanged = async (settings: object) => {
    const app = await newApp({ settings });
    await app.start({ phone: PHONE });
    const code = await app.sentCode({ phone: PHONE });
    const [{ userId }] = (await app.admin("GET", PROFILES)).json;
    const change = (phone: string) => app.admin("PUT", `${PROFILES}/${userId}`, { phone });
    await change(OTHER_PHONE);
    const typed = () => app.authenticate({ phone: OTHER_PHONE }, code);
    return { ...app, code, change, typed };
  };

  test("works by default, and the advice says so", async () => {
    const { typed, logged } = await sentThenChanged({});
    const reply = await typed();
    expect(reply.status).toBe(200);
    const { advice } = await logged(reply);
    expect(advice).toMatchObject([
      { code: "sent_before_change", text: expect.stringContaining("passcode.afterChange") },
    ]);
  });

  test("is refused with `refused`, as if none had been sent; changed back, it works", async () => {
    const { typed, logged, change, code, authenticate } = await sentThenChanged({ "passcode.afterChange": "refused" });
    const reply = await typed();
    expect(reply).toMatchObject({ status: 401, reason: "passcode_not_sent" });
    expect((await logged(reply)).advice[0].text).toMatch(/sent to \+1 202 555 0142, before .* passcode\.afterChange/);
    await change(PHONE);
    expect((await authenticate({ phone: PHONE }, code)).status).toBe(200);
  });

  test("a new code is sent even with resend same", async () => {
    const settings = { "passcode.afterChange": "refused", "passcode.resend": "same" };
    const { code, sentCode, authenticate } = await sentThenChanged(settings);
    const next = await sentCode({ phone: OTHER_PHONE });
    expect(next).not.toBe(code);
    expect((await authenticate({ phone: OTHER_PHONE }, next)).status).toBe(200);
  });
});

/** Answers that are lost after the request was carried out, and requests that arrive twice. */
import { describe, expect, test } from "vitest";
import { freshPhone, harness, until } from "#test/http/control/support.ts";
import { openEvents } from "#test/http/events/event-stream.ts";
import { faultCalls } from "./fault-calls.ts";

const running = harness({ monotonic: () => 0 });
const { control, auth, app } = running;
const { set, fault } = faultCalls(running);
const LOGIN = "/v1/users/session";

/** The rows of an app, oldest first. */
const rows = async (appId: string) => (await control("GET", `/requests?appId=${appId}`)).json.items.toReversed();
const sessions = async (appId: string) => (await control("GET", `/sessions?appId=${appId}`)).json.items;

/** A user with a code, and what sends it. */
const withCode = async () => {
  const made = await app();
  const { phone, userId } = await made.profile();
  expect(await made.ask(phone)).toBe(202);
  const { code } = (await control("GET", `/passcodes/latest?appId=${made.appId}&to=${encodeURIComponent(phone)}`)).json;
  const enter = (passcode: string = code) => auth("PUT", LOGIN, { appId: made.appId, user: { phone }, passcode });
  return { ...made, phone, userId, code, enter };
};

const LOST = [
  ["drop", { drop: true }],
  ["reset", { reset: true }],
] as const;

describe.each(LOST)("%s after", (_name, effect) => {
  test("a right code: it is used and the session is there, and the next PUT hears that it was used", async () => {
    const { appId, enter } = await withCode();
    const id = await set({ ...effect, after: true }, { appId, method: "PUT" }, 1);
    await expect(enter()).rejects.toThrow();
    const second = await enter();
    expect([second.status, second.reason]).toEqual([401, "passcode_used"]);
    expect(await fault(id)).toMatchObject({ used: 1, remaining: 0 });
    const [, first, again] = await rows(appId);
    expect(first).toMatchObject({
      status: 0,
      fault: id,
      reason: "fault_injected",
      check: "fault",
      carriedOut: { status: 200, reason: null },
      repeats: null,
    });
    expect(again).toMatchObject({ status: 401, fault: null, repeats: first.id, carriedOut: null });
    expect(again.login.id).toBe(first.login.id);
    expect(await sessions(appId)).toMatchObject([{ requestId: first.id, state: "active" }]);
  });

  test("a sign-up: the user is there, and asking again sends a code", async () => {
    const { appId, ask } = await app();
    await set({ ...effect, after: true }, { appId }, 1);
    const phone = freshPhone();
    await expect(ask(phone)).rejects.toThrow();
    expect(await ask(phone)).toBe(202);
    expect(await sessions(appId)).toHaveLength(1);
  });

  test("a rejection is carried out as well: the attempt counts", async () => {
    const { appId, enter } = await withCode();
    await set({ ...effect, after: true }, { appId, method: "PUT" }, 1);
    await expect(enter("0")).rejects.toThrow();
    const [, row] = await rows(appId);
    expect(row.carriedOut).toEqual({ status: 401, reason: "passcode_mismatch" });
    expect((await control("GET", `/passcodes?appId=${appId}`)).json.items).toMatchObject([{ attempts: 1 }]);
  });

  test("on admin: the profile is written", async () => {
    const { appId, admin } = await app();
    await set({ ...effect, after: true }, { appId, listener: "admin" }, 1);
    await expect(admin("POST", "/v1/profiles", { name: "Ada" })).rejects.toThrow();
    expect((await admin("GET", "/v1/profiles")).json).toMatchObject([{ name: "Ada" }]);
  });
});

describe("status after", () => {
  test("the client gets the status with its headers and body, and nothing of the answer", async () => {
    const { appId, enter } = await withCode();
    const gateway = { status: 504, headers: { "Content-Type": "text/html" }, body: "<h1>Gateway</h1>" };
    await set({ ...gateway, after: true }, { appId, method: "PUT" }, 1);
    const { status, reason, text, headers } = await enter();
    expect([status, reason, text]).toEqual([504, "fault_injected", "<h1>Gateway</h1>"]);
    expect(headers.get("Content-Type")).toBe("text/html");
    expect((await enter()).reason).toBe("passcode_used");
    const [, row] = await rows(appId);
    expect(row).toMatchObject({ status: 504, carriedOut: { status: 200, reason: null } });
    expect(row.response.body).toBe("<h1>Gateway</h1>");
  });
});

describe("delayMs after", () => {
  test("the answer comes late, and is not lost", async () => {
    const { appId, enter } = await withCode();
    await set({ delayMs: 50, after: true }, { appId, method: "PUT" }, 1);
    const { status, json } = await enter();
    expect([status, typeof json.token]).toEqual([200, "string"]);
    const [, row] = await rows(appId);
    expect(row).toMatchObject({
      status: 200,
      reason: null,
      check: null,
      carriedOut: null,
      decision: expect.any(String),
    });
  });

  test("a client that leaves changes nothing: the code is used", async () => {
    const { appId, enter, phone, code } = await withCode();
    await set({ delayMs: 60_000, after: true }, { appId, method: "PUT" }, 1);
    const leaving = new AbortController();
    const body = JSON.stringify({ appId, user: { phone }, passcode: code });
    const headers = { "Content-Type": "application/json" };
    const url = `${running.server.urls.auth}${LOGIN}`;
    const left = fetch(url, { method: "PUT", headers, body, signal: leaving.signal });
    await until(
      () => sessions(appId),
      (items: unknown[]) => items.length === 1,
    );
    leaving.abort();
    await expect(left).rejects.toThrow();
    await until(
      () => rows(appId),
      (items: unknown[]) => items.length === 2,
    );
    const [, row] = await rows(appId);
    expect(row).toMatchObject({ status: 0, carriedOut: { status: 200, reason: null } });
    expect((await enter()).reason).toBe("passcode_used");
  });
});

describe("twice", () => {
  test("a right code: the client gets the second answer, and there are two rows", async () => {
    const { appId, enter } = await withCode();
    const id = await set({ twice: true }, { appId, method: "PUT" }, 1);
    const { status, reason, headers } = await enter();
    expect([status, reason]).toEqual([401, "passcode_used"]);
    expect(await fault(id)).toMatchObject({ used: 1 });
    const [, first, second] = await rows(appId);
    expect(first).toMatchObject({ status: 0, fault: id, repeats: null, carriedOut: { status: 200, reason: null } });
    expect(second).toMatchObject({ status: 401, fault: id, repeats: first.id, carriedOut: null });
    expect(headers.get("Emulator-Request-Id")).toBe(second.id);
    expect(second.request).toEqual(first.request);
    expect(await sessions(appId)).toMatchObject([{ requestId: first.id }]);
  });

  test("a POST: two codes, of which the newer works", async () => {
    const { appId, profile, ask } = await app();
    const { phone } = await profile();
    await set({ twice: true }, { appId, method: "POST" }, 1);
    expect(await ask(phone)).toBe(202);
    const { items } = (await control("GET", `/passcodes?appId=${appId}`)).json;
    expect(items.map((one: { status: string }) => one.status)).toEqual(["active", "replaced"]);
  });

  test("a sign-up: signed up, then a code", async () => {
    const { appId, ask } = await app();
    await set({ twice: true }, { appId }, 1);
    expect(await ask(freshPhone())).toBe(202);
    expect(
      (await rows(appId)).map((row: { carriedOut: unknown; status: number }) => [row.status, row.carriedOut]),
    ).toEqual([
      [0, { status: 200, reason: null }],
      [202, null],
    ]);
  });

  test("on admin: the second deletion finds nothing", async () => {
    const { appId, admin, profile } = await app();
    const { userId } = await profile();
    await set({ twice: true }, { appId, method: "DELETE" }, 1);
    expect((await admin("DELETE", `/v1/profiles/${userId}`)).status).toBe(404);
  });

  test("with after: the second answer is the one that is lost", async () => {
    const { appId, enter } = await withCode();
    await set({ twice: true, after: true, status: 504 }, { appId, method: "PUT" }, 1);
    expect((await enter()).status).toBe(504);
    const [, first, second] = await rows(appId);
    expect(first.carriedOut).toEqual({ status: 200, reason: null });
    expect(second).toMatchObject({ status: 504, carriedOut: { status: 401, reason: "passcode_used" } });
  });

  test("with a delay: the second answer is late", async () => {
    const { appId, enter } = await withCode();
    await set({ twice: true, delayMs: 20 }, { appId, method: "PUT" }, 1);
    expect((await enter()).reason).toBe("passcode_used");
    expect((await rows(appId)).map((row: { status: number }) => row.status)).toEqual([202, 0, 401]);
  });
});

test.each([
  [{ after: true }, "effect.after"],
  [{ after: true, deliverTwice: true }, "effect.after"],
  [{ after: true, drop: true, reason: "passcode_used" }, "effect.reason"],
  [{ after: true, delayMs: 10, undelivered: true }, "effect.undelivered"],
  [{ after: true, drop: true, clockOffMs: 10 }, "effect.clockOffMs"],
  [{ after: false, drop: true }, "effect.after"],
  [{ twice: true, drop: true }, "effect.drop"],
  [{ twice: true, status: 503 }, "effect.status"],
])("%j is refused on %s", async (effect, field) => {
  const { status, json } = await control("POST", "/faults", { effect });
  expect([status, Object.keys(json)]).toEqual([422, expect.arrayContaining([field])]);
});

test("a fault that stays loses each repetition as well", async () => {
  const { appId, enter } = await withCode();
  const id = await set({ drop: true, after: true }, { appId, method: "PUT" });
  await expect(enter()).rejects.toThrow();
  await expect(enter()).rejects.toThrow();
  const [, first, second] = await rows(appId);
  expect(second).toMatchObject({ status: 0, repeats: first.id, carriedOut: { status: 401, reason: "passcode_used" } });
  expect(await fault(id)).toMatchObject({ used: 2 });
});

test("the events of rows say what was carried out", async () => {
  const { appId, enter } = await withCode();
  await set({ drop: true, after: true }, { appId, method: "PUT" }, 1);
  const events = await openEvents(running.server.urls.console);
  await expect(enter()).rejects.toThrow();
  await events.next((event) => JSON.stringify(event).includes('"carriedOut":{"status":200,"reason":null}'));
  events.close();
});

test("an app that is deleted and made again under its id does not show the rows of the old one", async () => {
  const { appId, ask } = await app();
  await ask(freshPhone());
  expect(await rows(appId)).toHaveLength(1);
  await control("DELETE", `/apps/${appId}`);
  await control("POST", "/apps", { appId });
  expect(await rows(appId)).toEqual([]);
});

/** D30: GET and DELETE of /v1/users/session. */
import { afterEach, describe, expect, test } from "vitest";
import { expectRefusal, harness, PHONE, raw, SESSION } from "./support.ts";

const { app: newApp, auth, control, clock, server } = harness();
const USER = { phone: PHONE };

/** Apps with the extensions, to be turned off again: an active one changes the response to unreadable tokens. */
const opened: string[] = [];
afterEach(async () => {
  for (const appId of opened.splice(0))
    await control("PATCH", `/apps/${appId}`, { settings: { sessionExtensions: false } });
});
const withSession = async (sessionExtensions: boolean) => {
  const app = await newApp({ settings: { sessionExtensions } });
  if (sessionExtensions) opened.push(app.appId);
  return { ...app, session: (await app.start(USER)).json };
};
const ask = (method: "GET" | "DELETE", token?: string) =>
  auth(method, SESSION, undefined, token === undefined ? {} : { Authorization: `Bearer ${token}` });
const METHODS = ["GET", "DELETE"] as const;

describe("D30 with sessionExtensions", () => {
  test("D30: GET returns 200 with the session", async () => {
    const { session } = await withSession(true);
    const read = await ask("GET", session.token);
    expect(read.status).toBe(200);
    expect(read.json).toEqual(session);
    expect(Object.keys(read.json)).toEqual(["id", "expiration", "userId", "token"]);
  });

  test("D30: DELETE returns 204, then both return 401; other sessions of the user stay", async () => {
    const app = await withSession(true);
    const other = (await app.authenticate(USER, await app.sentCode(USER))).json;
    const ended = await ask("DELETE", app.session.token);
    expect([ended.status, ended.text]).toEqual([204, ""]);
    for (const method of METHODS) expectRefusal(await ask(method, app.session.token), 401, "invalid_token");
    expect((await ask("GET", other.token)).status).toBe(200);
    const items = (await control("GET", `/sessions?appId=${app.appId}`)).json.items;
    expect(items.map(({ state }: { state: string }) => state)).toEqual(["active", "revoked"]);
  });

  test("D30: an expired session returns 401", async () => {
    const { session } = await withSession(true);
    clock.advance(86_400);
    for (const method of METHODS) expectRefusal(await ask(method, session.token), 401, "invalid_token");
    clock.advance(-86_400);
  });

  test("the scheme is case-insensitive; two headers are rejected", async () => {
    const { session } = await withSession(true);
    expect((await auth("GET", SESSION, undefined, { Authorization: `bEARER ${session.token}` })).status).toBe(200);
    const bearer = ["Authorization", `Bearer ${session.token}`];
    const twice = await raw(server().urls.auth + SESSION, { method: "GET", headers: [...bearer, ...bearer] });
    expect(twice.status).toBe(401);
  });

  test("HEAD responds like GET", async () => {
    const { session } = await withSession(true);
    const head = await auth("HEAD", SESSION, undefined, { Authorization: `Bearer ${session.token}` });
    expect([head.status, head.text]).toEqual([200, ""]);
  });
});

describe("D30 without sessionExtensions", () => {
  test("D30: returns 405 unless the setting is on for the token's app, even if it is on for another", async () => {
    const off = await withSession(false);
    for (const method of METHODS) {
      const refused = await ask(method, off.session.token);
      expectRefusal(refused, 405, "method_not_allowed");
      expect(refused.headers.get("Allow")).toBe("POST, PUT");
    }
    await withSession(true);
    for (const method of METHODS) expectRefusal(await ask(method, off.session.token), 405);
  });

  test.each([undefined, "", "x", "a.b.c", "sk_local_demo"])(
    "D30: without a readable token returns 405, or 401 if any app has it on: %j",
    async (token) => {
      for (const method of METHODS) expectRefusal(await ask(method, token), 405, "method_not_allowed");
      await withSession(true);
      for (const method of METHODS) expectRefusal(await ask(method, token), 401, "invalid_token");
    },
  );

  test("follows a change of the setting immediately", async () => {
    const app = await withSession(false);
    expect((await ask("GET", app.session.token)).status).toBe(405);
    await app.patch({ settings: { sessionExtensions: true } });
    expect((await ask("GET", app.session.token)).status).toBe(200);
    await app.patch({ settings: { sessionExtensions: false } });
    expect((await ask("DELETE", app.session.token)).status).toBe(405);
    const items = (await control("GET", `/sessions?appId=${app.appId}`)).json.items;
    expect(items[0].state).toBe("active");
  });

  test("treats a token of a deleted app as no token", async () => {
    const app = await withSession(true);
    await withSession(true);
    await control("DELETE", `/apps/${app.appId}`);
    expectRefusal(await ask("GET", app.session.token), 401, "invalid_token");
  });
});

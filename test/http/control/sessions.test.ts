import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { harness, ISO, NOBODY, UUID } from "./support.ts";

const at = harness();
const { control, auth, app } = at;
const introspect = async (token: string) => (await control("POST", "/sessions/introspect", { token })).json;
const decode = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString());
const claimsOf = (token: string) => decode(token.split(".")[1]);
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

const signedIn = async (fields: object = {}) => {
  const made = await app();
  const profile = await made.profile();
  const reply = await control("POST", "/sessions", { appId: made.appId, userId: profile.userId, ...fields });
  return { ...made, ...profile, reply, session: reply.json, token: reply.json.token as string };
};

describe("POST sessions signs in without a passcode", () => {
  test("returns 201 with the session and its token", async () => {
    const { reply, session, appId, userId } = await signedIn();
    expect(reply.status).toBe(201);
    expect(session).toMatchObject({
      id: expect.stringMatching(UUID),
      seq: expect.any(Number),
      appId,
      userId,
      state: "active",
      requestId: null,
      createdAt: expect.stringMatching(ISO),
      expiresAt: expect.stringMatching(ISO),
      revokedAt: null,
    });
    const { token, ...item } = session;
    expect((await control("GET", `/sessions/${session.id}`)).json).toEqual(item);
    expect(claimsOf(token)).toMatchObject({ sub: userId, jti: session.id, appId });
    expect(claimsOf(token).exp).toBe(Math.floor(Date.parse(session.createdAt) / 1_000 + 86_400));
  });

  test("accepts a lifetime", async () => {
    const { token, session } = await signedIn({ ttlSeconds: 90 });
    expect(claimsOf(token).exp).toBe(Math.floor(Date.parse(session.createdAt) / 1_000 + 90));
    expect(Date.parse(session.expiresAt)).toBe(claimsOf(token).exp * 1000);
  });

  test("rejects an unknown user, an unknown app and an invalid lifetime", async () => {
    const { appId, userId } = await signedIn();
    expect((await control("POST", "/sessions", { appId, userId: NOBODY })).status).toBe(404);
    expect((await control("POST", "/sessions", { appId: "none", userId })).status).toBe(404);
    for (const ttlSeconds of [0, -1, 1.5, 31_536_001, "60"])
      expect(Object.keys((await control("POST", "/sessions", { appId, userId, ttlSeconds })).json)).toEqual([
        "ttlSeconds",
      ]);
    expect((await control("GET", `/sessions?appId=${appId}`)).json.total).toBe(1);
  });
});

describe("GET sessions", () => {
  test("lists newest first, by app, user and state", async () => {
    const { appId, userId, profile, session } = await signedIn();
    const other = await profile();
    const second = (await control("POST", "/sessions", { appId, userId: other.userId })).json;
    const third = (await control("POST", "/sessions", { appId, userId })).json;
    await control("DELETE", `/sessions/${session.id}`);
    const ids = async (query: string) => {
      const { items, total } = (await control("GET", `/sessions?appId=${appId}${query}`)).json;
      expect(items).toHaveLength(total);
      return items.map((item: { id: string }) => item.id);
    };
    expect(await ids("")).toEqual([third.id, second.id, session.id]);
    expect(await ids(`&userId=${userId}`)).toEqual([third.id, session.id]);
    expect(await ids(`&userId=${userId}&state=active`)).toEqual([third.id]);
    expect(await ids("&state=revoked")).toEqual([session.id]);
    expect(await ids("&state=expired")).toEqual([]);
    expect((await control("GET", "/sessions?state=gone")).status).toBe(422);
  });

  test("lists a session from sign-up with its device and request", async () => {
    const { appId } = await app();
    const user = { phone: "+13035557777" };
    const signUp = await auth("POST", "/v1/users/session", { appId, user }, { "User-Agent": "Phone/1.0" });
    const [item] = (await control("GET", `/sessions?appId=${appId}`)).json.items;
    expect(item).toMatchObject({
      id: signUp.json.id,
      device: "Phone/1.0",
      requestId: signUp.headers.get("Emulator-Request-Id"),
    });
  });
});

describe("POST introspect (RFC 7662)", () => {
  test("returns the claims of an active token", async () => {
    const { token, session, userId, appId, phone } = await signedIn();
    expect(await introspect(token)).toEqual({
      active: true,
      ...claimsOf(token),
      client_id: appId,
      token_type: "Bearer",
      username: phone,
    });
    expect(claimsOf(token)).toMatchObject({ jti: session.id, sub: userId, iss: at.server.urls.auth });
    expect(claimsOf(token).aud).toBe(at.server.urls.admin);
  });

  test("returns only active: false for invalid tokens, foreign keys and tampered claims", async () => {
    const { token } = await signedIn();
    const [head = "", body = "", signature = ""] = token.split(".");
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const foreign = sign("sha256", Buffer.from(`${head}.${body}`), { key: privateKey, dsaEncoding: "ieee-p1363" });
    const longer = encode({ ...claimsOf(token), exp: claimsOf(token).exp + 1 });
    const hs256 = encode({ ...decode(head), alg: "HS256" });
    const jwks = (await auth("GET", "/.well-known/jwks.json")).text;
    const mac = createHmac("sha256", jwks).update(`${hs256}.${body}`).digest("base64url");
    for (const wrong of [
      "",
      "x",
      "a.b.c",
      "...",
      `${head}.${body}.`,
      `${head}.${body}`,
      `${head}.${body}.${foreign.toString("base64url")}`,
      `${head}.${longer}.${signature}`,
      `${encode({ alg: "none" })}.${body}.`,
      `${hs256}.${body}.${mac}`,
      `${token}x`,
      "x".repeat(100_000),
    ])
      expect(await introspect(wrong), wrong.slice(0, 60)).toMatchObject({ active: false });
    expect((await introspect(token)).active).toBe(true);
  });

  test("returns 422 on a token that is missing or not a string, and 415 for another content type", async () => {
    expect(Object.keys((await control("POST", "/sessions/introspect", {})).json)).toEqual(["token"]);
    expect((await control("POST", "/sessions/introspect", { token: 5 })).status).toBe(422);
    const form = { "Content-Type": "text/plain" };
    expect((await control("POST", "/sessions/introspect", "token=x", form)).status).toBe(415);
  });

  test("returns active: false when expired, revoked, or its user deleted", async () => {
    const [expired, revoked, deleted] = [await signedIn(), await signedIn(), await signedIn()];
    await control("POST", `/sessions/${expired.session.id}/expire`);
    await control("DELETE", `/sessions/${revoked.session.id}`);
    await control("DELETE", `/profiles/${deleted.userId}`);
    for (const { token } of [expired, revoked, deleted])
      expect(await introspect(token)).toMatchObject({ active: false });
    const late = await signedIn({ ttlSeconds: 60 });
    await control("POST", `/clock/advance?appId=${late.appId}`, { seconds: 61 });
    expect(await introspect(late.token)).toMatchObject({ active: false });
    await control("POST", `/clock/advance?appId=${late.appId}`, { seconds: -60 });
    expect((await introspect(late.token)).active).toBe(true);
  });
});

test("GET :id/token signs again with the same claims, equally valid", async () => {
  const { token, session } = await signedIn();
  const again = await control("GET", `/sessions/${session.id}/token`);
  expect(again.status).toBe(200);
  expect(claimsOf(again.json.token)).toEqual(claimsOf(token));
  expect((await introspect(again.json.token)).active).toBe(true);
  expect((await control("GET", `/sessions/${NOBODY}/token`)).status).toBe(404);
});

test("POST :id/expire returns 200 with what GET returns", async () => {
  const { session } = await signedIn();
  const expired = await control("POST", `/sessions/${session.id}/expire`);
  expect([expired.status, expired.json.state]).toEqual([200, "expired"]);
  expect(Date.parse(expired.json.expiresAt)).toBeLessThanOrEqual(Date.now());
  expect((await control("GET", `/sessions/${session.id}`)).json).toEqual(expired.json);
  expect((await control("POST", `/sessions/${NOBODY}/expire`)).status).toBe(404);
});

describe("DELETE revokes", () => {
  test("one: returns 204 and lists it as revoked with the time; again 204", async () => {
    const { session } = await signedIn();
    expect((await control("DELETE", `/sessions/${session.id}`)).status).toBe(204);
    const { state, revokedAt } = (await control("GET", `/sessions/${session.id}`)).json;
    expect([state, revokedAt]).toEqual(["revoked", expect.stringMatching(ISO)]);
    expect((await control("DELETE", `/sessions/${session.id}`)).status).toBe(204);
    expect((await control("GET", `/sessions/${session.id}`)).json.revokedAt).toBe(revokedAt);
    expect((await control("DELETE", `/sessions/${NOBODY}`)).status).toBe(404);
  });

  test("all of a user, of an app, or of the process", async () => {
    const one = await signedIn();
    const other = await one.profile();
    const second = (await control("POST", "/sessions", { appId: one.appId, userId: other.userId })).json;
    const far = await signedIn();
    const active = async () => {
      const tokens = [one.token, second.token, far.token];
      return await Promise.all(tokens.map(async (token) => (await introspect(token)).active));
    };
    expect((await control("DELETE", `/sessions?appId=${one.appId}&userId=${one.userId}`)).status).toBe(204);
    expect(await active()).toEqual([false, true, true]);
    expect((await control("DELETE", `/sessions?appId=${one.appId}`)).status).toBe(204);
    expect(await active()).toEqual([false, false, true]);
    expect((await control("DELETE", "/sessions?appId=none")).status).toBe(404);
    expect(await active()).toEqual([false, false, true]);
    expect((await control("DELETE", "/sessions")).status).toBe(204);
    expect(await active()).toEqual([false, false, false]);
  });
});

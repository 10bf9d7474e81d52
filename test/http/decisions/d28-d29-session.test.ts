/** service.md 2.2, 5.2.3; D28, D29: the session and its token, verified like a client would. */
import { createLocalJWKSet, createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import type { Reply } from "#test/hosts/client.ts";
import { harness, PHONE, SESSION, type User } from "./support.ts";

const { app: newApp, auth, clock, control, server } = harness();
const USER = { phone: PHONE };
const DAY = 86_400;

const login = async (settings: User = {}) => {
  const app = await newApp({ settings });
  const signedUp = await app.start(USER);
  const session = (await app.authenticate(USER, await app.sentCode(USER))).json;
  return { ...app, signedUp: signedUp.json, session };
};
const jwks = () => createRemoteJWKSet(new URL("/.well-known/jwks.json", server().urls.auth));
const verify = (token: string, more: object = {}) =>
  jwtVerify(token, jwks(), { algorithms: ["ES256"], currentDate: new Date(clock.ms), ...more });
const introspect = async (token: string) => (await control("POST", "/sessions/introspect", { token })).json;
/** The payload as read by a client without base64url support. */
const simply = (token: string) => JSON.parse(atob(token.split(".")[1] ?? ""));

describe("D28 session", () => {
  test("service.md 2.2, D28: has id, expiration, userId, token, in this order, after sign-up and authenticate", async () => {
    const { signedUp, session } = await login();
    for (const answer of [signedUp, session]) {
      expect(Object.keys(answer)).toEqual(["id", "expiration", "userId", "token"]);
      expect(answer.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    }
    expect(session.userId).toBe(signedUp.userId);
    expect(session.id).not.toBe(signedUp.id);
  });

  test("D28: expires 24 h after the whole second of its issue: exp is iat plus the lifetime, whenever it starts", async () => {
    const whole = await login();
    expect(whole.session.expiration).toBe(clock.seconds + DAY);
    clock.advance(0.75);
    const { session } = await login();
    expect(session.expiration).toBe(clock.seconds + DAY);
    const { iat, exp } = decodeJwt(session.token);
    expect([iat, exp]).toEqual([clock.seconds, clock.seconds + DAY]);
    clock.advance(0.25);
  });

  test("with a lifetime of one second ends with the second in which it starts", async () => {
    const app = await newApp();
    const { userId } = (await app.start(USER)).json;
    clock.advance(0.8);
    const made = await control("POST", "/sessions", { appId: app.appId, userId, ttlSeconds: 1 });
    clock.advance(0.199);
    expect((await control("GET", `/sessions/${made.json.id}`)).json.state).toBe("active");
    expect((await introspect(made.json.token)).active).toBe(true);
    clock.advance(0.001);
    expect((await introspect(made.json.token)).active).toBe(false);
  });

  test.each([1, 3_600, 31_536_000])("session.ttlSeconds %i", async (ttlSeconds) => {
    const { signedUp, session } = await login({ session: { ttlSeconds } });
    expect([signedUp.expiration, session.expiration]).toEqual([clock.seconds + ttlSeconds, clock.seconds + ttlSeconds]);
  });

  test("ends exactly at its expiration, and is active again when the clock goes back", async () => {
    const { session } = await login({ sessionExtensions: true });
    const get = () => auth("GET", SESSION, undefined, { Authorization: `Bearer ${session.token}` });
    const state = async () => (await control("GET", `/sessions/${session.id}`)).json.state;
    clock.ms = session.expiration * 1000 - 1;
    expect([(await introspect(session.token)).active, (await get()).status]).toEqual([true, 200]);
    expect(await state()).toBe("active");
    clock.advance(0.001);
    expect(await state()).toBe("expired");
    expect([(await introspect(session.token)).active, (await get()).status]).toEqual([false, 401]);
    clock.advance(-10);
    expect([(await introspect(session.token)).active, (await get()).status]).toEqual([true, 200]);
    clock.advance(-DAY);
  });
});

describe("D29 token", () => {
  test("D29: is an ES256 JWT with kid that verifies against the JWKS", async () => {
    const { session, appId } = await login();
    const { payload, protectedHeader } = await verify(session.token, {
      issuer: server().urls.auth,
      audience: server().urls.admin,
      subject: session.userId,
    });
    expect(protectedHeader.alg).toBe("ES256");
    expect(protectedHeader.kid).toMatch(/./);
    expect(payload).toEqual({
      iss: server().urls.auth,
      aud: server().urls.admin,
      sub: session.userId,
      jti: session.id,
      appId,
      iat: session.expiration - DAY,
      nbf: session.expiration - DAY,
      exp: session.expiration,
    });
  });

  test("D29: has only ASCII claims, readable for clients without base64url support", async () => {
    for (let i = 0; i < 20; i++) {
      const { token, id } = (await (await newApp()).start(USER)).json;
      expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(simply(token).jti).toBe(id);
    }
  });

  test("expires for a client together with the session", async () => {
    const { session } = await login();
    await expect(verify(session.token, { currentDate: new Date(session.expiration * 1000) })).rejects.toThrow(/exp/);
    await expect(
      verify(session.token, { currentDate: new Date((session.expiration - DAY - 1) * 1000) }),
    ).rejects.toThrow(/nbf/);
  });

  test("the JWKS contains only the public key, for anyone", async () => {
    const shown = await auth("GET", "/.well-known/jwks.json");
    expect(shown.status).toBe(200);
    expect(shown.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const [key, ...more] = shown.json.keys;
    expect(more).toEqual([]);
    expect(Object.keys(key).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
    expect(key).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
    const { token } = (await (await newApp()).start(USER)).json;
    expect(decodeProtectedHeader(token).kid).toBe(key.kid);
    const payload = (await jwtVerify(token, createLocalJWKSet(shown.json), { currentDate: new Date(clock.ms) }))
      .payload;
    expect(payload["appId"]).toMatch(/^app-/);
  });

  test("is rejected everywhere after tampering", async () => {
    const { session } = await login();
    const [header = "", payload = "", signature = ""] = session.token.split(".");
    const forged = btoa(JSON.stringify({ ...simply(session.token), sub: "x" })).replace(/=+$/, "");
    const none = btoa('{"alg":"none"}').replace(/=+$/, "");
    for (const token of [
      `${header}.${forged}.${signature}`,
      `${none}.${payload}.`,
      `${header}.${payload}.`,
      "x",
      "",
      "a.b.c",
    ]) {
      await expect(verify(token)).rejects.toThrow();
      expect(await introspect(token)).toMatchObject({ active: false });
    }
  });

  test("token.issuer and token.audience replace the URLs until they are null again", async () => {
    const token = { issuer: "https://id.example.com", audience: "my-api" };
    const { session, patch, ...app } = await login({ token });
    expect((await verify(session.token, token)).payload.sub).toBe(session.userId);
    expect((await introspect(session.token)).active).toBe(true);
    await patch({ settings: { token: { issuer: null, audience: null } } });
    const again = (await app.authenticate(USER, await app.sentCode(USER))).json;
    const { payload } = await verify(again.token);
    expect([payload.iss, payload.aud]).toEqual([server().urls.auth, server().urls.admin]);
    expect((await introspect(session.token)).active).toBe(true);
  });

  test("D29: is not stored; the console signs again with the same claims", async () => {
    const { session, appId } = await login({ token: { issuer: "mine" } });
    clock.advance(100);
    const again: Reply = await control("GET", `/sessions/${session.id}/token`);
    expect((await verify(again.json.token)).payload).toEqual((await verify(session.token)).payload);
    expect((await control("GET", `/state?appId=${appId}&volatile=1`)).text).not.toContain(session.token.slice(-40));
  });

  test("D29: introspection checks session and profile", async () => {
    const { session, signedUp, ...app } = await login();
    expect(await introspect(session.token)).toMatchObject({ active: true, sub: session.userId, username: PHONE });
    await control("DELETE", `/sessions/${session.id}`);
    expect(await introspect(session.token)).toMatchObject({ active: false });
    expect((await introspect(signedUp.token)).active).toBe(true);
    await app.admin("DELETE", `/v1/profiles/${session.userId}`);
    expect(await introspect(signedUp.token)).toMatchObject({ active: false });
  });

  test("a session that was expired manually ends at once, whatever its token says", async () => {
    const { session } = await login();
    expect((await control("POST", `/sessions/${session.id}/expire`)).json.state).toBe("expired");
    expect(await introspect(session.token)).toMatchObject({ active: false });
  });

  test("each authentication creates a session; the older ones stay", async () => {
    const { session, signedUp } = await login();
    expect((await introspect(signedUp.token)).jti).toBe(signedUp.id);
    expect((await introspect(session.token)).jti).toBe(session.id);
  });
});

/** Discovery, an app's algorithm, its own claims, introspection with a form, the clock offset. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRemoteJWKSet, exportJWK, exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { expectInvalid, harness, PHONE, SESSION } from "#test/http/decisions/support.ts";
import { LONG_SECRET, parts, signIns } from "./support.ts";

const host = harness();
const { app: newApp, auth, clock, control, server } = host;
const signIn = signIns(host);
const introspect = async (token: string) => (await control("POST", "/sessions/introspect", { token })).json;
const jwks = async () => (await auth("GET", "/.well-known/jwks.json")).json.keys;
const verify = (token: string) =>
  jwtVerify(token, createRemoteJWKSet(new URL("/.well-known/jwks.json", server().urls.auth)), {
    issuer: server().urls.auth,
    audience: server().urls.admin,
    currentDate: new Date(clock.ms),
  });

test.each(["openid-configuration", "oauth-authorization-server"])("%s points to the keys", async (name) => {
  const found = await auth("GET", `/.well-known/${name}`);
  expect(found.status).toBe(200);
  expect(found.json).toEqual({
    issuer: server().urls.auth,
    jwks_uri: `${server().urls.auth}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: found.json.id_token_signing_alg_values_supported,
    subject_types_supported: ["public"],
    response_types_supported: ["none"],
    "x-emulator": "stagedoor",
  });
  expect(found.json.id_token_signing_alg_values_supported).toContain("ES256");
  expect(found.headers.get("Access-Control-Allow-Origin")).toBe("*");
});

describe("token.algorithm", () => {
  test.each([
    ["ES256", "EC"],
    ["RS256", "RSA"],
    ["EdDSA", "OKP"],
  ])("%s signs with a key in the JWKS that verifiers accept", async (algorithm, kty) => {
    const { session } = await signIn({ algorithm });
    const [header] = parts(session.token);
    expect(header).toMatchObject({ alg: algorithm, typ: "JWT" });
    const published = (await jwks()).find(({ kid }: { kid: string }) => kid === header.kid);
    expect(published).toMatchObject({ kty, alg: algorithm, use: "sig" });
    for (const secret of ["d", "p", "q", "dp", "dq", "qi"]) expect(published).not.toHaveProperty(secret);
    expect((await verify(session.token)).payload.sub).toBe(session.userId);
    expect(await introspect(session.token)).toMatchObject({ active: true, sub: session.userId });
    const { json } = await auth("GET", "/.well-known/openid-configuration");
    expect(json.id_token_signing_alg_values_supported).toContain(algorithm);
  });

  test("HS256 signs with the app's secret and adds nothing to the JWKS", async () => {
    const { session } = await signIn({ algorithm: "HS256" }, { secret: LONG_SECRET });
    expect(parts(session.token)[0]).toEqual({ alg: "HS256", typ: "JWT" });
    const { payload } = await jwtVerify(session.token, Buffer.from(LONG_SECRET), { currentDate: new Date(clock.ms) });
    expect(payload.sub).toBe(session.userId);
    expect(await introspect(session.token)).toMatchObject({ active: true });
    expect((await jwks()).map(({ kty }: { kty: string }) => kty)).not.toContain("oct");
  });

  test("HS256 requires a secret of 32 bytes, whichever of the two is set last, in any call", async () => {
    const hs256 = { token: { algorithm: "HS256" } };
    const [short, enough] = ["x".repeat(31), "x".repeat(32)];
    const field = "settings.token.algorithm";
    expectInvalid(await control("POST", "/apps", { secret: short, settings: hs256 }), field);
    const app = await newApp({ secret: short });
    expectInvalid(await app.patch({ settings: hs256 }), field);
    expect((await app.patch({ secret: enough, settings: hs256 })).status).toBe(200);
    expectInvalid(await app.patch({ secret: `${short.slice(1)}y` }), field);
    expect((await control("POST", `/apps/${app.appId}/secret`)).status).toBe(200);
    const state = { apps: [{ appId: "short", secret: short, settings: hs256 }] };
    expectInvalid(await control("PUT", "/state", { mode: "merge", state }), `apps[0].${field}`);
    expectInvalid(await app.patch({ settings: { token: { algorithm: "RS512" } } }), field);
  });

  test("a token signed before a change of the algorithm stays active", async () => {
    const { session, patch, wrong } = await signIn();
    await patch({ settings: { "token.algorithm": "EdDSA" } });
    expect(await introspect(session.token)).toMatchObject({ active: true });
    expect(parts((await wrong()).json.token)[0].alg).toBe("EdDSA");
    await patch({ settings: { "token.algorithm": null } });
    expect(parts((await wrong()).json.token)[0].alg).toBe("ES256");
  });
});

describe("token.audience", () => {
  test("can be a list, which the token has and verifiers take", async () => {
    const audience = ["https://api.example.com", "https://admin.example.com"];
    const { session, wrong } = await signIn({ audience });
    expect(parts(session.token)[1].aud).toEqual(audience);
    expect(await introspect(session.token)).toMatchObject({ active: true, aud: audience });
    const keys = createRemoteJWKSet(new URL("/.well-known/jwks.json", server().urls.auth));
    for (const one of audience)
      await jwtVerify(session.token, keys, { audience: one, currentDate: new Date(clock.ms) });
    const bad = (await wrong("wrongAudience")).json.token;
    await expect(jwtVerify(bad, keys, { audience, currentDate: new Date(clock.ms) })).rejects.toThrow(/aud/);
    for (const refused of [[], ["a b"], [""], [null], Array(11).fill("a")]) {
      const { status, text } = await control("POST", "/apps", { settings: { token: { audience: refused } } });
      expect(status, text).toBe(422);
      expect(text).toContain("settings.token.audience");
    }
  });
});

describe("token.claims", () => {
  test("adds an object to every token and fills in its placeholders", async () => {
    const claims = {
      scope: "read write",
      roles: ["{metadata.role}", "user"],
      who: { id: "{userId}", greeting: "{name} <{phone}>{email}{metadata.none}", role: "{metadata.role}" },
      level: "{metadata.level}",
      missing: "{email}",
      city: "{metadata.address.city}",
      dotted: "{metadata.a.b}",
      times: ["{issuedAt}", "{expiresAt}", "{signedInAt}", "at {issuedAt}"],
      json: '{"a": 1}',
      n: 7,
    };
    const { session, admin, wrong } = await signIn({ claims });
    await admin("PUT", `/v1/profiles/${session.userId}`, {
      metadata: { role: "admin", level: 3, address: { city: "Oslo" }, "a.b": true },
    });
    const [, payload] = parts((await wrong()).json.token);
    expect(payload).toMatchObject({
      scope: "read write",
      roles: ["admin", "user"],
      who: { id: session.userId, greeting: `Ada <${PHONE}>`, role: "admin" },
      level: 3,
      missing: null,
      city: "Oslo",
      dotted: true,
      times: [payload.iat, payload.exp, payload.iat, `at ${payload.iat}`],
      json: '{"a": 1}',
      n: 7,
      sub: session.userId,
    });
    expect(await introspect(session.token)).toMatchObject({ active: true });
    expect(parts((await wrong(undefined, { scope: "none", extra: "{name}" })).json.token)[1]).toMatchObject({
      scope: "none",
      extra: "Ada",
      n: 7,
    });
  });

  test("a placeholder that there is not is refused, with the nearest; a path that a user does not have is null", async () => {
    for (const [text, near] of [
      ["{emial}", "{email}"],
      ["Hi {user.name}", "{name}"],
      ["{issued_at}", "{issuedAt}"],
      ["{metdata.role}", "{metadata.<key>}"],
    ]) {
      const refused = await control("POST", "/apps", { settings: { token: { claims: { who: [{ is: text }] } } } });
      expectInvalid(refused, "settings.token.claims.who[0].is");
      expect(refused.text).toContain(`did you mean ${near}?`);
      expectInvalid(await (await signIn()).wrong(undefined, { is: text }), "claims.is");
    }
    const { wrong } = await signIn({ claims: { deep: "{metadata.a.b.c}" } });
    expect(parts((await wrong()).json.token)[1]).toMatchObject({ deep: null });
  });

  test("a token of more than 8 kB is warned about in its request", async () => {
    const { session, admin, appId } = await signIn({ claims: { all: "{metadata.all}" } });
    await admin("PUT", `/v1/profiles/${session.userId}`, { metadata: { all: "x".repeat(9_000) } });
    const newest = async () => (await control("GET", `/requests?appId=${appId}&limit=1&listener=auth`)).json.items[0];
    const { code } = (await control("POST", "/passcodes", { appId, userId: session.userId })).json;
    const done = await auth("PUT", "/v1/users/session", { appId, user: { phone: PHONE }, passcode: code });
    expect(done.json.token.length).toBeGreaterThan(12_000);
    expect((await newest()).warnings).toEqual([
      `The token has ${done.json.token.length} characters; many servers reject headers of more than 8 kB.`,
    ]);
  });

  test.each(["iss", "aud", "sub", "jti", "appId", "iat", "nbf", "exp"])("%s cannot be overridden", async (name) => {
    expectInvalid(
      await control("POST", "/apps", { settings: { token: { claims: { [name]: 1 } } } }),
      `settings.token.claims.${name}`,
    );
    expectInvalid(await (await signIn()).wrong(undefined, { [name]: 1 }), `claims.${name}`);
  });

  test.each([
    ["text", "no object"],
    ["list", [1]],
    ["large", { x: "x".repeat(5_000) }],
  ])("%s returns 422", async (_, claims) => {
    expectInvalid(await control("POST", "/apps", { settings: { token: { claims } } }), "settings.token.claims");
  });
});

describe("introspection", () => {
  const form = (body: string) =>
    control("POST", "/sessions/introspect", body, { "Content-Type": "application/x-www-form-urlencoded" });

  test("accepts a form, like RFC 7662", async () => {
    const { session } = await signIn();
    const found = await form(new URLSearchParams({ token: session.token, token_type_hint: "access_token" }).toString());
    expect(found.status).toBe(200);
    expect(found.json).toMatchObject({ active: true, sub: session.userId });
    expectInvalid(await form("tokn=x"), "token", "tokn");
    expectInvalid(await form("token=x&token=y"), "token");
  });

  test("is the only call that accepts a form", async () => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    expect((await control("POST", "/apps", "name=x", headers)).status).toBe(415);
    expect((await auth("POST", SESSION, "appId=x", headers)).status).toBe(415);
  });

  test("respects nbf", async () => {
    const { session } = await signIn();
    clock.advance(-60);
    expect(await introspect(session.token)).toEqual({ active: false, reason: "not_yet_valid" });
    clock.advance(60);
    expect(await introspect(session.token)).toMatchObject({ active: true });
  });
});

describe("Emulator-Clock-Offset", () => {
  const offsetOf = async (appId: string) =>
    (await auth("POST", SESSION, { appId, user: {} })).headers.get("Emulator-Clock-Offset");

  test("is in auth's responses, in seconds, while the app's clock differs from real time", async () => {
    const app = await newApp();
    expect(await offsetOf(app.appId)).toBeNull();
    await control("POST", `/clock/advance?appId=${app.appId}`, { seconds: 3_600.4 });
    expect(await offsetOf(app.appId)).toBe("3600");
    expect(await offsetOf((await newApp()).appId)).toBeNull();
    await control("PUT", `/clock?appId=${app.appId}`, { frozenAt: new Date(clock.ms - 5_000).toISOString() });
    expect(await offsetOf(app.appId)).toBe("-5");
    expect((await app.admin("GET", "/v1/profiles")).headers.has("Emulator-Clock-Offset")).toBe(false);
    await control("PUT", `/clock?appId=${app.appId}`, {});
    expect(await offsetOf(app.appId)).toBeNull();
    const exposed = (await auth("GET", "/.well-known/jwks.json")).headers.get("Access-Control-Expose-Headers");
    expect(exposed).toContain("Emulator-Clock-Offset");
  });

  test("follows the clock of all apps, and a deterministic app's own", async () => {
    const app = await newApp({ settings: { deterministic: { seed: 1 } } });
    expect(Number(await offsetOf(app.appId))).toBeLessThan(-86_400);
    await control("PUT", "/clock", { offsetSeconds: -90 });
    expect(await offsetOf((await newApp()).appId)).toBe("-90");
    expect((await auth("GET", "/.well-known/jwks.json")).headers.get("Emulator-Clock-Offset")).toBe("-90");
    await control("PUT", "/clock", {});
  });
});

describe("keys", () => {
  const folder = (): string => {
    const dir = mkdtempSync(join(tmpdir(), "stagedoor-keys-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    return dir;
  };

  test("generated on demand survive a restart and are never shown", async () => {
    const config = { dataDir: join(folder(), "data"), durability: "process" } as const;
    let running = await startInProcess({ config });
    const { auth, control } = clientsOf(() => running);
    const tokens: string[] = [];
    for (const algorithm of ["RS256", "EdDSA"]) {
      await control("PATCH", "/apps/demo-app", { settings: { token: { algorithm } } });
      tokens.push(
        (await auth("POST", SESSION, { appId: "demo-app", user: { phone: `+1202555013${tokens.length}` } })).json.token,
      );
    }
    const before = (await auth("GET", "/.well-known/jwks.json")).json;
    await control("PUT", "/snapshots/kept");
    await running.close();
    const stored = JSON.parse(readFileSync(join(config.dataDir, "stagedoor.json"), "utf8"));
    const secrets: string[] = [stored.key.d, ...stored.keys.map(({ d }: { d: string }) => d)];
    expect(secrets).toHaveLength(3);
    running = await startInProcess({ config });
    try {
      expect((await auth("GET", "/.well-known/jwks.json")).json).toEqual(before);
      for (const token of tokens)
        expect((await control("POST", "/sessions/introspect", { token })).json).toMatchObject({ active: true });
      const snapshots = join(config.dataDir, "snapshots");
      const saved = readdirSync(snapshots).map((name) => readFileSync(join(snapshots, name), "utf8"));
      expect(saved).toHaveLength(1);
      const shown = [
        (await control("GET", "/state?volatile=1")).text,
        (await control("GET", "/requests")).text,
        JSON.stringify(before),
        ...saved,
      ].join();
      for (const secret of secrets) expect(shown).not.toContain(secret);
    } finally {
      await running.close();
    }
  });

  test.each(["ES256", "RS256", "EdDSA"])("--signing-key: an own %s key signs and is never stored", async (alg) => {
    const { privateKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: "my-key", alg };
    for (const text of [await exportPKCS8(privateKey), JSON.stringify(jwk)]) {
      const dir = folder();
      const signingKey = join(dir, "key");
      writeFileSync(signingKey, text);
      const config = { dataDir: join(dir, "data"), durability: "process", signingKey } as const;
      const running = await startInProcess({ config });
      const { auth, control } = clientsOf(() => running);
      try {
        const { token } = (await auth("POST", SESSION, { appId: "demo-app", user: { phone: PHONE } })).json;
        const { keys } = (await auth("GET", "/.well-known/jwks.json")).json;
        expect(keys).toHaveLength(1);
        expect(keys[0]).toMatchObject({ alg, ...("x" in jwk ? { x: jwk.x } : { n: jwk.n }) });
        expect(parts(token)[0]).toMatchObject({ alg, kid: keys[0].kid });
        if (text.startsWith("{")) expect(keys[0].kid).toBe("my-key");
        expect((await control("POST", "/sessions/introspect", { token })).json).toMatchObject({ active: true });
        const { json } = await auth("GET", "/.well-known/openid-configuration");
        expect(json.id_token_signing_alg_values_supported).toEqual([alg]);
      } finally {
        await running.close();
      }
      expect(readFileSync(join(config.dataDir, "stagedoor.json"), "utf8")).not.toContain(jwk.d);
    }
  });

  test.each<[name: string, text: () => Promise<string>]>([
    ["no key", async () => "hello"],
    ["an empty file", async () => ""],
    ["other JSON", async () => "{}"],
    ["a public key", async () => JSON.stringify(await exportJWK((await generateKeyPair("ES256")).publicKey))],
    ["another curve", async () => exportPKCS8((await generateKeyPair("ES384", { extractable: true })).privateKey)],
    [
      "another algorithm",
      async () => {
        const { privateKey } = await generateKeyPair("RS256", { extractable: true });
        return JSON.stringify({ ...(await exportJWK(privateKey)), alg: "RS512" });
      },
    ],
  ])("--signing-key: %s fails the start and names the file", async (_, text) => {
    const signingKey = join(folder(), "key.pem");
    writeFileSync(signingKey, await text());
    await expect(startInProcess({ config: { signingKey } })).rejects.toMatchObject({
      exitStatus: 1,
      message: expect.stringContaining(signingKey),
    });
  });

  test("--signing-key: a missing file fails the start", async () => {
    const signingKey = join(folder(), "none");
    await expect(startInProcess({ config: { signingKey } })).rejects.toMatchObject({ exitStatus: 1 });
  });
});

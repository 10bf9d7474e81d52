/** Discovery names an app's own issuer at the URL that is exactly its `token.issuer`. */
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, customFetch as fetchKeys, jwtVerify } from "jose";
import { allowInsecureRequests, customFetch, discovery } from "openid-client";
import { Agent, request } from "undici";
import { describe, expect, test } from "vitest";
import { harness, OTHER_PHONE, PHONE } from "#test/http/decisions/support.ts";
import { send } from "#test/http/guards/raw.ts";

const { app: newApp, auth, control, server, clock } = harness({ config: { tls: true } });
const CONFIGURATION = "/.well-known/openid-configuration";
const DOCUMENTS = [CONFIGURATION, "/.well-known/oauth-authorization-server"];

/** @returns the origins of auth on this machine: http and https, by address and by name. */
const origins = (): string[] => {
  const { port } = new URL(server().urls.auth);
  const tls = new URL(server().authTlsUrl ?? "").port;
  return ["127.0.0.1", "localhost"].flatMap((host) => [`http://${host}:${port}`, `https://${host}:${tls}`]);
};
/** @returns a GET of bodies that trusts Stagedoor's certificate authority. */
const trusting = async () => {
  const { ca } = (await control("GET", "/tls")).json;
  const dispatcher = new Agent({ connect: { ca: ca.pem } });
  return async (url: string): Promise<Response> => {
    const { statusCode: status, headers, body } = await request(url, { dispatcher });
    return new Response(await body.text(), { status, headers: { "Content-Type": String(headers["content-type"]) } });
  };
};
/** @param hosts the values of its Host headers. */
const asking = (path: string, ...hosts: readonly string[]) =>
  send(server().urls.auth, [`GET ${path} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`)]);
/** As a backend does it that is configured with an issuer alone. @returns what openid-client found there. */
const discover = async (issuer: string, algorithm: "oidc" | "oauth2" = "oidc") => {
  const found = await discovery(new URL(issuer), "client", undefined, undefined, {
    algorithm,
    execute: [allowInsecureRequests],
    [customFetch]: await trusting(),
  });
  return found.serverMetadata();
};

describe("an app whose token.issuer is the URL asked", () => {
  test("openid-client discovers it below /apps/:appId, by http and https, by address and name", async () => {
    const app = await newApp();
    for (const origin of origins()) {
      const issuer = `${origin}/apps/${app.appId}`;
      await app.patch({ settings: { token: { issuer, algorithm: "EdDSA" } } });
      for (const algorithm of ["oidc", "oauth2"] as const) {
        const found = await discover(issuer, algorithm);
        expect(found.issuer).toBe(issuer);
        expect(found.id_token_signing_alg_values_supported).toEqual(["EdDSA"]);
        expect(new URL(found.jwks_uri ?? "").origin).toBe(origin);
      }
    }
  });

  test("openid-client discovers it at the origin, and the keys there verify its tokens", async () => {
    for (const issuer of origins().filter((origin) => origin !== server().urls.auth)) {
      const app = await newApp({ settings: { token: { issuer, algorithm: "RS256" } } });
      const found = await discover(issuer);
      expect(found).toMatchObject({ issuer, id_token_signing_alg_values_supported: ["RS256"] });
      const { token } = (await app.start({ phone: PHONE })).json;
      const keys = createRemoteJWKSet(new URL(found.jwks_uri ?? ""), { [fetchKeys]: await trusting() });
      const { payload } = await jwtVerify(token, keys, { issuer, currentDate: new Date(clock.ms) });
      expect(payload).toMatchObject({ appId: app.appId });
    }
  });

  test("any address of the machine is one: the Host header counts, in lower case", async () => {
    const app = await newApp();
    for (const host of ["[::1]:4011", "192.168.1.20:4011", "Laptop.local:4011", "localhost"]) {
      const issuer = `http://${host.toLowerCase()}/apps/${app.appId}`;
      await app.patch({ settings: { token: { issuer } } });
      const { body } = await asking(`/apps/${app.appId}${CONFIGURATION}`, host);
      expect(JSON.parse(body)).toMatchObject({ issuer, jwks_uri: `${issuer}/.well-known/jwks.json` });
    }
  });

  test("several apps of one issuer: all of their algorithms are listed", async () => {
    const issuer = `http://localhost:${new URL(server().urls.auth).port}`;
    const [first, second] = [await newApp({ settings: { token: { issuer } } }), await newApp()];
    await second.patch({ settings: { token: { issuer, algorithm: "EdDSA" } } });
    const { id_token_signing_alg_values_supported: listed } = await discover(issuer);
    expect(listed).toEqual(expect.arrayContaining(["ES256", "EdDSA"]));
    for (const { appId } of [first, second]) await control("DELETE", `/apps/${appId}`);
  });
});

test("discovery follows a rotation and a change of algorithm: what signs now first, then what is still valid", async () => {
  const app = await newApp();
  const issuer = `http://localhost:${new URL(server().urls.auth).port}/apps/${app.appId}`;
  await app.patch({ settings: { token: { issuer } } });
  const listed = async () => (await discover(issuer)).id_token_signing_alg_values_supported;
  const signIn = async (phone: string): Promise<string> => (await app.start({ phone })).json.token;
  const rotate = async (algorithm: string) =>
    expect((await control("POST", "/signing-keys/rotate", { algorithm })).status).toBe(200);
  const retireOf = async (token: string) =>
    expect((await control("DELETE", `/signing-keys/${decodeProtectedHeader(token).kid}`)).status).toBe(204);
  const verify = async (token: string) => {
    const { jwks_uri: url = "", id_token_signing_alg_values_supported: algorithms } = await discover(issuer);
    const options = { issuer, currentDate: new Date(clock.ms), ...(algorithms && { algorithms }) };
    return (await jwtVerify(token, createRemoteJWKSet(new URL(url)), options)).protectedHeader.alg;
  };

  const first = await signIn(PHONE);
  await rotate("ES256");
  const second = await signIn(OTHER_PHONE);
  expect(await listed()).toEqual(["ES256"]);
  await app.patch({ settings: { token: { issuer, algorithm: "EdDSA" } } });
  expect(await listed()).toEqual(["EdDSA", "ES256"]);
  const third = await signIn("+12025550144");
  await rotate("EdDSA");
  expect(await listed()).toEqual(["EdDSA", "ES256"]);
  for (const token of [first, second, third]) expect(await verify(token)).toMatch(/^E[dS]/);

  // The second one's key is the current one of ES256, so its session goes instead.
  await retireOf(first);
  expect(await listed()).toEqual(["EdDSA", "ES256"]);
  await control("DELETE", `/sessions/${decodeJwt(second).jti}`);
  expect(await listed()).toEqual(["EdDSA"]);
  await expect(verify(first)).rejects.toThrow();
  expect(await verify(third)).toBe("EdDSA");
});

describe("any other app", () => {
  test.each([
    ["has no issuer", () => null],
    ["has another URL", (url: string) => url.replace("http:", "https:")],
    ["has the URL with a slash", (url: string) => `${url}/`],
    ["has the URL of another app", (url: string) => `${url}2`],
  ])("%s: the documents are those of the auth URL", async (_, issuerOf) => {
    const { appId, patch } = await newApp();
    await patch({ settings: { token: { issuer: issuerOf(`${server().urls.auth}/apps/${appId}`) } } });
    const usual = (await auth("GET", CONFIGURATION)).json;
    expect(usual.issuer).toBe(server().urls.auth);
    for (const path of DOCUMENTS) {
      const found = await auth("GET", `/apps/${appId}${path}`);
      expect([found.status, found.json]).toEqual([200, usual]);
      expect(found.headers.get("Access-Control-Allow-Origin")).toBe("*");
    }
  });

  test("one whose URL below its path is the issuer of another app", async () => {
    const [asked, claims] = [await newApp(), await newApp()];
    const issuer = `${server().urls.auth}/apps/${asked.appId}`;
    await claims.patch({ settings: { token: { issuer, algorithm: "RS256" } } });
    const usual = (await auth("GET", CONFIGURATION)).json;
    for (const path of DOCUMENTS)
      expect((await auth("GET", `/apps/${asked.appId}${path}`)).json).toEqual({ ...usual, issuer: server().urls.auth });

    await asked.patch({ settings: { token: { issuer, algorithm: "EdDSA" } } });
    const { issuer: named, id_token_signing_alg_values_supported: listed } = await discover(issuer);
    expect([named, listed]).toEqual([issuer, ["EdDSA"]]);
  });

  test("one that says the auth URL itself hides no algorithm of the others", async () => {
    const { patch } = await newApp();
    await patch({ settings: { token: { issuer: server().urls.auth, algorithm: "EdDSA" } } });
    const { json } = await auth("GET", CONFIGURATION);
    expect(json.id_token_signing_alg_values_supported).toEqual(expect.arrayContaining(["ES256", "EdDSA"]));
  });
});

test("below an app are the same keys", async () => {
  const { appId } = await newApp();
  const keys = await auth("GET", `/apps/${appId}/.well-known/jwks.json`);
  expect(keys.json).toEqual((await auth("GET", "/.well-known/jwks.json")).json);
});

test("an unknown app is a 404 that names no other; a Host header that is none stays a 400", async () => {
  for (const path of [...DOCUMENTS.map((path) => `/apps/ghost${path}`), `${DOCUMENTS[1]}/apps/ghost`]) {
    const missing = await auth("GET", path);
    expect([missing.status, missing.reason]).toEqual([404, "unknown_record"]);
    expect(missing.json.instruction).toBe('No app "ghost"');
  }
  for (const hosts of [[], ["a b"], ["x", "y"]]) {
    const { status, head } = await asking(CONFIGURATION, ...hosts);
    expect(status).toBe(400);
    expect(head.toLowerCase()).toContain("emulator-reason: bad_host");
  }
});

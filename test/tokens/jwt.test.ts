import fc from "fast-check";
import { CompactSign, compactVerify, importJWK } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { epochMs, isoInstant, type JsonObject } from "#contract/scalars.ts";
import type { TokenClaims, Tokens } from "#contract/service/tokens.ts";
import { openTokens } from "#tokens/jwt.ts";
import { createSigningKey, keyError, readKeyFile, readSigningKey } from "#tokens/keys.ts";

const claims: TokenClaims = {
  iss: "http://127.0.0.1:4011",
  aud: "http://127.0.0.1:4010",
  sub: "7b1f2d0c-5a1e-4b0c-9a55-0c6b8f1d2e3a",
  jti: "0b9c8f9e-3a53-4c9f-8a0e-6f1d2c3b4a59",
  appId: "demo-app",
  iat: 1_790_000_000,
  nbf: 1_790_000_000,
  exp: 1_790_086_400,
};

const SIGNING = { secret: "" };
const BIRTH = { createdAt: isoInstant(epochMs(0)), seq: 0 };
const openStored = (key: JsonObject, store: (keys: readonly JsonObject[]) => Promise<void>): Tokens =>
  openTokens({ stored: [readSigningKey(key)], store, birth: () => BIRTH, hmacSecretOf: () => undefined });
const open = (key: JsonObject): Tokens => openStored(key, async () => undefined);

let stored: JsonObject;
let tokens: Tokens;
let keys: readonly JsonObject[];
beforeAll(async () => {
  stored = (await createSigningKey("ES256")).privateJwk;
  tokens = open(stored);
  keys = await tokens.keys(["ES256"]);
});

test.each([
  [{ use: "sig" }, undefined],
  [{ key_ops: ["sign"], use: "sig" }, undefined],
  [{ use: "enc" }, 'The signing key has "use": "enc", but it must be for signatures: "sig".'],
  [{ key_ops: ["deriveKey", "deriveBits"] }, 'The signing key has "key_ops" without "sign".'],
  [{ key_ops: "sign" }, 'The signing key has "key_ops" without "sign".'],
])("your own key with %j: %s", (more, error) => {
  const text = JSON.stringify({ ...stored, ...more });
  if (error === undefined) expect(readKeyFile(text).publicJwk).toMatchObject({ use: "sig", kid: stored["kid"] });
  else expect(() => readKeyFile(text)).toThrow(error);
});

const sign = (of: TokenClaims) => tokens.sign(of, SIGNING);
/** The claims of a token; undefined if it is not one of ours. */
const read = async (token: string) => {
  const found = await tokens.read(token);
  return "claims" in found ? found.claims : undefined;
};

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const part = (token: string, index: number): string => token.split(".")[index] ?? "";
const decoded = (text: string): string => Buffer.from(text, "base64url").toString("utf8");

describe("D29: a session token", () => {
  test("is a JWT with ES256, the key's kid, and the claims in order", async () => {
    const token = await sign(claims);
    expect(decoded(part(token, 0))).toBe(`{"alg":"ES256","kid":${JSON.stringify(stored["kid"])},"typ":"JWT"}`);
    expect(decoded(part(token, 1))).toBe(JSON.stringify(claims));
    const shuffled = Object.fromEntries(Object.entries(claims).reverse());
    const again = await sign({ ...claims, ...shuffled });
    expect(part(again, 1)).toBe(part(token, 1));
  });

  // A number of a signature that begins with zeros is shorter in ASN.1: one in 128 signatures has one.
  test("has a signature of 64 bytes that jose verifies, whatever its numbers", async () => {
    const key = await importJWK({ ...keys[0] }, "ES256");
    for (let jti = 0; jti < 1_500; jti++) {
      const token = await sign({ ...claims, jti: `session-${jti}` });
      expect(Buffer.from(part(token, 2), "base64url")).toHaveLength(64);
      await compactVerify(token, key, { algorithms: ["ES256"] });
    }
  });

  test("yields its claims, whatever the time", async () => {
    const old = { ...claims, iat: 1, nbf: 1, exp: 2 };
    expect(await read(await sign(old))).toEqual(old);
  });
});

describe("rejects", () => {
  test("a token with any character changed", async () => {
    const token = await sign(claims);
    const refuses = async (at: number, other: string): Promise<void> => {
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      expect(await read(changed), `${other} at ${at}`).toBeUndefined();
    };
    for (let at = 0; at < token.length; at++) await refuses(at, token[at] === "A" ? "B" : "A");
    // The last character of a part has bits that stand for nothing: a lenient decoder reads several as the same bytes.
    const ends = [token.indexOf("."), token.lastIndexOf("."), token.length].map((end) => end - 1);
    for (const at of ends) for (const other of BASE64URL) if (other !== token[at]) await refuses(at, other);
    for (const bad of ["", ".", "..", "...", `${token}.`, `${token}=`, ` ${token}`, token.slice(0, -1)])
      expect(await read(bad)).toBeUndefined();
  });

  test("arbitrary text", async () => {
    const header = part(await sign(claims), 0);
    const segment = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map((text) => btoa(encodeURI(text))),
    );
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(segment, { maxLength: 5 }).map((s) => s.join(".")),
      fc.array(segment, { maxLength: 3 }).map((s) => [header, ...s].join(".")),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await read(text)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test("an extension that a verifier must understand (RFC 7515 4.1.11)", async () => {
    const key = await importJWK(stored, "ES256");
    const header = { alg: "ES256", kid: String(stored["kid"]) };
    const bytes = new TextEncoder().encode(JSON.stringify(claims));
    expect(await read(await new CompactSign(bytes).setProtectedHeader(header).sign(key))).toEqual(claims);
    const extended = new CompactSign(bytes).setProtectedHeader({ ...header, b64: true, crit: ["b64"] });
    expect(await read(await extended.sign(key))).toBeUndefined();
  });

  test.each([
    ["no kid", {}, claims],
    ["an unknown kid", { kid: "other" }, claims],
    ["no claims", undefined, []],
    ["a text for a time", undefined, { ...claims, exp: "1790086400" }],
    ["a fraction of a second", undefined, { ...claims, iat: 0.5 }],
    ["a missing claim", undefined, { ...claims, appId: undefined }],
    ["a number for an id", undefined, { ...claims, sub: 7 }],
  ])("a token signed with our key, but with %s", async (_name, header, body) => {
    const key = await importJWK({ kty: "EC", crv: "P-256", ...Object.fromEntries(Object.entries(stored)) }, "ES256");
    const token = await new CompactSign(new TextEncoder().encode(JSON.stringify(body)))
      .setProtectedHeader({ alg: "ES256", ...(header ?? { kid: String(stored["kid"]) }) })
      .sign(key);
    expect(await read(token)).toBeUndefined();
  });
});

describe("the signing key", () => {
  test("is generated anew each time", async () => {
    const { kid, privateJwk } = await createSigningKey("ES256");
    expect(kid).not.toBe(stored["kid"]);
    expect(await open(privateJwk).read(await sign(claims))).toEqual({ refusal: "unknown_kid" });
  });

  test.each([
    ["another key type", { kty: "RSA" }],
    ["another curve", { crv: "P-384" }],
    ["no private part", { d: null }],
    ["no kid", { kid: "" }],
    ["a point that is not on the curve", { x: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
  ])("is rejected when damaged: %s", async (_name, damage) => {
    const error = keyError({ ...stored, ...damage });
    expect(error).toBeTypeOf("string");
    expect(error).not.toContain(String(stored["d"]));
    expect(() => open({ ...stored, ...damage })).toThrow(error);
  });
});

test.each(["ES256", "RS256"] as const)(
  "a %s key with the public part of another key is rejected",
  async (algorithm) => {
    const [own, other] = [await createSigningKey(algorithm), await createSigningKey(algorithm)];
    const { kty, use, alg, kid, ...foreign } = other.publicJwk;
    expect(keyError(own.privateJwk)).toBeUndefined();
    expect(keyError({ ...own.privateJwk, ...foreign })).toMatch(/not a valid private key/);
  },
);

describe("the key of another algorithm", () => {
  const RS256 = { secret: "", algorithm: "RS256" } as const;
  const opened = (store: (keys: readonly JsonObject[]) => Promise<void>): Tokens => openStored(stored, store);

  test("is created once for two first sign-ins at the same time", async () => {
    let kept: readonly JsonObject[] = [];
    const both = opened(async (keys) => {
      kept = keys;
    });
    const signed = await Promise.all([both.sign(claims, RS256), both.sign(claims, RS256)]);
    expect(kept).toHaveLength(2);
    for (const token of signed) {
      expect(JSON.parse(decoded(part(token, 0)))).toMatchObject({ alg: "RS256", kid: kept[1]?.["kid"] });
      expect(await both.read(token)).toEqual({ claims });
    }
    expect((await both.keys(["ES256", "RS256"])).map(({ alg }) => alg)).toEqual(["ES256", "RS256"]);
  });

  test("signs nothing unless it was stored, and the next sign-in tries again", async () => {
    let tries = 0;
    const retried = opened(async () => {
      tries += 1;
      if (tries === 1) throw new Error("the disk is full");
    });
    await expect(retried.sign(claims, RS256)).rejects.toThrow("the disk is full");
    expect(await retried.read(await retried.sign(claims, RS256))).toEqual({ claims });
    expect(tries).toBe(2);
  });
});

test("the id of a new key never begins with a dash, with which it would be an option of the command line", async () => {
  const made = await Promise.all(Array.from({ length: 1_000 }, () => createSigningKey("EdDSA")));
  expect(made.filter(({ kid }) => kid.startsWith("-"))).toEqual([]);
});

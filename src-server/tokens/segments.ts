/** Encodes, decodes and signs the parts of a JWT (RFC 7515 3.1). */
import { Buffer } from "node:buffer";
import { createHmac, createPrivateKey, type KeyObject, sign } from "node:crypto";
import type { CryptoKey, KeyInput } from "jose";
import type { JsonObject } from "#contract/scalars.ts";
import type { OwnClaims, TokenAlgorithm } from "#contract/service/token-claims.ts";
import type { TokenClaims } from "#contract/service/tokens.ts";

/** @returns the value of a segment; undefined if it is not JSON in UTF-8. */
export const jsonOf = (segment: string): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(segment, "base64url")));
  } catch {
    return undefined;
  }
};

/** @returns a value as a segment. */
export const jwtSegment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** @param more custom claims. @returns the payload: the claims in the order of `TokenClaims`, then the others. */
export const payload = (
  { iss, aud, sub, jti, appId, iat, nbf, exp }: Partial<TokenClaims>,
  more: OwnClaims | undefined,
): Uint8Array => new TextEncoder().encode(JSON.stringify({ iss, aud, sub, jti, appId, iat, nbf, exp, ...more }));

/** Opened keys: opening one takes three times as long as a signature. */
const opened = new WeakMap<JsonObject, KeyObject>();
const openedKey = (key: JsonObject): KeyObject => {
  const known = opened.get(key) ?? createPrivateKey({ key, format: "jwk" });
  opened.set(key, known);
  return known;
};

/**
 * @param der a signature as two ASN.1 integers. @returns 32 bytes of each (RFC 7518 3.4). On Node 24 the option
 * `dsaEncoding`, which does the same, takes as long as the signature.
 */
const twoNumbers = (der: Buffer): Buffer => {
  const both = Buffer.alloc(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    const from = at + 2 + Math.max(0, length - 32);
    at += 2 + length;
    der.copy(both, end - (at - from), from, at);
  }
  return both;
};

/** @returns the signature (RFC 7518 3), made on this thread: handing it to another one takes longer. */
const signatureOf = (text: string, key: JsonObject | Uint8Array, alg: TokenAlgorithm): Buffer => {
  if (key instanceof Uint8Array) return createHmac("sha256", key).update(text).digest();
  const digest = alg === "EdDSA" ? null : "sha256";
  const signature = sign(digest, Buffer.from(text), openedKey(key));
  return alg === "ES256" ? twoNumbers(signature) : signature;
};

/** @param key a private JWK, or the bytes of a secret. @param kid undefined: none. @returns the token. */
export const signed = (bytes: Uint8Array, key: JsonObject | Uint8Array, alg: TokenAlgorithm, kid?: string): string => {
  const header = { alg, ...(kid === undefined ? {} : { kid }), typ: "JWT" };
  const text = `${jwtSegment(header)}.${Buffer.from(bytes).toString("base64url")}`;
  return `${text}.${signatureOf(text, key, alg).toString("base64url")}`;
};

/** Loads jose with the first token that is read, because that takes a tenth of the start time; and only what is named here. */
const loadJose = async () => {
  const { compactVerify, importJWK } = await import("jose");
  return { compactVerify, importJWK };
};
let loading: ReturnType<typeof loadJose> | undefined;
const jose = () => {
  loading ??= loadJose();
  return loading;
};

/** Imported keys: importing takes as long as half a signature. */
const imported = new WeakMap<object, Promise<CryptoKey | Uint8Array>>();
const importedKey = async (key: KeyInput, alg: string) => {
  if (key instanceof Uint8Array || !("kty" in key)) return key;
  const ready = imported.get(key) ?? (await jose()).importJWK(key, alg);
  imported.set(key, ready);
  return await ready;
};

/** @param key a public JWK, or the bytes of a secret. @throws Error if this key did not sign the token with `alg`. */
export const verify = async (token: string, key: KeyInput, alg: string): Promise<void> => {
  const { compactVerify } = await jose();
  await compactVerify(token, await importedKey(key, alg), { algorithms: [alg] });
};

/** Encodes, decodes and signs the parts of a JWT (RFC 7515 3.1). */
import { Buffer } from "node:buffer";
import type { CryptoKey, KeyInput } from "jose";
import type { OwnClaims } from "#contract/token-claims.ts";
import type { TokenClaims } from "#contract/tokens.ts";

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

/** Loads jose with the first token, because that takes a tenth of the start time; and only what is named here. */
const loadJose = async () => {
  const { CompactSign, compactVerify, importJWK } = await import("jose");
  return { CompactSign, compactVerify, importJWK };
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

/** @param key a private JWK, or the bytes of a secret. @param kid undefined: none. @returns the token. */
export const signed = async (bytes: Uint8Array, key: KeyInput, alg: string, kid?: string): Promise<string> => {
  const { CompactSign } = await jose();
  const header = { alg, ...(kid === undefined ? {} : { kid }), typ: "JWT" };
  return await new CompactSign(bytes).setProtectedHeader(header).sign(await importedKey(key, alg));
};

/** @param key a public JWK, or the bytes of a secret. @throws Error if this key did not sign the token with `alg`. */
export const verify = async (token: string, key: KeyInput, alg: string): Promise<void> => {
  const { compactVerify } = await jose();
  await compactVerify(token, await importedKey(key, alg), { algorithms: [alg] });
};

/** Defective tokens (CONTRACT 11) whose header or signature is wrong. */
import { Buffer } from "node:buffer";
import { createPublicKey } from "node:crypto";
import { isJsonObject } from "#contract/scalars.ts";
import type { Defect } from "#contract/token-defects.ts";
import type { Signing, TokenClaims } from "#contract/tokens.ts";
import { createSigningKey, type SigningKey } from "./keys.ts";
import { jsonOf, payload, segment } from "./segments.ts";

const DAY_SECONDS = 86_400;

/** @param kid undefined: none. */
const signedBy = async (key: SigningKey, kid: string | undefined, bytes: Uint8Array): Promise<string> => {
  const { CompactSign, importJWK } = await import("jose");
  const header = { alg: key.algorithm, ...(kid === undefined ? {} : { kid }), typ: "JWT" };
  return await new CompactSign(bytes)
    .setProtectedHeader(header)
    .sign(await importJWK({ ...key.privateJwk }, key.algorithm));
};

const hmac = async (secret: Uint8Array, bytes: Uint8Array, kid?: string): Promise<string> => {
  const { CompactSign } = await import("jose");
  const header = { alg: "HS256", ...(kid === undefined ? {} : { kid }), typ: "JWT" };
  return await new CompactSign(bytes).setProtectedHeader(header).sign(secret);
};

/** Changes the expiry of a signed token. */
const tampered = (token: string): string => {
  const [header = "", body = "", signature = ""] = token.split(".");
  const claims = jsonOf(body);
  const changed = isJsonObject(claims) ? { ...claims, exp: Number(claims["exp"]) + DAY_SECONDS } : {};
  return [header, segment(changed), signature].join(".");
};

/**
 * @param claims already changed, if the defect affects claims. @param key of the app; undefined for HS256.
 * @param good signs these claims like any token of the app. @throws Error if the defect is impossible for the app.
 */
export const wrongToken = async (
  defect: Defect,
  claims: Partial<TokenClaims>,
  { more, secret }: Signing,
  key: SigningKey | undefined,
  good: () => Promise<string>,
): Promise<string> => {
  const bytes = payload(claims, more);
  const mustHaveKey = (): SigningKey => {
    if (key === undefined) throw new Error(`HS256 cannot have ${defect}`);
    return key;
  };
  switch (defect) {
    case "wrongKey":
      if (key === undefined) return await hmac(new TextEncoder().encode(`another ${secret}`), bytes);
      return await signedBy(await createSigningKey(key.algorithm), key.kid, bytes);
    case "unknownKid": {
      const other = await createSigningKey(mustHaveKey().algorithm);
      return await signedBy(other, other.kid, bytes);
    }
    case "noKid":
      return await signedBy(mustHaveKey(), undefined, bytes);
    case "hmacWithPublicKey": {
      const { kid, publicJwk } = mustHaveKey();
      const pem = createPublicKey({ key: { ...publicJwk }, format: "jwk" }).export({ type: "spki", format: "pem" });
      return await hmac(new TextEncoder().encode(String(pem)), bytes, kid);
    }
    case "tampered":
      return tampered(await good());
    case "algNone":
      return `${segment({ alg: "none", typ: "JWT" })}.${Buffer.from(bytes).toString("base64url")}.`;
    case "garbage":
      return "this-is-not-a-token";
    default:
      return await good();
  }
};

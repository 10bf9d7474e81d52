/** Defective tokens whose header or signature is wrong. */
import { Buffer } from "node:buffer";
import { createPublicKey } from "node:crypto";
import { isJsonObject } from "#contract/scalars.ts";
import type { Defect } from "#contract/service/token-defects.ts";
import type { Signing, TokenClaims } from "#contract/service/tokens.ts";
import { createSigningKey, type SigningKey } from "./keys.ts";
import { jsonOf, jwtSegment, payload, signed } from "./segments.ts";

const DAY_SECONDS = 86_400;

const tampered = (token: string): string => {
  const [header = "", body = "", signature = ""] = token.split(".");
  const claims = jsonOf(body);
  const changed = isJsonObject(claims) ? { ...claims, exp: Number(claims["exp"]) + DAY_SECONDS } : {};
  return [header, jwtSegment(changed), signature].join(".");
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
    case "wrongKey": {
      if (key === undefined) return signed(bytes, Buffer.from(`another ${secret}`), "HS256");
      const other = await createSigningKey(key.algorithm);
      return signed(bytes, other.privateJwk, key.algorithm, key.kid);
    }
    case "unknownKid": {
      const other = await createSigningKey(mustHaveKey().algorithm);
      return signed(bytes, other.privateJwk, other.algorithm, other.kid);
    }
    case "noKid":
      return signed(bytes, mustHaveKey().privateJwk, mustHaveKey().algorithm);
    case "hmacWithPublicKey": {
      const { kid, publicJwk } = mustHaveKey();
      const pem = createPublicKey({ key: publicJwk, format: "jwk" }).export({ type: "spki", format: "pem" });
      return signed(bytes, Buffer.from(pem), "HS256", kid);
    }
    case "tampered":
      return tampered(await good());
    case "algNone":
      return `${jwtSegment({ alg: "none", typ: "JWT" })}.${Buffer.from(bytes).toString("base64url")}.`;
    case "garbage":
      return "this-is-not-a-token";
    default:
      return await good();
  }
};

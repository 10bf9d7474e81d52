/** Encodes and decodes the parts of a JWT (RFC 7515 3.1). */
import { Buffer } from "node:buffer";
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
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

/** @returns the header of a token; undefined if invalid. */
export const headerOf = (segment: string): JsonObject | undefined => {
  const found = jsonOf(segment);
  return isJsonObject(found) ? found : undefined;
};

/** @returns a value as a segment. */
export const segment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** @param more custom claims. @returns the payload: the claims in the order of `TokenClaims`, then the others. */
export const payload = (
  { iss, aud, sub, jti, appId, iat, nbf, exp }: Partial<TokenClaims>,
  more: OwnClaims | undefined,
): Uint8Array => new TextEncoder().encode(JSON.stringify({ iss, aud, sub, jti, appId, iat, nbf, exp, ...more }));

/**
 * Session tokens (SPEC 2.2, D29): JWTs, signed and read with one key. Times are numbers that come in with the claims;
 * nothing here reads a clock, hence jose's plain JWS functions and not its JWT ones, which do.
 */
import { type CompactJWSHeaderParameters, CompactSign, type CryptoKey, compactVerify, importJWK } from "jose";
import type { JsonObject } from "#contract/scalars.ts";
import type { TokenClaims } from "#contract/sessions.ts";
import { ALGORITHM, type PublicKey, publicPart, readSigningKey } from "./keys.ts";

/** Signs and reads tokens. */
export interface Tokens {
  /** @returns the JWT of these claims, which stand in it in the order of `TokenClaims`. Each call gives another signature. */
  sign(claims: TokenClaims): Promise<string>;
  /**
   * Checks form, algorithm, key and signature, but neither the times nor what the claims say.
   * @returns the claims, or undefined if this is no token that `sign` gave.
   */
  read(token: string): Promise<TokenClaims | undefined>;
  /** What `/.well-known/jwks.json` shows (RFC 7517 5). */
  readonly jwks: { readonly keys: readonly PublicKey[] };
}

const utf8 = new TextEncoder();

const payload = ({ iss, aud, sub, jti, appId, iat, nbf, exp }: TokenClaims): Uint8Array =>
  utf8.encode(JSON.stringify({ iss, aud, sub, jti, appId, iat, nbf, exp }));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value);

const readClaims = (bytes: Uint8Array): TokenClaims | undefined => {
  const found: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (!isObject(found)) return undefined;
  const { iss, aud, sub, jti, appId, iat, nbf, exp } = found;
  if (typeof iss !== "string" || typeof aud !== "string" || typeof sub !== "string") return undefined;
  if (typeof jti !== "string" || typeof appId !== "string") return undefined;
  if (!isSeconds(iat) || !isSeconds(nbf) || !isSeconds(exp)) return undefined;
  return { iss, aud, sub, jti, appId, iat, nbf, exp };
};

/**
 * @param storedKey the private JWK that `createSigningKey` gave. It is not kept.
 * @returns what signs and reads tokens with it.
 * @throws Error if the stored key is none.
 */
export const openTokens = async (storedKey: JsonObject): Promise<Tokens> => {
  const key = readSigningKey(storedKey);
  const shown = publicPart(key);
  const signingKey = await importJWK({ ...key }, ALGORITHM);
  const header: CompactJWSHeaderParameters = { alg: ALGORITHM, kid: key.kid, typ: "JWT" };
  // Most starts never read a token, so its key is imported when the first one comes.
  let readingKey: Promise<CryptoKey> | undefined;

  return {
    sign: (claims) => new CompactSign(payload(claims)).setProtectedHeader(header).sign(signingKey),
    read: async (token) => {
      readingKey ??= importJWK({ ...shown }, ALGORITHM);
      const publicKey = await readingKey;
      try {
        const jws = await compactVerify(token, publicKey, { algorithms: [ALGORITHM] });
        return jws.protectedHeader.kid === key.kid ? readClaims(jws.payload) : undefined;
      } catch {
        // Whatever jose or the parser finds wrong with it: it is no token of ours.
        return undefined;
      }
    },
    jwks: { keys: [shown] },
  };
};

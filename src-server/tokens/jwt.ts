/**
 * Session tokens (SPEC 2.2, D29): JWTs, signed and read with one key by jose. Times are numbers that come in with the
 * claims; nothing here reads a clock, hence jose's plain JWS functions and not its JWT ones, which do.
 */
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import type { TokenClaims, Tokens } from "#contract/sessions.ts";
import { ALGORITHM, checkSigningKey, publicPart, readSigningKey, type SigningKey } from "./keys.ts";

const payload = ({ iss, aud, sub, jti, appId, iat, nbf, exp }: TokenClaims): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ iss, aud, sub, jti, appId, iat, nbf, exp }));

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value);

const readClaims = (bytes: Uint8Array): TokenClaims | undefined => {
  const found: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (!isJsonObject(found)) return undefined;
  const { iss, aud, sub, jti, appId, iat, nbf, exp } = found;
  if (typeof iss !== "string" || typeof aud !== "string" || typeof sub !== "string") return undefined;
  if (typeof jti !== "string" || typeof appId !== "string") return undefined;
  if (!isSeconds(iat) || !isSeconds(nbf) || !isSeconds(exp)) return undefined;
  return { iss, aud, sub, jti, appId, iat, nbf, exp };
};

/** Loads jose, which takes a tenth of a start, with the first token. */
const open = async (key: SigningKey): Promise<Pick<Tokens, "sign" | "read">> => {
  const { CompactSign, compactVerify, importJWK } = await import("jose");
  const privateKey = await importJWK({ ...key }, ALGORITHM);
  const publicKey = await importJWK({ ...publicPart(key) }, ALGORITHM);
  const header = { alg: ALGORITHM, kid: key.kid, typ: "JWT" };
  return {
    sign: (claims) => new CompactSign(payload(claims)).setProtectedHeader(header).sign(privateKey),
    read: async (token) => {
      // The last character of 64 bytes has bits to spare: one signature has one spelling.
      if (!/[AQgw]$/.test(token)) return undefined;
      try {
        const jws = await compactVerify(token, publicKey, { algorithms: [ALGORITHM] });
        return jws.protectedHeader.kid === key.kid ? readClaims(jws.payload) : undefined;
      } catch {
        // Whatever jose or the parser finds wrong with it: it is no token of ours.
        return undefined;
      }
    },
  };
};

/**
 * @param storedKey the private JWK that `createSigningKey` gave.
 * @returns what signs and reads tokens with it.
 * @throws Error if the stored key is none.
 */
export const openTokens = (storedKey: JsonObject): Tokens => {
  const key = readSigningKey(storedKey);
  checkSigningKey(key);
  let opening: ReturnType<typeof open> | undefined;
  const opened = () => {
    opening ??= open(key);
    return opening;
  };
  return {
    sign: async (claims) => (await opened()).sign(claims),
    read: async (token) => (await opened()).read(token),
    jwks: { keys: [publicPart(key)] },
  };
};

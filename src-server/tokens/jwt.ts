/**
 * Session tokens (SPEC 2.2, D29, CONTRACT 11): JWTs, signed and verified with jose. Times come with the claims: nothing
 * here reads a clock, hence jose's plain JWS functions instead of its JWT ones, which do.
 */
import { Buffer } from "node:buffer";
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { KEY_ALGORITHMS, type KeyAlgorithm } from "#contract/token-claims.ts";
import type { ReadToken, Signing, TokenClaims, TokenRefusal, Tokens } from "#contract/tokens.ts";
import { createSigningKey, type SigningKey } from "./keys.ts";
import { headerOf, jsonOf, payload } from "./segments.ts";
import { wrongToken } from "./wrong.ts";

const isSeconds = (value: unknown): value is number => Number.isSafeInteger(value);

const readClaims = (segment: string): ReadToken => {
  const found = jsonOf(segment);
  if (!isJsonObject(found)) return { refusal: "malformed" };
  const { iss, aud, sub, jti, appId, iat, nbf, exp } = found;
  if (sub === undefined) return { refusal: "no_subject" };
  if (typeof iss !== "string" || typeof sub !== "string") return { refusal: "malformed" };
  if (typeof jti !== "string" || typeof appId !== "string") return { refusal: "malformed" };
  if (!isSeconds(iat) || !isSeconds(nbf) || !isSeconds(exp)) return { refusal: "malformed" };
  if (aud === undefined) return { claims: { iss, sub, jti, appId, iat, nbf, exp } };
  if (typeof aud !== "string") return { refusal: "malformed" };
  return { claims: { iss, aud, sub, jti, appId, iat, nbf, exp } };
};

/** A key ready for use. Loads jose with the first token, because that takes a tenth of the start time. */
const open = async ({ algorithm, kid, privateJwk, publicJwk }: SigningKey) => {
  const { CompactSign, compactVerify, importJWK } = await import("jose");
  const privateKey = await importJWK({ ...privateJwk }, algorithm);
  const publicKey = await importJWK({ ...publicJwk }, algorithm);
  const header = { alg: algorithm, kid, typ: "JWT" };
  return {
    sign: (bytes: Uint8Array) => new CompactSign(bytes).setProtectedHeader(header).sign(privateKey),
    verify: (token: string) => compactVerify(token, publicKey, { algorithms: [algorithm] }),
  };
};
type OpenKey = Awaited<ReturnType<typeof open>>;

const HS256 = { alg: "HS256", typ: "JWT" } as const;
const secretBytes = (secret: string): Uint8Array => new TextEncoder().encode(secret);

/** Dependencies of `openTokens`. */
export interface KeyRing {
  /** From the document, which always has an ES256 key. */
  readonly stored: readonly SigningKey[];
  /** Your own key, which replaces the stored one of its algorithm and makes that the default. */
  readonly own?: SigningKey | undefined;
  /** Stores a new private JWK. */
  readonly keep: (privateJwk: JsonObject) => Promise<void>;
  /** @returns the secret of an app that uses HS256; undefined for other or unknown apps. */
  readonly hmacSecretOf: (appId: string) => string | undefined;
}

/** @returns a signer and verifier with these keys. */
export const openTokens = ({ stored, own, keep, hmacSecretOf }: KeyRing): Tokens => {
  const defaultAlgorithm = own?.algorithm ?? "ES256";
  const keys = new Map<KeyAlgorithm, SigningKey>([...stored, ...(own ? [own] : [])].map((key) => [key.algorithm, key]));
  // Keys created on demand have signed tokens that may still be in use; the ES256 key always exists, used or not.
  const shown = new Set<KeyAlgorithm>([defaultAlgorithm, ...[...keys.keys()].filter((name) => name !== "ES256")]);
  const opening = new Map<SigningKey, Promise<OpenKey>>();
  const making = new Map<KeyAlgorithm, Promise<SigningKey>>();

  const make = async (algorithm: KeyAlgorithm): Promise<SigningKey> => {
    const key = await createSigningKey(algorithm);
    await keep(key.privateJwk);
    keys.set(algorithm, key);
    return key;
  };
  const keyOf = (algorithm: KeyAlgorithm): SigningKey | Promise<SigningKey> => {
    shown.add(algorithm);
    const known = keys.get(algorithm);
    if (known !== undefined) return known;
    const made = making.get(algorithm) ?? make(algorithm).finally(() => making.delete(algorithm));
    making.set(algorithm, made);
    return made;
  };
  const opened = (key: SigningKey): Promise<OpenKey> => {
    const known = opening.get(key) ?? open(key);
    opening.set(key, known);
    return known;
  };

  const sign = async (claims: Partial<TokenClaims>, { algorithm = defaultAlgorithm, secret, more }: Signing) => {
    const bytes = payload(claims, more);
    if (algorithm !== "HS256") return await (await opened(await keyOf(algorithm))).sign(bytes);
    const { CompactSign } = await import("jose");
    return await new CompactSign(bytes).setProtectedHeader(HS256).sign(secretBytes(secret));
  };

  const verifierOf = async (token: string): Promise<{ readonly refusal: TokenRefusal } | OpenKey["verify"]> => {
    const [head = "", body = "", signature = "", ...rest] = token.split(".");
    const header = headerOf(head);
    if (header === undefined || rest.length > 0) return { refusal: "malformed" };
    const { alg, kid } = header;
    if (alg === "none") return { refusal: "algorithm_none" };
    // Accept only the canonical encoding of a signature.
    if (Buffer.from(signature, "base64url").toString("base64url") !== signature) return { refusal: "bad_signature" };
    if (alg === "HS256") {
      const claims = jsonOf(body);
      const appId = isJsonObject(claims) ? claims["appId"] : undefined;
      const secret = typeof appId === "string" ? hmacSecretOf(appId) : undefined;
      if (secret === undefined) return { refusal: "wrong_algorithm" };
      const { compactVerify } = await import("jose");
      return (text) => compactVerify(text, secretBytes(secret), { algorithms: ["HS256"] });
    }
    if (!KEY_ALGORITHMS.some((known) => known === alg)) return { refusal: "wrong_algorithm" };
    if (kid === undefined) return { refusal: "no_kid" };
    const key = [...keys.values()].find((one) => one.kid === kid);
    if (key === undefined) return { refusal: "unknown_kid" };
    return key.algorithm === alg ? (await opened(key)).verify : { refusal: "wrong_algorithm" };
  };

  return {
    defaultAlgorithm,
    sign,
    signWrong: async (claims, signing, defect) => {
      const algorithm = signing.algorithm ?? defaultAlgorithm;
      const key = algorithm === "HS256" ? undefined : await keyOf(algorithm);
      return await wrongToken(defect, claims, signing, key, () => sign(claims, signing));
    },
    read: async (token) => {
      try {
        const verify = await verifierOf(token);
        if (typeof verify === "object") return verify;
        await verify(token);
      } catch {
        // Whatever jose reports, the token was not signed with our key.
        return { refusal: "bad_signature" };
      }
      return readClaims(token.split(".")[1] ?? "");
    },
    keys: async (inUse) => {
      for (const algorithm of inUse) if (algorithm !== "HS256") await keyOf(algorithm);
      return [...shown].flatMap((algorithm) => {
        const key = keys.get(algorithm);
        return key === undefined ? [] : [key.publicJwk];
      });
    },
  };
};

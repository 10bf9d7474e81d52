/**
 * Session tokens (service.md 2.2, D29): JWTs, signed with `node:crypto` and verified with jose. Times come with the
 * claims: nothing here reads a clock, hence jose's plain JWS functions instead of its JWT ones, which do.
 */
import { Buffer } from "node:buffer";
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { KEY_ALGORITHMS, type TokenAlgorithm } from "#contract/service/token-claims.ts";
import {
  type ReadToken,
  type Signing,
  sessionClaims,
  type TokenClaims,
  type Tokens,
} from "#contract/service/tokens.ts";
import { KeyRing, type KeyRingOptions } from "./key-ring.ts";
import { jsonOf, payload, signed, verify } from "./segments.ts";
import { wrongToken } from "./wrong.ts";

const readClaims = (segment: string): ReadToken => {
  const found = jsonOf(segment);
  if (isJsonObject(found) && found["sub"] === undefined) return { refusal: "no_subject" };
  const claims = sessionClaims.safeParse(found).data;
  return claims === undefined ? { refusal: "malformed" } : { claims };
};

/** What `openTokens` depends on. */
export interface KeysOfTokens extends Omit<KeyRingOptions, "first"> {
  /** @returns the secret of an app that uses HS256; undefined for other or unknown apps. */
  readonly hmacSecretOf: (appId: string) => string | undefined;
}

/** @returns a signer and verifier with these keys. */
export const openTokens = ({ hmacSecretOf, ...keys }: KeysOfTokens): Tokens => {
  const defaultAlgorithm = keys.own?.algorithm ?? "ES256";
  const ring = new KeyRing({ ...keys, first: defaultAlgorithm });
  const provide = async (inUse: Iterable<TokenAlgorithm>): Promise<void> => {
    for (const algorithm of inUse) if (algorithm !== "HS256") await ring.keyOf(algorithm);
  };

  const sign = async (claims: Partial<TokenClaims>, { algorithm = defaultAlgorithm, secret, more }: Signing) => {
    const bytes = payload(claims, more);
    if (algorithm === "HS256") return signed(bytes, Buffer.from(secret), algorithm);
    const { privateJwk, kid } = await ring.keyOf(algorithm);
    return signed(bytes, privateJwk, algorithm, kid);
  };

  /** @returns the key with which a token says that it is signed, or why there is none. */
  const keyOf = ({ alg, kid }: JsonObject, body: string) => {
    if (alg === "HS256") {
      const claims = jsonOf(body);
      const appId = isJsonObject(claims) ? claims["appId"] : undefined;
      const secret = typeof appId === "string" ? hmacSecretOf(appId) : undefined;
      return secret === undefined ? "wrong_algorithm" : Buffer.from(secret);
    }
    if (!KEY_ALGORITHMS.some((known) => known === alg)) return "wrong_algorithm";
    if (kid === undefined) return "no_kid";
    const key = ring.withId(kid);
    if (key === undefined) return "unknown_kid";
    return key.algorithm === alg ? key.publicJwk : "wrong_algorithm";
  };

  const read = async (token: string): Promise<ReadToken> => {
    if (/\s/.test(token)) return { refusal: "whitespace" };
    const [head = "", body = "", signature = "", ...rest] = token.split(".");
    const header = jsonOf(head);
    if (!isJsonObject(header) || rest.length > 0) return { refusal: "malformed" };
    const { alg } = header;
    // RFC 7515 4.1.11: it names what a verifier must understand, and this one knows no extension.
    if (header["crit"] !== undefined) return { refusal: "malformed" };
    if (alg === "none") return { refusal: "algorithm_none" };
    // Accept only the canonical encoding of a signature.
    if (Buffer.from(signature, "base64url").toString("base64url") !== signature) return { refusal: "bad_signature" };
    const key = keyOf(header, body);
    if (typeof key === "string") return { refusal: key };
    await verify(token, key, String(alg));
    return readClaims(body);
  };

  return {
    defaultAlgorithm,
    sign,
    signWrong: async (claims, signing, defect) => {
      const { algorithm = defaultAlgorithm } = signing;
      const key = algorithm === "HS256" ? undefined : await ring.keyOf(algorithm);
      return await wrongToken(defect, claims, signing, key, () => sign(claims, signing));
    },
    // Whatever jose reports, the token was not signed with our key.
    read: (token) => read(token).catch(() => ({ refusal: "bad_signature" })),
    keys: async (inUse) => {
      await provide(inUse);
      return ring.published().map(({ publicJwk }) => publicJwk);
    },
    signingKeys: async (inUse) => {
      await provide(inUse);
      return ring.inUse().map((key) => {
        const { kid, algorithm, birth } = key;
        const state = ring.isCurrent(key) ? "current" : "previous";
        return { kid, algorithm, state, createdAt: birth?.createdAt ?? null, seq: birth?.seq ?? 0 };
      });
    },
    hasOwnKey: keys.own !== undefined,
    rotate: async (algorithm) => (await ring.rotate(algorithm)).kid,
    retire: (kid) => ring.retire(kid),
    lend: async (algorithm) => {
      const { key, end } = await ring.lend(algorithm);
      return {
        sign: async (claims, { more }) => signed(payload(claims, more), key.privateJwk, algorithm, key.kid),
        end,
      };
    },
  };
};

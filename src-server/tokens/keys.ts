/**
 * The signing keys of session tokens (D29): P-256, RSA and Ed25519, each stored in the document as a
 * private JWK (RFC 7517).
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { promisify } from "node:util";
import { isJsonArray, isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { type KeyBirth, keyBirth } from "#contract/service/signing-keys.ts";
import type { KeyAlgorithm } from "#contract/service/token-claims.ts";
import type { PublicJwk } from "#contract/service/tokens.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";

const generate = promisify(generateKeyPair);
/** The size of a new RSA key, and the minimum for your own (RFC 7518 3.3), in bits. */
const RSA_BITS = 2_048;
/** A valid key id: it goes into the token header. */
const KID = /^[\x21-\x7e]{1,255}$/;
/** The members of a thumbprint by `kty`, in its order (RFC 7638). */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  EC: ["crv", "kty", "x", "y"],
  RSA: ["e", "kty", "n"],
  OKP: ["crv", "kty", "x"],
};

/** A validated signing key. */
export interface SigningKey {
  readonly algorithm: KeyAlgorithm;
  /** Its id, also in `privateJwk` and `publicJwk`. */
  readonly kid: string;
  /** Null: your own key, or one of a data file from before this was stored. */
  readonly birth: KeyBirth | null;
  /** For storage only; never show it. Has the members of `birth`. */
  readonly privateJwk: JsonObject;
  /** As published in `/.well-known/jwks.json`. */
  readonly publicJwk: PublicJwk;
}

const INVALID = "The signing key is not a valid private key for ES256 (EC on P-256), RS256 (RSA) or EdDSA (Ed25519).";

const algorithmOf = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): KeyAlgorithm => {
  if (asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1") return "ES256";
  if (asymmetricKeyType === "ed25519") return "EdDSA";
  if (asymmetricKeyType !== "rsa") throw new Error(INVALID);
  if ((asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS) return "RS256";
  throw new Error(`The signing key is an RSA key of less than ${RSA_BITS} bits.`);
};

/** @param kid absent: the thumbprint (RFC 7638), which is stable for a key. */
const signingKey = (key: KeyObject, kid?: string, birth: KeyBirth | null = null): SigningKey => {
  const algorithm = algorithmOf(key);
  const jwk: JsonObject = JSON.parse(JSON.stringify(key.export({ format: "jwk" })));
  const named = Object.fromEntries((MEMBERS[String(jwk["kty"])] ?? []).map((name) => [name, jwk[name] ?? null]));
  const name = kid ?? createHash("sha256").update(JSON.stringify(named)).digest("base64url");
  const publicPart = { kty: jwk["kty"] ?? null, ...named };
  return {
    algorithm,
    kid: name,
    birth,
    privateJwk: { ...publicPart, ...jwk, kid: name, ...birth },
    publicJwk: { ...publicPart, kid: name, use: "sig", alg: algorithm },
  };
};

/**
 * @returns a new key for this algorithm; the caller stores its private JWK. Its id never begins with a dash, with which
 * it would be an option in `stagedoor keys retire KID`.
 */
export const createSigningKey = async (algorithm: KeyAlgorithm, birth?: KeyBirth): Promise<SigningKey> => {
  const { privateKey } = await (algorithm === "EdDSA"
    ? generate("ed25519")
    : algorithm === "RS256"
      ? generate("rsa", { modulusLength: RSA_BITS })
      : generate("ec", { namedCurve: "P-256" }));
  const key = signingKey(privateKey, undefined, birth);
  return key.kid.startsWith("-") ? await createSigningKey(algorithm, birth) : key;
};

/** @throws Error if the key is invalid, or its public part does not verify what it signs. */
const opened = (open: () => KeyObject, kid?: string, birth?: KeyBirth | null): SigningKey => {
  try {
    const key = open();
    const made = signingKey(key, kid, birth);
    const probe = new Uint8Array(32);
    const digest = made.algorithm === "EdDSA" ? null : "sha256";
    if (verify(digest, probe, createPublicKey(key), sign(digest, probe, key))) return made;
  } catch (error) {
    // Node's messages would reveal the key, or say nothing useful.
    if (error instanceof Error && error.message.startsWith("The signing key")) throw error;
  }
  throw new Error(INVALID);
};

const ofJwk = (jwk: JsonObject, kid?: string, birth?: KeyBirth | null): SigningKey =>
  opened(() => createPrivateKey({ key: jwk, format: "jwk" }), kid, birth);

/**
 * @param stored a private JWK with `kid`, from the document.
 * @returns the key. @throws Error if it is invalid, without revealing the key.
 */
export const readSigningKey = (stored: JsonObject): SigningKey => {
  const { kid } = stored;
  if (typeof kid !== "string" || kid === "") throw new Error('The signing key lacks its "kid".');
  return ofJwk(stored, kid, keyBirth.safeParse(stored).data ?? null);
};

/** @returns what is wrong with a stored signing key; undefined if it is usable. */
export const keyError = (stored: JsonObject): string | undefined => {
  try {
    readSigningKey(stored);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/**
 * @param text of a file: a private key as PEM or JWK, optionally with a `kid`.
 * @returns the key. @throws Error with what is wrong, without revealing the key.
 */
export const readKeyFile = (text: string): SigningKey => {
  const jwk = parsedJson(text);
  if (!isJsonObject(jwk)) return opened(() => createPrivateKey(text));
  const { kid, alg, use, key_ops: operations } = jwk;
  if (kid !== undefined && (typeof kid !== "string" || !KID.test(kid)))
    throw new Error('The signing key has a "kid" that is not visible ASCII.');
  // RFC 7517 4.2 and 4.3: verifiers may refuse a signature of a key that is meant for something else.
  if (use !== undefined && use !== "sig")
    throw new Error(`The signing key has "use": ${JSON.stringify(use)}, but it must be for signatures: "sig".`);
  if (operations !== undefined && !(isJsonArray(operations) && operations.includes("sign")))
    throw new Error('The signing key has "key_ops" without "sign".');
  const key = ofJwk(jwk, kid);
  if (alg !== undefined && alg !== key.algorithm)
    throw new Error(`The signing key is for ${String(alg)}, but it must be for ES256, RS256 or EdDSA.`);
  return key;
};

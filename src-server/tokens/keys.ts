/**
 * The key that session tokens are signed with (D29): an EC key on P-256, kept in the document as a private JWK (RFC 7517).
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import type { JsonObject } from "#contract/scalars.ts";

/** The only algorithm that tokens are signed and read with. */
export const ALGORITHM = "ES256";

/** A signing key, checked. `d` is its secret part; the rest may be shown. */
export interface SigningKey {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly d: string;
  readonly kid: string;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Makes a new key. Its `kid` is its thumbprint (RFC 7638), so that the same key always has the same name.
 * @returns the private JWK, to be stored.
 */
export const createSigningKey = (): JsonObject => {
  const { crv, kty, x, y, d } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const kid = createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
  return { ...readSigningKey({ kty: "EC", crv: "P-256", x: text(x), y: text(y), d: text(d), kid }) };
};

/**
 * @param stored what the document holds.
 * @returns the key.
 * @throws Error if this is no private key on P-256; the message does not repeat what is stored.
 */
export const readSigningKey = (stored: JsonObject): SigningKey => {
  if (stored["kty"] !== "EC" || stored["crv"] !== "P-256")
    throw new Error("The signing key must be an EC key on P-256.");
  const part = (name: string): string => {
    const value = text(stored[name]);
    if (value === "") throw new Error(`The signing key lacks its "${name}".`);
    return value;
  };
  return { kty: "EC", crv: "P-256", x: part("x"), y: part("y"), d: part("d"), kid: part("kid") };
};

/** @throws Error if it cannot sign what its public part verifies; the message does not repeat what is stored. */
export const checkSigningKey = (key: SigningKey): void => {
  try {
    const opened = createPrivateKey({ key: { ...key }, format: "jwk" });
    const probe = new Uint8Array(32);
    if (verify("sha256", probe, createPublicKey(opened), sign("sha256", probe, opened))) return;
  } catch {
    // What Node says would repeat what is stored, or say nothing.
  }
  throw new Error("The signing key is no valid pair of an EC key on P-256.");
};

/** @returns what is wrong with a stored signing key; undefined if it can sign. */
export const keyError = (stored: JsonObject): string | undefined => {
  try {
    checkSigningKey(readSigningKey(stored));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** @returns the public part of the key, as `/.well-known/jwks.json` shows it. */
export const publicPart = ({ kty, crv, x, y, kid }: SigningKey): JsonObject => ({
  kty,
  crv,
  x,
  y,
  kid,
  use: "sig",
  alg: ALGORITHM,
});

/**
 * The key that session tokens are signed with (D29): an EC key on P-256, kept in the document as a private JWK (RFC 7517).
 */
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";

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

const text = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

/**
 * Makes a new key. Its `kid` is its thumbprint (RFC 7638), so that the same key always has the same name.
 * @returns the private JWK, to be stored.
 */
export const createSigningKey = async (): Promise<JsonObject> => {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const { x, y, d } = jwk;
  return { ...readSigningKey({ kty: "EC", crv: "P-256", x: text(x), y: text(y), d: text(d), kid }) };
};

/**
 * @param stored what the document holds.
 * @returns the key.
 * @throws Error if this is no private key on P-256; the message does not repeat what is stored.
 */
export const readSigningKey = (stored: JsonObject): SigningKey => {
  if (stored.kty !== "EC" || stored.crv !== "P-256") throw new Error("The signing key must be an EC key on P-256.");
  const part = (name: string): string => {
    const value = text(stored[name]);
    if (value === "") throw new Error(`The signing key lacks its "${name}".`);
    return value;
  };
  return { kty: "EC", crv: "P-256", x: part("x"), y: part("y"), d: part("d"), kid: part("kid") };
};

/** The public part of a key. */
export interface PublicKey extends JsonObject {
  kty: "EC";
  crv: "P-256";
  x: string;
  y: string;
  kid: string;
  use: "sig";
  alg: "ES256";
}

/** @returns the public part of the key, as `/.well-known/jwks.json` shows it. */
export const publicPart = ({ kty, crv, x, y, kid }: SigningKey): PublicKey => ({
  kty,
  crv,
  x,
  y,
  kid,
  use: "sig",
  alg: ALGORITHM,
});

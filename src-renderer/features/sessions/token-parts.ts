/** Decodes a token without its key; the server verifies it. */
import { z } from "zod";

const object = z.record(z.string(), z.json());
/** A part of a token as an object. */
export type TokenPart = z.output<typeof object>;

const fromBase64Url = (text: string): string => {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
};

/** @returns header and claims of a token; null if invalid. */
export const decodeToken = (token: string): { header: TokenPart; claims: TokenPart } | null => {
  const [header, claims, signature, ...more] = token.split(".");
  if (header === undefined || claims === undefined || signature === undefined || more.length > 0) return null;
  try {
    return {
      header: object.parse(JSON.parse(fromBase64Url(header))),
      claims: object.parse(JSON.parse(fromBase64Url(claims))),
    };
  } catch {
    return null;
  }
};

/** Short descriptions of claims and header fields. */
export const MEANINGS: Readonly<Record<string, string>> = {
  alg: "signature algorithm",
  kid: "key id in the JWKS",
  typ: "token type",
  iss: "issuer: the auth URL",
  aud: "audience: the admin URL",
  sub: "user id",
  jti: "session id",
  appId: "app id",
  iat: "issued",
  nbf: "valid from",
  exp: "valid until",
};

/** The claims that are times, in UNIX seconds. */
export const TIMES: ReadonlySet<string> = new Set(["iat", "nbf", "exp"]);

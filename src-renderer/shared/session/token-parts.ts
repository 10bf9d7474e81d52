/** Decodes a token without its key; the server verifies it. */
import { z } from "zod";
import { parsedJson } from "#contract/words/parsed-json.ts";

const fromBase64Url = (text: string): string => {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
};

const part = z
  .base64url()
  .transform((text) => parsedJson(fromBase64Url(text)))
  .pipe(z.record(z.string(), z.json()));
/** A part of a token as an object. */
export type TokenPart = z.output<typeof part>;

const parts = z.tuple([part, part, z.string()]).transform(([header, claims]) => ({ header, claims }));

/** @returns header and claims of a token; undefined if invalid. */
export const decodeToken = (token: string) => parts.safeParse(token.split(".")).data;

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

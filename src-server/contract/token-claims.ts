/** Claims of one's own in session tokens, and the algorithms that sign them (CONTRACT 11). */
import { z } from "zod";
import { unsafeJson, utf8Bytes } from "./metadata.ts";
import { isJsonObject } from "./scalars.ts";

/** Algorithms with a key pair, whose public key is in the JWKS. */
export const KEY_ALGORITHMS = ["ES256", "RS256", "EdDSA"] as const;
/** @see KEY_ALGORITHMS */
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

/** Every algorithm of session tokens; HS256 signs with the secret of the app. */
export const tokenAlgorithm = z.enum([...KEY_ALGORITHMS, "HS256"]);
/** @see tokenAlgorithm */
export type TokenAlgorithm = z.infer<typeof tokenAlgorithm>;

/** The fewest bytes of a secret that signs with HS256 (RFC 7518 3.2). */
export const HS256_SECRET_BYTES = 32;

/** What is said of an app that signs with HS256 by a secret that is too short. */
export const SHORT_SECRET = `HS256 needs an app secret of at least ${HS256_SECRET_BYTES} bytes`;

/** The claims that Stagedoor sets itself. */
const REGISTERED = new Set(["iss", "aud", "sub", "jti", "appId", "iat", "nbf", "exp"]);

/** Bytes of the claims as JSON: a token has to fit into a header. */
const MOST_BYTES = 4_096;

/** Claims of one's own, JSON. */
export type OwnClaims = Readonly<Record<string, unknown>>;

/** Claims of one's own: any JSON object without the claims that Stagedoor sets. */
export const tokenClaims = z
  .custom<OwnClaims>(isJsonObject, "must be an object")
  .superRefine((claims, ctx) => {
    for (const name of Object.keys(claims))
      if (REGISTERED.has(name))
        ctx.addIssue({ code: "custom", path: [name], message: "is set by Stagedoor and cannot be overridden" });
    const unsafe = isJsonObject(claims) ? unsafeJson(claims) : undefined;
    if (unsafe !== undefined) ctx.addIssue({ code: "custom", message: unsafe });
    else if (utf8Bytes(JSON.stringify(claims)) > MOST_BYTES)
      ctx.addIssue({ code: "custom", message: `is too large (at most ${MOST_BYTES} bytes as JSON)` });
  })
  .meta({ type: "object", additionalProperties: true });

/** Custom claims in session tokens, and the signing algorithms. */
import { z } from "zod";
import { isJsonObject } from "../scalars.ts";
import { placeholderErrors } from "./claim-placeholders.ts";
import { unsafeJson, utf8Bytes } from "./metadata.ts";

/** Algorithms with a key pair; the JWKS has the public keys. */
export const KEY_ALGORITHMS = ["ES256", "RS256", "EdDSA"] as const;
export type KeyAlgorithm = (typeof KEY_ALGORITHMS)[number];

/** Every algorithm for session tokens; HS256 signs with the app secret. */
export const tokenAlgorithm = z.enum([...KEY_ALGORITHMS, "HS256"]);
export type TokenAlgorithm = z.infer<typeof tokenAlgorithm>;

/** Minimum secret length for HS256 in bytes (RFC 7518 3.2). */
export const HS256_SECRET_BYTES = 32;

/** The error for an HS256 app with a shorter secret. */
export const SHORT_SECRET = `HS256 needs an app secret of at least ${HS256_SECRET_BYTES} bytes`;

/** Claims that Stagedoor sets itself and that cannot be overridden. */
const REGISTERED: ReadonlySet<string> = new Set(["iss", "aud", "sub", "jti", "appId", "iat", "nbf", "exp"]);

/** Maximum size of the claims as JSON in bytes: a token must fit into a header. */
const MOST_BYTES = 4_096;
const TOO_LARGE = `is too large (at most ${MOST_BYTES} bytes as JSON)`;

/** Custom claims, as JSON. */
export type OwnClaims = Readonly<Record<string, unknown>>;

/** Custom claims: any JSON object without the claims that Stagedoor sets. */
export const tokenClaims = z
  .custom<OwnClaims>(isJsonObject, "must be an object")
  .superRefine((claims, ctx) => {
    for (const name of Object.keys(claims))
      if (REGISTERED.has(name))
        ctx.addIssue({ code: "custom", path: [name], message: "is set by Stagedoor and cannot be overridden" });
    const size = utf8Bytes(JSON.stringify(claims)) > MOST_BYTES ? TOO_LARGE : undefined;
    const message = (isJsonObject(claims) ? unsafeJson(claims) : undefined) ?? size;
    if (message !== undefined) ctx.addIssue({ code: "custom", message });
  })
  .meta({ type: "object", additionalProperties: true });

/** Custom claims as people send them: without placeholders that there are not. What is stored is not judged again. */
export const filledClaims = tokenClaims.superRefine((claims, ctx) => {
  for (const [path, [message]] of Object.entries(placeholderErrors(claims, [])))
    ctx.addIssue({ code: "custom", path: [path], message });
});

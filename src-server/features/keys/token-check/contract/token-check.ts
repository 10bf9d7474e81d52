/** Checks which tokens a backend accepts. */
import { z } from "zod";
import { isJsonObject, optional } from "#contract/scalars.ts";
import { DEFECT_NAMES, ROTATION_NAMES } from "#contract/service/token-defects.ts";

/** Without a username. */
const HTTP_URL = /^https?:\/\/[^/?#@\\]+(?:[/?#\\]|$)/i;

/** A header name, or a whole header with `{token}` in its value; connection headers are not allowed. */
const HEADER =
  /^(?!(?:host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer|keep-alive)(?::|$))[\w!#$%&'*+.^`|~-]{1,64}(?:: [\x20-\x7e]{0,500}\{token\}[\x20-\x7e]{0,500})?$/i;

/** Which backend to call, and how. */
export const tokenCheckInput = z.strictObject({
  url: z
    .string()
    .max(2_048)
    .regex(HTTP_URL, { error: "must be a URL with http or https, and without a user name", abort: true })
    .refine((text) => z.url().safeParse(text).success, "must be a URL")
    .describe("An endpoint of your backend that needs a token."),
  method: optional(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]), "Default: GET, or POST with a body."),
  header: optional(
    z
      .string()
      .regex(HEADER, "must be the name of a header, or a header with {token} such as Authorization: Bearer {token}"),
    "The header with the token: its name, or the whole header with {token}. Default: Authorization: Bearer {token}.",
  ),
  body: optional(
    z.union(
      [z.string(), z.custom<Readonly<Record<string, unknown>>>(isJsonObject).meta({ type: "object" })],
      "must be text or an object",
    ),
    "Sent with each call; an object is sent as JSON.",
  ),
  rotate: optional(
    z.boolean(),
    "Also calls it with a token of a new key, which must be accepted, and then with one of that key after it was removed from the JWKS. Not for HS256.",
  ),
  cooldownSeconds: optional(
    z.int().min(0).max(60),
    "How long to wait before a refused token of the new key is sent again, because verifiers limit how often they read the JWKS. Default: 30, as in jose.",
  ),
});
export type TokenCheckInput = z.infer<typeof tokenCheckInput>;

const tokenCheckItem = z.object({
  defect: z
    .enum([...DEFECT_NAMES, ...ROTATION_NAMES])
    .nullable()
    .describe(
      "What is wrong with the token; null: nothing. newKey and retiredKey: of a key that was added, and removed.",
    ),
  status: z.int().nullable().describe("The status of the response; null: no response within 5 s."),
  verdict: z
    .enum(["refused", "accepted", "unclear"])
    .describe(
      "refused: 401, 403, or JSON errors that the valid token does not get; accepted: the same status as the valid token; otherwise unclear.",
    ),
  advice: z.boolean().describe("Most libraries accept such a token, so it never fails the check."),
  ok: z
    .boolean()
    .describe("false: the valid token or that of a new key was not accepted, or one that must be refused was."),
});
export type TokenCheckItem = z.infer<typeof tokenCheckItem>;

/** How a backend responded to a valid token and to each defective one. */
export const tokenCheckAnswer = z.object({
  items: z.array(tokenCheckItem),
  ok: z.boolean(),
  error: optional(z.string(), "Why the backend did not respond to the valid token."),
});
export type TokenCheckAnswer = z.infer<typeof tokenCheckAnswer>;

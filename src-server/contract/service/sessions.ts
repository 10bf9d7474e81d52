/** Sessions on the wire (service.md 2.2, 4.2, D20 to D30) and in the control API. */
import { z } from "zod";
import { countTextOr, isoInstantText, optional, uuidText } from "../scalars.ts";
import { soughtRecipient } from "../words/phone-words.ts";
import { namedApp, ownerOf } from "./apps.ts";
import { profileFields, profileFieldsLenient } from "./profiles.ts";
import { filledClaims, tokenAlgorithm } from "./token-claims.ts";
import { DEFECT_NAMES, defectTexts, ROTATION_NAMES } from "./token-defects.ts";
import { TOKEN_REFUSALS } from "./tokens.ts";

/** The user in a session request. The field that is the app's username is required (D20, D23). */
export const sessionUser = z.object(profileFields.omit({ metadata: true }).shape);
/** The same for an app with `validation: "lenient"`. */
export const sessionUserLenient = z.object(profileFieldsLenient.omit({ metadata: true }).shape);
export type SessionUser = z.infer<typeof sessionUserLenient>;

/** A passcode as the client sends it: a string, or an integer, to which lost leading zeros are restored (D24). */
export const passcodeInput = z.union(
  [z.string(), z.number().refine(Number.isInteger, "must be a string of digits").meta({ type: "integer" })],
  "must be a string of digits",
);

/** POST /v1/users/session in the default shape: sign up, or request a passcode (D20, D22). */
export const startSessionBody = z.object({
  appId: z.string().describe("The id of the app."),
  user: sessionUser.describe("The user. The field that is the app's username is required."),
});
/** PUT /v1/users/session in the default shape: authenticate with a passcode (D20). */
export const authenticateBody = startSessionBody.extend({ passcode: passcodeInput });

/** User Session (service.md 2.2); `expiration` in UNIX seconds (D28). */
export const sessionAnswer = z.object({
  id: uuidText,
  expiration: z.int().describe("UNIX seconds."),
  userId: uuidText,
  token: z.string().describe("The session token, a JWT (D29)."),
});

/** The state of a session, computed from `revokedAt`, `expiresAt` and the app's clock. */
const sessionState = z.enum(["active", "expired", "revoked"]);

/** A session in the control API. */
export const sessionItem = z.object({
  id: uuidText,
  seq: z.int(),
  ...ownerOf,
  state: sessionState,
  device: z.string().nullable().describe("The client's User-Agent."),
  requestId: z.string().nullable(),
  createdAt: isoInstantText,
  expiresAt: isoInstantText,
  revokedAt: isoInstantText.nullable(),
});
export type SessionItem = z.input<typeof sessionItem>;

/** Signs a user in without a passcode. */
export const sessionInput = z.strictObject({
  ...namedApp,
  userId: uuidText.exactOptional(),
  to: optional(
    z.string().min(1).transform(soughtRecipient),
    "Instead of `userId`: the user's phone or email, whichever is the app's username.",
  ),
  create: optional(z.boolean(), "With `to`: true creates the user if there is none."),
  ttlSeconds: z.int().min(1).max(31_536_000).exactOptional(),
});

/** Filter for listing or revoking sessions. */
export const sessionQuery = z.object({
  appId: z.string().exactOptional(),
  userId: uuidText.exactOptional(),
  state: sessionState.exactOptional(),
  after: optional(
    z.union([uuidText, z.literal("latest")]),
    "Only sessions after this one in the list, by its id: the `next` of the page before.",
  ),
  limit: countTextOr(1, 1_000, 100),
});

/** The discovery document: the key URL and the signing algorithms. */
export const discoveryDocument = z.object({
  issuer: z
    .string()
    .describe("The auth URL on this machine, as in tokens, or the `token.issuer` of an app that is the URL asked."),
  jwks_uri: z.string(),
  response_types_supported: z.array(z.literal("none")),
  subject_types_supported: z.array(z.literal("public")),
  id_token_signing_alg_values_supported: z.array(tokenAlgorithm),
  "x-emulator": z.literal("stagedoor"),
});
export type DiscoveryDocument = z.input<typeof discoveryDocument>;

/** Request of token introspection (RFC 7662 2.1), as JSON or as a form. */
export const introspectBody = z.strictObject({
  token: z.string(),
  token_type_hint: optional(z.string(), "Ignored: every token is a session token."),
});
/** Response of token introspection (RFC 7662 2.2). */
export const introspection = z.object({
  active: z.boolean(),
  reason: optional(z.enum(TOKEN_REFUSALS), "Why the token is not active."),
  iss: z.string().exactOptional(),
  aud: z.union([z.string(), z.array(z.string())]).exactOptional(),
  sub: z.string().exactOptional(),
  jti: z.string().exactOptional(),
  appId: z.string().exactOptional(),
  iat: z.int().exactOptional(),
  nbf: z.int().exactOptional(),
  exp: z.int().exactOptional(),
  client_id: z.string().exactOptional(),
  token_type: z.string().exactOptional(),
  username: z.string().exactOptional(),
});

/** A newly signed token for an existing session. */
export const tokenAnswer = z.object({ token: z.string() });

const SIGNED = [...DEFECT_NAMES, ...ROTATION_NAMES] as const;
const defect = z.enum(SIGNED).meta({
  description: `${defectTexts(SIGNED)} The key of newKey is in the JWKS for 90 s, or until retiredKey, which needs it, or until the session is revoked.`,
});

/** Which token to sign: a valid one, or one with a defect. */
export const wrongTokenInput = z.strictObject({
  defect: defect.exactOptional(),
  claims: optional(filledClaims, "Additional claims, as in the setting `token.claims`."),
});
/** The token and its defect; null if it is valid. */
export const wrongTokenAnswer = z.object({
  token: z.string(),
  defect: defect.nullable(),
  why: z.string().nullable(),
});

/** Apps: each is a separate application environment. */
import { z } from "zod";
import { flag, isoInstantText, optional, textUpTo, uuidText } from "../scalars.ts";
import { APP_ID } from "./app-id.ts";
import { settings } from "./settings.ts";
import { STRATEGY_NAMES } from "./strategies.ts";

/** The profile field that serves as the username in an app (service.md 4.2). */
export const strategy = z.enum(STRATEGY_NAMES).describe("The field that serves as the username.");

/** An app id: letters, digits, `-`, `_` and `.`. Plain ASCII, because it goes into tokens (D29). */
export const appId = z
  .string()
  .regex(APP_ID, "must be 1 to 128 letters, digits, dots, colons, tildes, dashes or underscores")
  .describe("The id of an app.");
/** An app secret: visible ASCII without spaces, because it goes into a header (service.md 5.1). */
export const appSecret = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters")
  .describe("The secret of an app, which its backend sends as a bearer token.");

/** One week. */
const MOST_TTL_SECONDS = 604_800;

const HIDDEN = "Hides the app: it appears in no list, count, export or coverage of all apps, only where it is named.";

/** Body of POST apps; `appId` and `secret` are generated when absent. */
export const appInput = z.strictObject({
  appId: appId.exactOptional(),
  name: textUpTo(255).exactOptional(),
  secret: appSecret.exactOptional(),
  strategy: strategy.exactOptional(),
  settings: settings.exactOptional(),
  like: optional(
    z.string().min(1).max(64),
    "The id of a request to the session interface that has an unknown app id: its app id, how its user signs in, and the names in its body become the app’s, unless they are given.",
  ),
  ttlSeconds: optional(
    z.int().min(1).max(MOST_TTL_SECONDS),
    "The lease in seconds: the app is deleted after this time without a request that names it.",
  ),
  hidden: optional(z.literal(true), HIDDEN),
});
export type AppInput = z.infer<typeof appInput>;

/** Body of PATCH apps: as POST, but the id, the lease, and whether it is hidden cannot change. */
export const appPatch = appInput.omit({ appId: true, ttlSeconds: true, like: true, hidden: true });

/** Record counts of one app. */
const appCounts = z.object({ profiles: z.int(), passcodes: z.int(), sessions: z.int(), connections: z.int() });
/** Record counts of several apps. */
export const allCounts = z.object({ apps: z.int(), ...appCounts.shape });
/** What an import does to users: those that are new, those that it changes, and those that stay as they are. */
export const userCounts = z.object({
  new: z.int(),
  changed: z.int(),
  same: z.int(),
  cut: optional(z.int(), "With `fit=1`, where there are any: those of whose rows some metadata did not fit."),
});
export type UserCounts = z.infer<typeof userCounts>;
export type AllCounts = z.infer<typeof allCounts>;

/** A query limited to one app; absent: all apps. */
export const ofApp = z.object({ appId: z.string().exactOptional() });

/** Query of GET apps. */
export const appsQuery = ofApp.extend({ hidden: flag().describe("`1`: hidden ones as well.") });

/** A query limited to one user; absent: all. */
export const ofUser = ofApp.extend({ userId: uuidText.exactOptional() });

/** The app and the profile that a record belongs to. */
export const ownerOf = { appId: z.string(), userId: uuidText } as const;

/** The app named in a body. */
export const namedApp = {
  appId: optional(z.string(), "Optional if there is only one app, or if only one app has the profile `userId`."),
} as const;

/** An app in the control API. */
export const appItem = z.object({
  appId: z.string(),
  name: z.string(),
  secret: z.string(),
  strategy,
  settings,
  createdAt: isoInstantText,
  counts: appCounts,
  lease: z
    .object({
      ttlSeconds: z.int(),
      expiresAt: isoInstantText,
      joined: optional(z.literal(true), "The app was created with the join token; a token bound to the app uses it."),
      creator: optional(z.string(), "The address that created it with the join token, since the last start."),
    })
    .exactOptional()
    .describe("With `ttlSeconds`: when the app is deleted if no request names it."),
  hidden: optional(z.literal(true), HIDDEN),
  accessToken: optional(
    z.string(),
    "Only in the response to a join token: grants access to the control API for this app only.",
  ),
});
export type AppItem = z.input<typeof appItem>;

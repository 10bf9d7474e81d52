/** Apps, each an application environment of its own (CONTRACT 2). */
import { z } from "zod";
import { isoInstantText, textUpTo } from "./scalars.ts";
import { settings } from "./settings.ts";

/** The field that is the username of an app's users (SPEC 4.2). */
export const strategy = z
  .enum(["phone", "email"])
  .meta({ description: "The field that is the username of the users." });
/** @see strategy */
export type Strategy = z.infer<typeof strategy>;

/** The id of an app: letters, digits, `-`, `_` and `.`; plain ASCII, since it goes into tokens (D29). */
export const appId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "must be 1 to 64 letters, digits, dots, dashes or underscores")
  .meta({ description: "The id of an app." });
/** The secret of an app: visible ASCII without spaces, as it goes into a header (SPEC 5.1). */
export const appSecret = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters")
  .meta({ description: "The secret of an app, which its backend sends as a bearer token." });

/** A week. */
const MOST_TTL_SECONDS = 604_800;

/** What POST apps takes; `appId` and `secret` are made when absent. */
export const appInput = z.strictObject({
  appId: appId.exactOptional(),
  name: textUpTo(255).exactOptional(),
  secret: appSecret.exactOptional(),
  strategy: strategy.exactOptional(),
  settings: settings.exactOptional(),
  ttlSeconds: z
    .int()
    .min(1)
    .max(MOST_TTL_SECONDS)
    .exactOptional()
    .meta({ description: "The app is deleted once no request has named it for so long." }),
});
/** @see appInput */
export type AppInput = z.infer<typeof appInput>;

/** What PATCH apps takes: as POST, but the id and the lease stay. */
export const appPatch = appInput.omit({ appId: true, ttlSeconds: true });
/** @see appPatch */
export type AppPatch = z.infer<typeof appPatch>;

/** How much an app holds. */
const appCounts = z.object({ profiles: z.int(), passcodes: z.int(), sessions: z.int(), connections: z.int() });
/** How much several apps hold. */
export const allCounts = z.object({ apps: z.int(), ...appCounts.shape });
/** @see allCounts */
export type AllCounts = z.infer<typeof allCounts>;

/** A query that names one app; without one it is about all. */
export const ofApp = z.object({ appId: z.string().exactOptional() });

/** The app of a body. */
export const namedApp = {
  appId: z.string().exactOptional().meta({
    description: "May be left out when there is one app, or when only one app has the profile of `userId`.",
  }),
};

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
    .object({ ttlSeconds: z.int(), expiresAt: isoInstantText })
    .exactOptional()
    .meta({ description: "Of an app with `ttlSeconds`: when it is deleted if no request names it." }),
  accessToken: z
    .string()
    .exactOptional()
    .meta({ description: "Only in the answer to a join token: opens the control API for this app alone." }),
});
/** @see appItem */
export type AppItem = z.input<typeof appItem>;

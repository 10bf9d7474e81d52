/** An app with its users, made by one call. */
import { z } from "zod";
import { optional, uuidText } from "../scalars.ts";
import { appInput, appItem } from "../service/apps.ts";
import { fixtureProfile } from "./state.ts";

/** Body of POST apps. */
export const newApp = z.strictObject({
  ...appInput.shape,
  profiles: optional(z.array(fixtureProfile), "Users, as in a fixture file; all in one transaction with the app."),
  copyOf: optional(
    z.string(),
    "The id of an app whose strategy, settings and users, with their fixed codes, the new one gets; what else is given goes before.",
  ),
});
/** Response of POST apps: the app, where it is, and its users. */
export const createdApp = z.object({
  ...appItem.shape,
  adminUrl: z.string(),
  authUrl: z.string(),
  consoleUrl: z.string(),
  profiles: z
    .array(
      z.object({
        userId: uuidText,
        name: z.string().nullable(),
        phone: z.string().nullable(),
        email: z.string().nullable(),
      }),
    )
    .describe("The users of the app, in the order given."),
});

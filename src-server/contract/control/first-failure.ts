/** The first failure of its kind of an app, which otherwise only the app would see. */
import { z } from "zod";
import { isoInstantText } from "../scalars.ts";

/** The item of the event `failure.first`. */
export const firstFailure = z
  .object({
    requestId: z.string(),
    at: isoInstantText,
    method: z.string(),
    path: z.string(),
    status: z.int(),
    reason: z.string(),
    app: z.string().nullable().describe("The app, or the app id that was sent and is unknown."),
    text: z.string().describe("What to do, in words."),
    more: z
      .int()
      .describe(
        "How many other kinds of failures this app had since: there is at most one such event a second. They are reported when they occur again.",
      ),
  })
  .describe("The first failure of its kind of an app.");
/** @see firstFailure */
export type FirstFailure = z.infer<typeof firstFailure>;

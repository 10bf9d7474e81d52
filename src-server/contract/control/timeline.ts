/** A transaction of the timeline. */
import { z } from "zod";
import { isoInstantText, optional } from "../scalars.ts";

/** What a change of the timeline concerns. */
const timelineResource = z.enum(["app", "profile", "passcode", "session", "connection", "clock"]);

const shown = z.unknown().describe("As in the control API; `null`: it did not exist. Secrets are masked.");

/** One transaction of the timeline. */
export const timelineItem = z.object({
  seq: z.int().describe("The number of its last change; `rewind` takes it as `to`."),
  at: isoInstantText.describe("By the service clock."),
  requestId: z.string().nullable().describe("The row of the request log that caused it."),
  what: z.string().describe("What happened, in words; at most 200 characters."),
  user: optional(z.string(), "The name of the user, if it concerned only one."),
  app: optional(z.string(), "The name of the app, if it is there and it concerned only one."),
  byConsole: optional(z.literal(true), "It was done in a window of the console."),
  undoes: optional(z.int(), "The `seq` of the transaction that it undid."),
  undone: optional(z.literal(true), "It has been undone since."),
  changes: z.array(z.object({ resource: timelineResource, id: z.string(), before: shown, after: shown })),
  moreChanges: optional(
    z.int(),
    "How many more changes it has than fit into the 4 MiB of a page: request those of one user.",
  ),
});
export type TimelineItem = z.input<typeof timelineItem>;

/** The timeline and rewinding in the control API. */
import { z } from "zod";
import { timelineItem } from "#contract/control/timeline.ts";
import { countText, countTextOr, flag, optional, uuidText } from "#contract/scalars.ts";
import { namedApp, ofUser } from "#contract/service/apps.ts";

/** The largest `seq`: a whole number that JSON carries exactly. */
const seq = z.int().min(0);

/** Filter of the timeline, newest first. */
export const timelineQuery = z.object({
  ...ofUser.shape,
  before: optional(countText(0, 999_999_999), "Only transactions with a smaller `seq`."),
  limit: countTextOr(1, 1_000, 100),
  by: optional(z.enum(["console"]), "Only what was done in a window of the console."),
  brief: flag().describe("`1`: without `changes`, which can be thousands."),
});
/** A page of the timeline. */
export const timelineAnswer = z.object({
  items: z.array(timelineItem),
  total: z.int(),
  oldestSeq: z.int().describe("The earliest moment that `rewind` can return to: of the app, or of every app."),
  next: optional(z.int(), "Where a page of 4 MiB, or of `limit`, ends before the oldest: the next one’s `before`."),
});

/** Query of a rewind: `dryRun` decides, counts and weighs it without changing anything. */
export const rewindQuery = z.object({ dryRun: flag() });
/** Rewinds an app, or one of its users, to a moment, or undoes a single transaction. */
export const rewindInput = z.strictObject({
  appId: optional(
    z.string(),
    "Optional if there is only one app, or if the request or the user names it. For `undo`: the only app concerned.",
  ),
  userId: optional(uuidText, "Only this user: profile, passcodes, sessions, connections."),
  to: optional(seq, "The moment right after this `seq`. One of `to`, `before` and `undo`."),
  before: optional(z.string().min(1), "The moment right before this request, by its id in the request log."),
  undo: optional(
    seq,
    "Undoes only the transaction with this `seq`: the records that it changed become as before it. Nothing else changes.",
  ),
  clock: optional(z.enum(["keep", "then"]), "`then`: sets the app’s clock to that moment too."),
});
/** The result of a rewind. */
export const rewindAnswer = z.object({
  seq: z.int().describe("The number of its last change; `undo` takes it."),
  changed: z.object({ profiles: z.int(), passcodes: z.int(), sessions: z.int(), connections: z.int() }),
  undoable: optional(
    z.literal(false),
    "Only if it cannot be undone: it replaces more than the timeline keeps of an app.",
  ),
});
export type RewindAnswer = z.input<typeof rewindAnswer>;

/** Marks the current moment of an app. */
export const markInput = z.strictObject({ ...namedApp });

/** A moment to which `rewind` can return. */
export const markAnswer = z.object({ seq: z.int() });

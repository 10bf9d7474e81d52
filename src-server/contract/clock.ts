/** The clock of the service in the control API: all that it reads of time follows it. */
import { z } from "zod";
import { isoInstantText } from "./scalars.ts";

/** Most seconds that a clock may be moved at once: a hundred years. */
const MAX_OFFSET_SECONDS = 3_155_760_000;
const seconds = z.number().min(-MAX_OFFSET_SECONDS).max(MAX_OFFSET_SECONDS);

/** What a clock shows. */
export const clockItem = z.object({
  now: isoInstantText,
  offsetSeconds: z.number(),
  frozenAt: isoInstantText.nullable(),
});
/** @see clockItem */
export type ClockItem = z.input<typeof clockItem>;

/** Sets a clock: to real time and an offset, to stand still, or, with `{}`, to real time. */
export const clockInput = z.strictObject({
  offsetSeconds: seconds.exactOptional(),
  frozenAt: z.iso.datetime({ offset: true }).nullable().exactOptional(),
});

/** Moves a clock on (or back, when negative). */
export const clockAdvance = z.strictObject({ seconds });

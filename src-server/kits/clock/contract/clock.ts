/** What the control API takes to change a clock (CONTRACT 6). */
import { z } from "zod";

/** Maximum offset of a clock in seconds: a hundred years. */
const MAX_OFFSET_SECONDS = 3_155_760_000;
const seconds = z.number().min(-MAX_OFFSET_SECONDS).max(MAX_OFFSET_SECONDS);

/** Sets a clock: an offset from real time, or a frozen instant; `{}` returns to real time. */
export const clockInput = z.strictObject({
  offsetSeconds: seconds.exactOptional(),
  frozenAt: z.iso.datetime({ offset: true }).nullable().exactOptional(),
});

/** Moves a clock forward, or back when negative. */
export const clockAdvance = z.strictObject({ seconds });

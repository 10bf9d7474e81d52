/** The service clock in the control API; the service reads time from nothing else. */
import { z } from "zod";
import { lazyObject } from "./lazy-object.ts";
import { isoInstantText } from "./scalars.ts";

/** Maximum offset of a clock in seconds: a hundred years. */
const MAX_OFFSET_SECONDS = 3_155_760_000;
const seconds = z.number().min(-MAX_OFFSET_SECONDS).max(MAX_OFFSET_SECONDS);

/** The state of a clock. */
export const clockItem = lazyObject(() => ({
  now: isoInstantText,
  offsetSeconds: z.number(),
  frozenAt: isoInstantText.nullable(),
}));
/** @see clockItem */
export type ClockItem = z.input<typeof clockItem>;

/** Sets a clock: an offset from real time, or a frozen instant; `{}` returns to real time. */
export const clockInput = z.strictObject({
  offsetSeconds: seconds.exactOptional(),
  frozenAt: z.iso.datetime({ offset: true }).nullable().exactOptional(),
});

/** Moves a clock forward, or back when negative. */
export const clockAdvance = z.strictObject({ seconds });

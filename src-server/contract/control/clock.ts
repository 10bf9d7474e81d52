/** The service clock in the control API and in fixtures; the service reads time from nothing else. */
import { z } from "zod";
import { isoInstantText } from "../scalars.ts";
import { clockRecord } from "../service/records.ts";

/** The state of a clock. */
export const clockItem = z.object({
  now: isoInstantText,
  offsetSeconds: z.number(),
  frozenAt: isoInstantText.nullable(),
});
export type ClockItem = z.input<typeof clockItem>;

/** Maximum offset of a clock in seconds: a hundred years. */
const MAX_OFFSET_SECONDS = 3_155_760_000;
/** Seconds by which a clock is ahead; negative: behind. */
const clockSeconds = z.number().min(-MAX_OFFSET_SECONDS).max(MAX_OFFSET_SECONDS);

/** Sets a clock: an offset from real time, or a frozen instant; `{}` returns to real time. */
export const clockInput = z.strictObject({
  offsetSeconds: clockSeconds.exactOptional(),
  frozenAt: z.iso.datetime({ offset: true }).nullable().exactOptional(),
});
export type ClockInput = z.output<typeof clockInput>;

/** Moves a clock forward, or back when negative. */
export const clockAdvance = z.strictObject({ seconds: clockSeconds });

/** A clock in a fixture: as PUT `clock` takes it, or as an export has it. */
export const fixtureClock = z.strictObject({
  ...clockInput.shape,
  offsetMs: clockRecord.shape.offsetMs.exactOptional(),
  frozenAtMs: clockRecord.shape.frozenAtMs.exactOptional(),
});
export type FixtureClock = z.output<typeof fixtureClock>;

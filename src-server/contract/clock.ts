/** The service clock in the control API; the service reads time from nothing else. */
import { z } from "zod";
import { lazyObject } from "./lazy-object.ts";
import { isoInstantText } from "./scalars.ts";

/** The state of a clock. */
export const clockItem = lazyObject(() => ({
  now: isoInstantText,
  offsetSeconds: z.number(),
  frozenAt: isoInstantText.nullable(),
}));
/** @see clockItem */
export type ClockItem = z.input<typeof clockItem>;

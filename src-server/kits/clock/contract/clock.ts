/** What the control API takes to advance a clock (CONTRACT 6). */
import { z } from "zod";
import { clockSeconds } from "#contract/clock.ts";

/** Moves a clock forward, or back when negative. */
export const clockAdvance = z.strictObject({ seconds: clockSeconds });

/**
 * What there is to say of a clock.
 */
import type { OddClock } from "../../api/clock.ts";
import { exactWords } from "../../ui/time-words.ts";
import { lifetimeWords } from "../sessions/session-words.ts";

type Setting = Pick<OddClock, "offsetSeconds" | "frozenAt">;

/** @returns whether a clock shows real time, moved time, or stands still. */
export const kindOf = ({ offsetSeconds, frozenAt }: Setting): "real" | "moved" | "frozen" =>
  frozenAt !== null ? "frozen" : offsetSeconds === 0 ? "real" : "moved";

/** @returns how far a time lies from real time, such as `2 hours ahead of real time`. */
export const apartWords = (ms: number): string => {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  return seconds === 0
    ? "the same as real time"
    : `${lifetimeWords(seconds)} ${ms > 0 ? "ahead of" : "behind"} real time`;
};

/** @returns the state of a clock in a few words. */
export const stateWords = (clock: Setting): string => {
  if (clock.frozenAt !== null) return `Frozen at ${exactWords(clock.frozenAt)}`;
  return clock.offsetSeconds === 0 ? "Real time" : `Runs ${apartWords(clock.offsetSeconds * 1_000)}`;
};

/** The jumps, shortest first. */
export const JUMPS: readonly (readonly [seconds: number, short: string, words: string])[] = [
  [60, "1 min", "1 minute"],
  [600, "10 min", "10 minutes"],
  [3_600, "1 h", "1 hour"],
  [86_400, "1 day", "1 day"],
];

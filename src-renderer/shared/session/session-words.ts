import type { Session } from "#client/index.ts";
import type { OddClock } from "../../api/clock.ts";
import { exactWords } from "../../ui/words.ts";

/** @returns the state at a time: an active session may have expired since the server's response. */
export const stateAt = ({ state, expiresAt }: Session, nowMs: number): Session["state"] =>
  state === "active" && Date.parse(expiresAt) <= nowMs ? "expired" : state;

const UNITS = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

/** @returns seconds as text, such as `1 d` or `1 h 30 min`. */
const lifetimeWords = (seconds: number): string => {
  let left = seconds;
  const words = UNITS.flatMap(([size, word]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return words.join(" ");
};

type ClockSetting = Pick<OddClock, "offsetSeconds" | "frozenAt">;

/** @returns whether a clock shows real time, is offset, or is frozen. */
export const kindOf = ({ offsetSeconds, frozenAt }: ClockSetting): "real" | "moved" | "frozen" =>
  frozenAt !== null ? "frozen" : offsetSeconds === 0 ? "real" : "moved";

/** @returns the difference from real time, such as `2 h ahead of real time`. */
export const apartWords = (ms: number): string => {
  const seconds = Math.round(Math.abs(ms) / 1_000);
  return seconds === 0
    ? "the same as real time"
    : `${lifetimeWords(seconds)} ${ms > 0 ? "ahead of" : "behind"} real time`;
};

/** @returns the state of a clock as a short text. */
export const stateWords = (clock: ClockSetting): string => {
  if (clock.frozenAt !== null) return `Frozen at ${exactWords(clock.frozenAt)}`;
  return clock.offsetSeconds === 0 ? "Real time" : `Runs ${apartWords(clock.offsetSeconds * 1_000)}`;
};

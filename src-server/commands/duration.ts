/** Parses durations for the command line. */
import { printable, wrongUsage } from "./io.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(-?\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d)?$/;

/**
 * @param text a number and a unit (`500ms`, `90s`, `2m`, `1h`, `30d`); seconds without a unit. @param name of the
 * option, for errors. @param least the minimum in milliseconds.
 * @returns milliseconds. @throws CommandError if the text is not a duration.
 */
export const durationMs = (text: string, name: string, least = 0): number => {
  const [, number, unit = "s"] = DURATION.exec(text) ?? [];
  const ms = number === undefined ? Number.NaN : Math.round(Number(number) * (UNITS[unit] ?? 0));
  if (ms >= least) return ms;
  throw wrongUsage(`${name} must be seconds, or a time such as 500ms, 2m or 1h, not "${printable(text)}".`);
};

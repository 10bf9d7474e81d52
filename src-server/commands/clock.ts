/** `stagedoor clock`: reads and moves the service clock. */
import type { Clock } from "#client/records.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print, printable, wrongUsage } from "#server/plumbing/io.ts";
import { durationMs } from "#server/plumbing/options.ts";

/** @param text a date, or an instant with offset. @returns the instant. */
const instant = (text: string): string => {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text}T00:00:00Z`;
  const [, hour, zone] = /^\d{4}-\d{2}-\d{2}T\d{2}(:\d{2})?.*?(Z|[+-]\d{2}:\d{2})$/.exec(text) ?? [];
  // To the hour, which JavaScript does not read.
  const whole = hour === undefined && zone !== undefined ? text.replace(zone, `:00${zone}`) : text;
  if (zone !== undefined && !Number.isNaN(Date.parse(whole))) return new Date(whole).toISOString();
  throw wrongUsage(`freeze needs a time such as 2026-01-31 or 2026-01-31T12:00:00Z, not "${printable(text)}".`);
};

const clockLine = ({ now, offsetSeconds, frozenAt }: Clock): string => {
  if (frozenAt !== null) return `${now} (frozen)`;
  if (offsetSeconds === 0) return `${now} (real time)`;
  return `${now} (${Math.abs(offsetSeconds)} s ${offsetSeconds > 0 ? "ahead of" : "behind"} real time)`;
};

/**
 * Prints the clock, after an optional change.
 * @param action absent: only print. @param value of `advance` a duration, negative for back; of `freeze` a time.
 * @returns 0. @throws CommandError
 */
export const clock = async (
  io: Io,
  action: "advance" | "freeze" | "real" | undefined,
  value: string | undefined,
  options: ClientOptions,
): Promise<number> => {
  const of = { appId: options.app };
  if (action === "advance" && value === undefined)
    throw wrongUsage("Add a duration, such as `stagedoor clock advance 10m`.");
  if (action !== "advance" && action !== "freeze" && value !== undefined)
    throw wrongUsage(`clock ${action ?? ""} takes no value, such as "${printable(value)}".`);
  const seconds = action === "advance" ? durationMs(value ?? "", "clock advance", -Infinity) / 1_000 : 0;
  const at = action === "freeze" && value !== undefined ? instant(value) : undefined;
  const now = await withEmulator(options, ({ clock: its }) => {
    if (action === "advance") return its.advance(seconds, of);
    if (action === "freeze") return its.freeze(at, of);
    return action === "real" ? its.reset(of) : its.read(of);
  });
  return print(io, options.json, now, [clockLine(now)]);
};

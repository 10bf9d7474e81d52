/** Reads the options of a command. */
import type { z } from "zod";
import { fieldErrors } from "#contract/validation.ts";
import { type Config, type Environment, type GivenOptions, type Host, readConfig } from "#server/config.ts";
import { printable, wrongUsage } from "./io.ts";

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** @returns the entries that are not undefined. */
export const given = <T extends object>(entries: T): Given<T> => {
  const kept: Iterable<readonly unknown[]> = Object.entries(entries).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept);
};

/**
 * @param nameOf how an error names a field. @param more `known` names of fields; what is `between` errors.
 * @returns the parsed input. @throws CommandError with all errors.
 */
export const checked = <T extends z.ZodType>(
  schema: T,
  input: unknown,
  nameOf: (field: string) => string,
  { known, between = "\n" }: { known?: NonNullable<Parameters<typeof fieldErrors>[1]>["known"]; between?: string } = {},
): z.output<T> => {
  const parsed = schema.safeParse(input, { reportInput: true });
  if (parsed.success) return parsed.data;
  const errors = Object.entries(fieldErrors(parsed.error, given({ known })));
  throw wrongUsage(errors.map(([field, texts]) => printable(`${nameOf(field)} ${texts.join(", ")}`)).join(between));
};

/** @param options of `start`. @returns the configuration, and that of its file. @throws CommandError with all errors. */
export const configWithFile = (options: GivenOptions, env?: Environment, at?: Host) => {
  const read = readConfig(options, env, at);
  if ("errors" in read) throw wrongUsage(read.errors.join("\n"));
  return read;
};

/** @param options of `start`. @returns the configuration. @throws CommandError with all errors. */
export const configOf = (options: GivenOptions): Config => configWithFile(options).config;

const UNITS: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 },
};
const DURATION = /^([+-]?\d{1,12}(?:\.\d{1,3})?)(ms|s|m|h|d|w)?$/;

/**
 * @param text a number and a unit (`500ms`, `90s`, `2m`, `1h`, `30d`, `2w`); seconds without a unit. @param name of the
 * option, for errors. @param least the minimum in milliseconds.
 * @returns milliseconds. @throws CommandError if the text is not a duration.
 */
export const durationMs = (text: string, name: string, least = 0): number => {
  const [, number, unit = "s"] = DURATION.exec(text) ?? [];
  const ms = number === undefined ? Number.NaN : Math.round(Number(number) * (UNITS[unit] ?? 0));
  if (ms >= least) return ms;
  throw wrongUsage(`${name} must be seconds, or a time such as 500ms, 2m or 1h, not "${printable(text)}".`);
};

/** @returns an option that is a whole number; undefined if it is not given. @throws CommandError */
export const wholeNumber = (
  text: string | undefined,
  option: string,
  least: number,
  most: number,
): number | undefined => {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= least && number <= most) return number;
  throw wrongUsage(`${option} must be a whole number from ${least} to ${most}, not "${printable(text)}".`);
};

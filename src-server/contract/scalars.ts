/** Scalar types. The unit of a number is in its name and in its type. */
import { z } from "zod";
import { BOUNDS } from "./bounds.ts";

/** @param schema of a field that may be absent. @param description for the documentation. @param more such as a title. */
export const optional = <T extends z.ZodType>(schema: T, description: string, more?: object): z.ZodExactOptional<T> => {
  const made = schema.exactOptional();
  // `describe` would make a copy.
  z.globalRegistry.add(made, { description, ...more });
  return made;
};

/** A JSON value, as `JSON.parse` returns it. No one writes into what another may hold: to change it, make a new one. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** A JSON object: own keys only. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}
/** A JSON object while the one who makes it fills it in. */
export type JsonDraft = Record<string, JsonValue>;

/** @param value parsed JSON. @returns whether it is an object, not an array or null. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @param value parsed JSON. @returns whether it is an array; unlike `Array.isArray`, keeps it readonly. */
export const isJsonArray = (value: unknown): value is readonly JsonValue[] => Array.isArray(value);

/** @returns whether a value is nested deeper than so many levels. It looks no deeper. */
export const deeperThan = (value: JsonValue, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const entries = isJsonArray(value) ? value : Object.values(value);
  return entries.some((entry) => deeperThan(entry, levels - 1));
};

/** Sets any key of an object; `__proto__` becomes an ordinary key. */
export const setKey = <T>(object: Record<string, T>, key: string, value: NoInfer<T>): void => {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
};

/** Milliseconds since 1970, by the service clock. */
export type EpochMs = number & { readonly __unit: "epoch ms" };
/** Whole seconds since 1970: `expiration` of a session, `exp` of a token (D28). */
export type EpochSeconds = number & { readonly __unit: "epoch s" };
/** An ISO 8601 instant in UTC with milliseconds (service.md 2.1). Instants compare as strings. */
export type IsoInstant = string & { readonly __format: "ISO instant" };

/** The latest instant of a clock: the end of the year 9999, after which ISO text no longer sorts. */
export const LAST_EPOCH_MS = 253_402_300_799_999;

/** @param ms milliseconds since 1970. @returns it as `EpochMs`, clamped to the years 1970 to 9999. */
export const epochMs = (ms: number): EpochMs => Math.min(Math.max(0, Math.trunc(ms)), LAST_EPOCH_MS) as EpochMs;

/** @param ms milliseconds since 1970. @returns whole seconds, rounded down. */
export const epochSeconds = (ms: EpochMs): EpochSeconds => Math.floor(ms / 1000) as EpochSeconds;

/** @param ms milliseconds since 1970. @returns whole seconds, rounded up, so that nothing expires early (D28). */
export const expirySeconds = (ms: EpochMs): EpochSeconds => Math.ceil(ms / 1000) as EpochSeconds;

/** The last result: most instants are formatted several times within their millisecond. */
let lastMs = 0 as EpochMs;
let lastText = new Date(0).toISOString() as IsoInstant;

/** @param ms milliseconds since 1970. @returns ISO text. */
export const isoInstant = (ms: EpochMs): IsoInstant => {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString() as IsoInstant;
  }
  return lastText;
};

/** @param instant ISO text. @returns milliseconds since 1970. */
export const instantMs = (instant: IsoInstant): EpochMs => Date.parse(instant) as EpochMs;

/** A validated instant: exactly `2026-01-31T12:00:00.000Z`. */
export const isoInstantText = z.iso
  .datetime({ precision: 3 })
  .transform((text): IsoInstant => text as IsoInstant)
  .describe("An ISO 8601 instant in UTC with milliseconds.");

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** @param text a path segment. @returns the UUID in lower case; undefined if it is not a UUID (D13). */
export const readUuid = (text: string): string | undefined => (UUID.test(text) ? text.toLowerCase() : undefined);

/** A UUID; upper case is accepted and converted to lower case (D13). */
export const uuidText = z.string().regex(UUID, "must be a UUID").toLowerCase().meta({ format: "uuid" });

/** @returns why a string is not valid text, although JSON can carry it; undefined if it is valid (D5). */
export const textError = (text: string): string | undefined => {
  if (text.includes("\0")) return "must not contain the NUL character";
  if (!text.isWellFormed()) return "must not contain half of a surrogate pair";
  return undefined;
};

/** @returns a copy of the start of a text; a slice would keep the whole text in memory. */
export const beginningOf = (text: string, most: number): string =>
  text.length <= most ? text : String(JSON.parse(JSON.stringify(text.slice(0, most))));

/** @returns a text as it is shown: with more characters than `most`, its beginning and “…”. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${beginningOf(text, most)}…`;

/** @returns the schema with a rule: `error` says what is wrong with a value; undefined if nothing is. */
export const ruled = <T extends z.ZodType>(schema: T, error: (value: z.output<T>) => string | undefined): T =>
  schema.superRefine((value, ctx) => {
    const message = error(value);
    if (message !== undefined) ctx.addIssue({ code: "custom", message });
  });

/** Text without NUL or lone surrogates (D5). */
export const safeText = ruled(z.string(), textError);

/** Text without NUL or lone surrogates, of at most `max` characters (code points). */
export const textUpTo = (max: number) =>
  ruled(safeText, (text) =>
    // A character is one or two code units, so a text longer than twice the limit need not be counted.
    text.length > max && (text.length > 2 * max || [...text].length > max)
      ? `is too long (at most ${max} characters)`
      : undefined,
  ).meta({ maxLength: max });

/** A DNS name without scheme, port or path: labels of letters, digits and hyphens, separated by dots. */
export const HOST_NAME: RegExp =
  /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** A phone number in E.164 form, such as `+12025550100` (D7). */
export const e164 = z.e164();

/** An email address of at most 254 characters, kept as sent (D8). */
export const email = z.string().max(BOUNDS.emailLength.most, { abort: true }).check(z.email());

/** @returns a username in lower case (D8); unchanged if longer than any email address, as in a lenient app. */
export const foldUsername = (text: string): string =>
  text.length > BOUNDS.emailLength.most || !/[A-Z]/.test(text)
    ? text
    : text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

/** A switch in a query; absent: off. */
export const flag = () => z.enum(["0", "1"]).default("0");

/** A whole number in a query, without a plus sign, a point or an exponent. */
export const countText = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d+$/, "must be a whole number")
    .transform((digits) => Math.max(Math.min(Number(digits), Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER))
    .pipe(z.int().min(min).max(max))
    .meta({ type: "integer", minimum: min, maximum: max });

/** The same with a default. `json-schema.ts` turns the note into `default`, which zod omits for a transform. */
export const countTextOr = (min: number, max: number, byDefault: number) =>
  countText(min, max).default(byDefault).meta({ "x-default": byDefault });

/** A duration in a query, in milliseconds, with a default: `10s`, `1500ms`, or milliseconds. */
export const durationTextOr = (minMs: number, maxMs: number, byDefault: number) =>
  z
    .string()
    .regex(/^\d{1,9}(ms|s)?$/, "must be a duration such as 10s, 1500ms or 1500 (milliseconds)")
    .transform((text) => Number.parseInt(text, 10) * (/\ds$/.test(text) ? 1_000 : 1))
    .pipe(z.int().min(minMs).max(maxMs))
    .default(byDefault)
    .meta({ "x-default": byDefault, "x-most-ms": maxMs });

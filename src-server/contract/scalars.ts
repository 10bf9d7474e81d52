/**
 * The small values that everything else is made of. The unit of a number is in its name and in its type.
 */
import { z } from "zod";

/** A JSON value as JSON.parse gives it. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
/** A JSON object: own keys only, values are JSON. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Milliseconds since 1970, of the clock that the service goes by. */
export type EpochMs = number & { readonly __unit: "epoch ms" };
/** Whole seconds since 1970: `expiration` of a session, `exp` of a token (D28). */
export type EpochSeconds = number & { readonly __unit: "epoch s" };
/** An instant as text: ISO 8601, UTC, with milliseconds (SPEC 2.1). Two of them compare as strings. */
export type IsoInstant = string & { readonly __format: "ISO instant" };

/** The last instant that a clock may show: the end of the year 9999, after which ISO text no longer sorts. */
export const LAST_EPOCH_MS = 253_402_300_799_999;

/** @param ms milliseconds since 1970, kept between 1970 and the year 9999. @returns the same number, branded. */
export const epochMs = (ms: number): EpochMs => Math.min(Math.max(0, Math.trunc(ms)), LAST_EPOCH_MS) as EpochMs;

/** @param ms milliseconds since 1970. @returns whole seconds, rounded down. */
export const epochSeconds = (ms: EpochMs): EpochSeconds => Math.floor(ms / 1000) as EpochSeconds;

/** The last instant that was asked for: most are asked for several times within their millisecond. */
let last = { ms: 0 as EpochMs, text: new Date(0).toISOString() as IsoInstant };

/** @param ms milliseconds since 1970. @returns the ISO text of it. */
export const isoInstant = (ms: EpochMs): IsoInstant => {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() as IsoInstant };
  return last.text;
};

/** @param instant ISO text. @returns milliseconds since 1970. */
export const instantMs = (instant: IsoInstant): EpochMs => Date.parse(instant) as EpochMs;

/** An instant, checked: exactly `2026-01-31T12:00:00.000Z`. */
export const isoInstantText = z.iso
  .datetime({ precision: 3 })
  .transform((text): IsoInstant => text as IsoInstant)
  .meta({ description: "An ISO 8601 instant in UTC with milliseconds." });

const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** @param text what a client put into a path. @returns the UUID in small letters, or undefined if it is none (D13). */
export const readUuid = (text: string): string | undefined => (UUID.test(text) ? text.toLowerCase() : undefined);

/** A UUID; capitals are accepted and made small (D13). */
export const uuidText = z.string().regex(UUID, "must be a UUID").toLowerCase().meta({ format: "uuid" });

/** What is wrong with a string that JSON can carry but no honest text holds; undefined if nothing (D5). */
export const textFault = (text: string): string | undefined => {
  if (text.includes("\0")) return "must not contain the NUL character";
  if (!text.isWellFormed()) return "must not contain half of a surrogate pair";
  return undefined;
};

/** Text without NUL and lone surrogates, of at most `max` characters (code points). */
export const textUpTo = (max: number) =>
  z
    .string()
    .superRefine((text, ctx) => {
      const fault = textFault(text);
      if (fault !== undefined) ctx.addIssue({ code: "custom", message: fault });
      if (text.length > max && [...text].length > max) {
        ctx.addIssue({ code: "custom", message: `is too long (at most ${max} characters)` });
      }
    })
    .meta({ maxLength: max });

/** A DNS name without scheme, port and path: labels of letters, digits and hyphens, joined by dots. */
export const HOST_NAME: RegExp =
  /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;

/** A phone number in E.164 form, such as `+12025550100` (D7). */
export const e164 = z.e164();

/** An email address of at most 254 characters, kept as sent (D8). */
export const email = z.email().max(254);

/** @param text a username. @returns it with ASCII capitals made small, as usernames are compared (D8). */
export const foldUsername = (text: string): string => text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

/** A whole number as a query carries it: digits and nothing else. */
export const countText = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: "integer", minimum: min, maximum: max });

/** The same, with what holds when it is absent; `json-schema.ts` makes the note a `default`, which zod drops of a transform. */
export const countTextOr = (min: number, max: number, byDefault: number) =>
  countText(min, max).default(byDefault).meta({ "x-default": byDefault });

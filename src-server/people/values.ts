/** Reads single values of users: text out of lists and objects, addresses, times. */
import { BOUNDS } from "#contract/bounds.ts";
import {
  deeperThan,
  epochMs,
  type IsoInstant,
  isJsonArray,
  isJsonObject,
  isoInstant,
  type JsonObject,
  type JsonValue,
} from "#contract/scalars.ts";

/** Blank, as far as it is seen. */
const BLANK = /[\s\p{Cf}\p{Zs}]/u;
/** What databases and spreadsheets write for nothing. */
const NOTHING = /^(?:NULL|null|\\N|[([<](?:NULL|null)[)\]>]|#N\/A|n\/a|N\/A|-|–|—)?$/;

/** No word for nothing is longer. */
const LONGEST_NOTHING = 6;
const isSeen = (code: number): boolean => code > 0x20 && code < 0x7f;

/** An expression for the end would look at each blank of a long text again. */
const withoutBlanksAround = (text: string): string => {
  let [from, to] = [0, text.length];
  while (from < to && BLANK.test(text.charAt(from))) from += 1;
  while (from < to && BLANK.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
};

/** @returns a text without blanks around it; undefined if it stands for nothing. */
export const filled = (text: string): string | undefined => {
  const isBare = isSeen(text.charCodeAt(0)) && isSeen(text.charCodeAt(text.length - 1));
  const bare = isBare ? text : withoutBlanksAround(text);
  return bare.length <= LONGEST_NOTHING && NOTHING.test(bare) ? undefined : bare;
};

/** Whether a text looks like an email address. */
export const isAddress = (text: string): boolean => /^[^\s@,;|<>"]+@[^\s@,;|<>"]+\.[^\s@,;|<>".]+$/.test(text);

const PRIMARY: readonly string[] = ["primary", "isPrimary", "is_primary", "default", "isDefault", "preferred"];
const isPrimary = (entry: JsonValue): boolean => {
  if (!isJsonObject(entry)) return false;
  const { metadata } = entry;
  return (
    PRIMARY.some((key) => /^(?:true|1)$/i.test(String(entry[key] ?? ""))) ||
    (isJsonObject(metadata) && isPrimary(metadata))
  );
};

/** The keys of an object whose value is meant by it. */
const MEANT: readonly string[] =
  "canonicalForm value address email emailAddress email_address number phone phoneNumber phone_number mail mobile formatted displayName display_name fullName full_name name".split(
    " ",
  );

const meantBy = (object: JsonObject): JsonValue | undefined => {
  const key = MEANT.find((one) => typeof object[one] === "string" && object[one] !== "");
  return key === undefined ? undefined : object[key];
};

/** @returns the text that a value is meant to be: of a list the primary entry, else the first; undefined: none. */
export const textOf = (value: JsonValue | undefined): string | undefined => {
  if (typeof value === "string") return filled(value);
  if (typeof value === "number") return String(value);
  if (isJsonArray(value)) return textOf(value.find(isPrimary)) ?? value.map(textOf).find((text) => text !== undefined);
  return isJsonObject(value) ? textOf(meantBy(value)) : undefined;
};

/** @returns the first of several in one cell, such as `a@example.com ::: b@example.com`. */
export const firstOf = (text: string): string => filled(text.split(/:::|[,;|\n]/)[0] ?? "") ?? text;

/** @returns an address without `mailto:`, a name before it and what cannot be seen. */
export const addressOf = (text: string): string => {
  const first = isAddress(text) ? text : firstOf(text);
  const [, inner = first] = /<([^<>]+)>$/.exec(first) ?? [];
  return inner.replace(/^mailto:/i, "").replaceAll(/\p{Cf}/gu, "");
};

const INSTANT =
  /^(\d{4})([-/])(\d\d)[-/](\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/i;
/** LDAP's generalized time. */
const GENERALIZED = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const EPOCH = /^\d{9,16}(?:\.\d+)?$/;

/** @returns milliseconds of digits since 1970: seconds, milliseconds or microseconds, by their number. */
const epochOf = (text: string): number => {
  const whole = text.replace(/\..*/, "").length;
  if (whole <= 11) return Math.round(Number(text) * 1_000);
  return whole <= 14 ? Number(text) : Number(text) / 1_000;
};

const offsetMs = (zone: string): number => {
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
};

/** @returns an ISO date and time that exist; undefined if they do not. */
const checkedMs = (date: string, time: string): number | undefined => {
  const ms = Date.parse(`${date}T${time}Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date ? undefined : ms;
};

const msOf = (text: string): number | undefined => {
  if (EPOCH.test(text)) return epochOf(text);
  if (HTTP_DATE.test(text)) return Date.parse(text);
  const [found, year, , month, day, hours = "00", minutes = "00", seconds = "00", decimals = "", zone = "Z"] =
    INSTANT.exec(text) ?? [];
  if (found !== undefined) {
    const at = checkedMs(`${year}-${month}-${day}`, `${hours}:${minutes}:${seconds}.${`${decimals}00`.slice(0, 3)}`);
    return at === undefined ? undefined : at - offsetMs(zone);
  }
  const [general, y, m, d, ...time] = GENERALIZED.exec(text) ?? [];
  return general === undefined ? undefined : checkedMs(`${y}-${m}-${d}`, time.join(":"));
};

/** @returns a time of any of the forms that exports have, in UTC with milliseconds; undefined if it is none. */
export const instantIn = (text: string): IsoInstant | undefined => {
  const ms = msOf(text);
  return ms === undefined || ms < 0 || ms !== epochMs(ms) ? undefined : isoInstant(epochMs(ms));
};

/** @returns whether JSON is nested deeper than what is read, which is as deep as a body may be. */
export const isTooDeep = (value: JsonValue): boolean => deeperThan(value, BOUNDS.bodyDepth.most);

/** @returns a cell that is JSON in text as its value, anything else unchanged. */
export const unpacked = (cell: JsonValue): JsonValue => {
  if (typeof cell !== "string" || !/^\s*[[{]/.test(cell)) return cell;
  try {
    const value: JsonValue = JSON.parse(cell);
    return isTooDeep(value) ? cell : value;
  } catch {
    return cell;
  }
};

/** @returns a name in lower case without punctuation and accents. */
export const plainName = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{Nd}]/gu, "");

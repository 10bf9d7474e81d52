/** Reads the number of a cell, as files have them. */
import type { JsonValue } from "#contract/scalars.ts";
import { isPhone, phoneValue } from "#contract/words/phone-words.ts";
import { AMBIGUOUS, NATIONAL } from "./faults.ts";
import type { Home, PhoneRules, Reading } from "./phone-rules.ts";
import { firstOf, textOf } from "./values.ts";

/** A number as it is stored, what was cut off it, and whether only a plus was added; or what is wrong with it. */
export type PhoneRead =
  | { readonly value: JsonValue; readonly extension?: string; readonly lacksPlus?: boolean }
  | { readonly wrong: string; readonly given: string };

/** What numbers are read by. */
export interface PhoneContext {
  /** Absent: all numbers are in E.164 form. */
  readonly rules: PhoneRules | undefined;
  /** The places of the columns that say of which country the row's number is. */
  readonly homes: readonly number[];
  /** How the bare digits of this file are meant, where they can be two numbers. */
  readonly way?: Reading | undefined;
  readonly row: readonly (JsonValue | undefined)[];
  /** Whether only numbers that are given out are taken. */
  readonly isSure?: boolean;
}

const ROUNDED = "is a number that a spreadsheet has rounded; format the column as text and save it again";
const FRACTION = "is a number with a fraction";
const DATE = "is a date";
const NO_PHONE = "must be a phone number in E.164 form, such as +12025550100";

/** What stands after a number, and is not dialled for a message. */
const EXTENSION = /(?:extension|extn|ext|x|#|durchwahl|доб)[.:=]?\s?(\d{1,7})$/i;
const EXPONENT = /^(\d)(?:[.,](\d+))?E\+?(\d{1,2})$/i;
const DATE_FIRST_YEAR = /^(?:19|20)\d\d[-/.][01]?\d[-/.][0-3]?\d(?:[T ]\d.*)?$/;
const DATE_LAST_YEAR = /^[0-3]?\d[-/.][0-3]?\d[-/.](?:19|20)\d\d$/;

/** @returns the home of a row's numbers by its own columns; null: they name none that is known. */
export const homeOfRow = ({ rules, homes, row }: PhoneContext): Home | null | undefined => {
  for (const place of homes) {
    const text = textOf(row[place]);
    if (text !== undefined) return rules?.countries.find(text) ?? null;
  }
  return undefined;
};

/** @returns a spreadsheet's number without its exponent, if it has all its digits. */
const unrounded = (text: string): string | undefined => {
  const [, first = "", decimals = "", exponent = ""] = EXPONENT.exec(text) ?? [];
  if (first === "") return text;
  return decimals.length === Number(exponent) ? first + decimals : undefined;
};

const nameOf = (home: Home): string => (typeof home === "string" ? home : `+${home.defaultCallingCode}`);

/** @returns the digits before the first separator; a bracket is one, around an area code. */
const firstGroup = (text: string): string | undefined =>
  text.startsWith("(") ? "" : /^\D{0,3}(\d{1,7})\D/.exec(text)?.[1];

const readDigits = (value: string, text: string, context: PhoneContext): PhoneRead => {
  const { rules, way } = context;
  const own = homeOfRow(context);
  const home = own === null ? undefined : (own ?? rules?.home);
  const written = { home, way, group: firstGroup(text) };
  const read =
    rules?.read(value, written) ??
    // The zero of `49 (0)171` is not dialled from abroad.
    (text.includes("(0") ? rules?.read(phoneValue(`+${text}`).slice(1), written) : undefined);
  if (read === undefined) {
    const isNumber = /^\d{6,15}$/.test(value);
    if (!isNumber || own === null || home === undefined) return { wrong: isNumber ? NATIONAL : NO_PHONE, given: text };
    return { wrong: `is no number of ${nameOf(home)}`, given: text };
  }
  if ("either" in read) return { wrong: `${AMBIGUOUS}: ${read.either.join(" or ")}`, given: text };
  return read.value === `+${value}` ? { value: read.value, lacksPlus: true } : { value: read.value };
};

/** @returns the number in a text. */
export const readPhone = (text: string, context: PhoneContext): PhoneRead => {
  const value = phoneValue(text);
  if (isPhone(value)) return { value };
  return /^\d{5,17}$/.test(text) ? readDigits(value, text, context) : readOddPhone(text, context);
};

/** @returns the number that a typed text is, as it is read in a file without a country; undefined: it is none. */
export const numberIn = async (typed: string): Promise<string | undefined> => {
  const { PhoneRules } = await import("./phone-rules.ts");
  const read = readPhone(typed.trim(), {
    rules: new PhoneRules(undefined, []),
    homes: [],
    row: [],
  });
  return "value" in read && typeof read.value === "string" ? read.value : undefined;
};

/** Reads a number that has something of its own: a date is none, an extension is cut, of several the first is read. */
const readOddPhone = (text: string, context: PhoneContext): PhoneRead => {
  if (DATE_FIRST_YEAR.test(text) || DATE_LAST_YEAR.test(text)) return { wrong: DATE, given: text };
  const plain = unrounded(text)?.replace(/^(\+?\d{5,17})[.,]0{1,2}$/, "$1");
  if (plain === undefined) return { wrong: ROUNDED, given: text };
  const cut = EXTENSION.exec(plain);
  const extension = cut?.[1];
  const before = plain
    .slice(0, cut?.index ?? 0)
    .trimEnd()
    .replace(/[;,]$/, "");
  if (extension !== undefined && /\d\)?$/.test(before)) {
    const read = readPhone(before, context);
    return "value" in read ? { ...read, extension } : { ...read, given: text };
  }
  if (/^\+?[1-9]\d{4,}[.,]\d{1,5}$/.test(plain)) return { wrong: FRACTION, given: text };
  const first = firstOf(plain);
  if (first !== plain) return readPhone(first, context);
  const value = phoneValue(plain);
  if (isPhone(value)) return { value };
  return /^\d+$/.test(value) ? readDigits(value, plain, context) : { wrong: NO_PHONE, given: text };
};

/** Texts as advice shows and repairs them: secrets masked, what stands around them, what cannot be seen, what is nearly right. */

import { domainToASCII } from "node:url";
import { cutText, isJsonArray, isJsonObject, type JsonValue } from "#contract/scalars.ts";
import { visible } from "#contract/words/phone-words.ts";
import type { World } from "#domain/world.ts";

const MOST = 60;
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

/** @returns whether a text is a token such as those of sessions. */
export const isToken = (text: string): boolean => JWT.test(text);

/** @returns a secret, of which only the beginning is shown. */
export const maskedText = (text: string): string =>
  text.length < 8 ? `a text of ${text.length} characters` : `“${text.slice(0, 3)}…” (${text.length} characters)`;

/** @returns a text in quotation marks; a secret, or a token, masked. */
export const shownText = (world: World, text: string): string =>
  world.appBySecret(text.trim()) !== undefined || isToken(text) ? maskedText(text) : `“${cutText(text, MOST)}”`;

/** @returns a value with its kind, unless it is a text. */
export const shownValue = (world: World, value: JsonValue): string => {
  if (typeof value === "string") return value === "" ? "an empty string" : shownText(world, value);
  if (value === null) return "null";
  if (isJsonArray(value))
    return value.length === 0 ? "an empty array" : `an array: ${cutText(JSON.stringify(value), MOST)}`;
  if (isJsonObject(value))
    return Object.keys(value).length === 0 ? "an empty object" : `an object: ${cutText(JSON.stringify(value), MOST)}`;
  return `the ${typeof value} ${String(value)}`;
};

/** @returns the text without any of these characters at its beginning and at its end. */
export const trimmedOf = (text: string, before: string, after: string): string => {
  let [from, to] = [0, text.length];
  while (from < to && before.includes(text[from] ?? "")) from += 1;
  while (to > from && after.includes(text[to - 1] ?? "")) to -= 1;
  return text.slice(from, to);
};

const QUOTES = "\"'`";

/** @returns a text without the quotation marks around it; unchanged if there is no pair of them. */
export const unquoted = (text: string): string => {
  const [inner, first] = [text.trim(), text.trim()[0] ?? ""];
  return inner.length > 1 && QUOTES.includes(first) && inner.endsWith(first) ? inner.slice(1, -1) : text;
};

/** What is wrong with a text. */
export interface TextFlaw {
  readonly code: string;
  readonly words: string;
}

type Unseen = readonly [code: string, words: string, pattern: RegExp];

const UNSEEN: readonly Unseen[] = [
  ["blank_around", "begins or ends with a space", /^\s|\s$/],
  [
    "direction_mark",
    "contains a mark of direction, which cannot be seen",
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
  ],
  ["zero_width", "contains a character without width, which cannot be seen", /[\u00ad\u180e\u200b-\u200d\u2060\ufeff]/],
  ["full_width", "has full-width characters", /[\u3000\uff01-\uff5e]/],
  ["other_digits", "has digits of another script", /[^\P{Nd}0-9\uff10-\uff19]/u],
];

/** @returns what cannot be seen in a text: the code of the first, and all in words; undefined if there is nothing. */
export const unseenIn = (text: string): TextFlaw | undefined => {
  const found = UNSEEN.filter(([, , pattern]) => pattern.test(text));
  const [first] = found;
  return first && { code: first[0], words: found.map(([, words]) => words).join(" and ") };
};

const LIKE_DIGITS: Readonly<Record<string, string>> = { O: "0", o: "0", I: "1", l: "1", S: "5", B: "8" };

/** @returns a number or code with digits for the letters that look like them, and the first such letter; undefined if it has none. */
export const withDigits = (text: string): { readonly letter: string; readonly text: string } | undefined => {
  const letter = /[OoIlSB]/.exec(text)?.[0];
  return letter === undefined || !/^[\d\s()+.OoIlSB-]+$/.test(text)
    ? undefined
    : { letter, text: text.replace(/[OoIlSB]/g, (one) => LIKE_DIGITS[one] ?? one) };
};

/** @param typed a wrong code. @param code the right one. @returns why it is nearly right; undefined if it is not. */
export const codeFlaw = (typed: string, code: string): TextFlaw | undefined => {
  const shown = visible(typed).trim();
  const unseen = unseenIn(typed);
  if (unseen !== undefined && shown === code) return unseen;
  const digits = shown.replace(/[\s.-]/g, "");
  const digital = withDigits(digits);
  if (digital?.text === code)
    return { code: "letter_for_digit", words: `has the letter “${digital.letter}” where a digit belongs` };
  if (digits === code) return { code: "more_around", words: "is the correct code with extra characters" };
  if (shown !== "" && shown.length < code.length && shown.padStart(code.length, "0") === code)
    return { code: "lost_zeros", words: "is the correct code without its leading zeros" };
  return shown.includes(code) && !/^\d+$/.test(shown)
    ? { code: "more_around", words: "contains the correct code, and more" }
    : undefined;
};

const asciiDomain = (address: string): string | undefined => {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  const ascii = /^[ -~]*$/.test(domain) ? "" : domainToASCII(domain);
  return at < 0 || ascii === "" ? undefined : `${address.slice(0, at)}@${ascii}`;
};

/** @returns what an address is refused for, and what it may be instead (empty: no one knows); undefined: nothing is known. */
export const emailFlaw = (typed: string): (TextFlaw & { readonly instead: string }) | undefined => {
  const shown = visible(typed).trim();
  const inner = /^[^<>]*<([^<>]+)>$/.exec(shown)?.[1]?.trim();
  if (inner !== undefined) return { code: "name_in_address", words: "has a name around the address", instead: inner };
  const unseen = unseenIn(typed);
  const idn = asciiDomain(shown);
  if (idn !== undefined) return { code: "idn", words: "has a domain with non-ASCII letters", instead: idn };
  if (/\s/.test(shown)) {
    const words = "has a space in the address";
    return { code: "blank_in_address", words, instead: shown.replace(/\s+/g, "") };
  }
  if (unseen !== undefined) return { ...unseen, instead: shown };
  if (!shown.includes("@")) return { code: "no_at", words: "has no @", instead: "" };
  return /@[^@.]+$/.test(shown) ? { code: "no_dot", words: "has no dot after the @", instead: "" } : undefined;
};

/** @param names in lower case, between blanks. @returns them. */
export const wordsIn = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/** @returns a text without percent-encoding; as it is, if it cannot be decoded. */
export const uriDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Invisible characters in a value that a client sent. */
import { frozen } from "#contract/frozen.ts";

/** Code, words, and whether a text has it. */
type Unseen = readonly [code: string, words: string, pattern: RegExp];

const UNSEEN = frozen<readonly Unseen[]>([
  ["blank_around", "begins or ends with a space", /^\s|\s$/],
  [
    "direction_mark",
    "contains a mark of direction, which cannot be seen",
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
  ],
  ["zero_width", "contains a character without width, which cannot be seen", /[\u00ad\u180e\u200b-\u200d\u2060\ufeff]/],
  ["full_width", "has full-width characters", /[\u3000\uff01-\uff5e]/],
  ["other_digits", "has digits of another script", /[^\P{Nd}0-9\uff10-\uff19]/u],
]);

/** @returns what cannot be seen in a text: the code of the first, and all in words; undefined if there is nothing. */
export const unseenIn = (text: string): { readonly code: string; readonly words: string } | undefined => {
  const found = UNSEEN.filter(([, , pattern]) => pattern.test(text));
  const [first] = found;
  return first && { code: first[0], words: found.map(([, words]) => words).join(" and ") };
};

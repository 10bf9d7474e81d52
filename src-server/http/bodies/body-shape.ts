/** Measures depth and size of a JSON text before the parser, which would build objects for all of it. */
import { BOUNDS } from "#contract/bounds.ts";

const [OTHER, QUOTE, OPEN, CLOSE, SEPARATOR] = [0, 1, 2, 3, 4] as const;
const BACKSLASH = 0x5c;
const QUOTATION_MARK = 0x22;

/** The meaning of each byte outside strings. */
const KIND = new Uint8Array(256).fill(OTHER);
for (const [kind, bytes] of [
  [QUOTE, '"'],
  [OPEN, "{["],
  [CLOSE, "}]"],
  [SEPARATOR, ",:"],
] as const)
  for (const byte of Buffer.from(bytes)) KIND[byte] = kind;

/** @param at the first byte of a string. @returns the position of its closing quote, or the end of the text. */
const endOfString = (json: Buffer, at: number): number => {
  let end = at;
  while (end < json.length && json[end] !== QUOTATION_MARK) end += json[end] === BACKSLASH ? 2 : 1;
  return end;
};

const isEmpty = (json: Buffer, closing: number): boolean => {
  let at = closing - 1;
  while (at > 0 && (json[at] ?? 0) <= 0x20) at--;
  return KIND[json[at] ?? 0] === OPEN;
};

/** Counts colons and commas: keys and values. @returns the limit that the text exceeds; it need not be valid JSON. */
export const shapeProblem = (json: Buffer, mostEntries: number): "body_too_deep" | "body_too_complex" | undefined => {
  const mostDepth = BOUNDS.bodyDepth.most;
  // Each level takes at least an opening and a closing byte.
  if (json.length <= 2 * mostDepth) return undefined;
  let depth = 0;
  let entries = 0;
  for (let at = 0; at < json.length; at++) {
    switch (KIND[json[at] ?? 0]) {
      case OTHER:
        break;
      case QUOTE:
        at = endOfString(json, at + 1);
        break;
      case OPEN:
        if (++depth > mostDepth) return "body_too_deep";
        entries++;
        break;
      case CLOSE:
        depth--;
        if (isEmpty(json, at)) entries--;
        break;
      default:
        if (++entries > mostEntries) return "body_too_complex";
    }
  }
  return entries > mostEntries ? "body_too_complex" : undefined;
};

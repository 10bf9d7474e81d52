import { JsonPieces } from "#contract/words/json-pieces.ts";
import { EntryList, isListName } from "./entry-list.ts";

/** What decodes UTF-8, and throws where it is none: a `TextDecoder` with `fatal` and `ignoreBOM`. */
interface Utf8Decoder {
  decode(bytes: Uint8Array): string;
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array => {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  const whole = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
};

/**
 * @param level of nesting of the lists of an app.
 * @returns a reader of a text with a world in it, which checks those lists while they arrive.
 */
export const createWorldReader = (level: number, utf8: Utf8Decoder): JsonPieces =>
  new JsonPieces(
    level,
    (key) => (isListName(key) ? new EntryList(key) : undefined),
    (pieces) => {
      try {
        return utf8.decode(joined(pieces));
      } catch {
        return undefined;
      }
    },
  );

/**
 * JSON as people write it: fixture files may hold comments and trailing commas (JSONC, CONTRACT 13), and what is wrong is
 * named by line and column. Valid JSON costs one `JSON.parse`; jsonc-parser reads only what that refuses.
 */
import { type JSONPath, printParseErrorCode, visit } from "jsonc-parser";
import type { JsonValue } from "./scalars.ts";
import { pathText } from "./validation.ts";

/** A place in a text: the offset in UTF-16 units, line and column from 1. */
export interface TextPlace {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** The first syntax error of a text. */
export interface JsonError extends TextPlace {
  readonly message: string;
}

/** What jsonc-parser finds wrong, in words. */
const MESSAGES: Readonly<Record<string, string>> = {
  PropertyNameExpected: "Expected a property name in double quotes",
  ValueExpected: "Expected a value",
  ColonExpected: "Expected a colon",
  CommaExpected: "Expected a comma",
  CloseBraceExpected: 'Expected a comma or "}"',
  CloseBracketExpected: 'Expected a comma or "]"',
  EndOfFileExpected: "Expected the end of the text",
  InvalidCommentToken: "Comments are not allowed here",
  UnexpectedEndOfComment: "The comment has no end",
  UnexpectedEndOfString: "The string has no closing quote",
  UnexpectedEndOfNumber: "The number is incomplete",
  InvalidUnicode: "Invalid \\u escape in a string",
  InvalidEscapeCharacter: "Invalid escape sequence in a string",
  InvalidCharacter: "Control characters in a string must be escaped",
};

const placeOf = (offset: number, line: number, character: number): TextPlace => ({
  offset,
  line: line + 1,
  column: character + 1,
});

/** @returns the text with the given ranges replaced by spaces. */
const blanked = (text: string, ranges: readonly (readonly [offset: number, length: number])[]): string => {
  let kept = "";
  let at = 0;
  for (const [offset, length] of ranges) {
    kept += text.slice(at, offset) + " ".repeat(length);
    at = offset + length;
  }
  return kept + text.slice(at);
};

/** Reads what `JSON.parse` has refused: the first error, and the comments and trailing commas to leave out. */
const examine = (text: string, jsonc: boolean) => {
  let error: JsonError | undefined;
  let deepest = placeOf(0, 0, 0);
  let comma: number | undefined;
  const leaveOut: [number, number][] = [];
  const begin = (offset: number, _length: number, line: number, character: number): void => {
    deepest = placeOf(offset, line, character);
    comma = undefined;
  };
  const clear = (): void => {
    comma = undefined;
  };
  const end = (): void => {
    if (comma !== undefined) leaveOut.push([comma, 1]);
    comma = undefined;
  };
  try {
    visit(
      text,
      {
        onObjectBegin: begin,
        onArrayBegin: begin,
        onObjectProperty: clear,
        onLiteralValue: clear,
        onObjectEnd: end,
        onArrayEnd: end,
        onSeparator: (character, offset) => {
          if (character === ",") comma = offset;
        },
        onComment: (offset, length) => leaveOut.push([offset, length]),
        onError: (code, offset, length, line, character) => {
          const found = JSON.stringify(text.slice(offset, offset + Math.min(length, 40)));
          const message = MESSAGES[printParseErrorCode(code)] ?? `Unexpected ${found}`;
          error ??= { ...placeOf(offset, line, character), message };
        },
      },
      { allowTrailingComma: jsonc, disallowComments: !jsonc },
    );
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    error ??= { ...deepest, message: "Nested too deeply" };
  }
  return {
    error,
    plain: blanked(
      text,
      leaveOut.sort(([a], [b]) => a - b),
    ),
  };
};

/**
 * @param text without BOM. @param options `jsonc`: comments and trailing commas are allowed.
 * @returns the value, or the first syntax error.
 */
export const readJson = (
  text: string,
  { jsonc = false }: { readonly jsonc?: boolean } = {},
): { readonly value: JsonValue } | { readonly error: JsonError } => {
  // Always by JSON.parse: jsonc-parser would take a `__proto__` key for the prototype.
  const parse = (json: string): { readonly value: JsonValue } => ({ value: JSON.parse(json) });
  try {
    return parse(text);
  } catch {
    const { error, plain } = examine(text, jsonc);
    return error === undefined ? parse(plain) : { error };
  }
};

/** @returns a path after those that lead to it, such as `""`, `apps`, `apps[0]`, `apps[0].name`. */
const leadingTo = (path: string): string[] => [
  "",
  ...[...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index)),
  path,
];

/**
 * Finds values in a text by the paths that errors name them by.
 * @param text valid JSON or JSONC. @param paths such as `apps[0].profiles[3].phone`; the values need not exist.
 * @returns for each path where its value begins, else where the nearest value around it begins.
 */
export const placesInJson = (text: string, paths: readonly string[]): ReadonlyMap<string, TextPlace> => {
  const ways = new Set(paths.flatMap(leadingTo));
  const found = new Map<string, TextPlace>();
  /** @returns whether something in the value is sought. */
  const look = (offset: number, line: number, character: number, path: JSONPath): boolean => {
    const here = pathText(path);
    if (ways.has(here)) found.set(here, placeOf(offset, line, character));
    return ways.has(here);
  };
  const begin = (offset: number, _length: number, line: number, character: number, path: () => JSONPath): boolean =>
    look(offset, line, character, path());
  // Without these two jsonc-parser would never come back from a value that was passed over.
  const end = (): void => undefined;
  try {
    visit(
      text,
      {
        onObjectBegin: begin,
        onArrayBegin: begin,
        onObjectEnd: end,
        onArrayEnd: end,
        onLiteralValue: (_value, offset, _length, line, character, path) => {
          look(offset, line, character, path());
        },
      },
      { allowTrailingComma: true },
    );
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  const start = placeOf(0, 0, 0);
  return new Map(
    paths.map((path) => [path, found.get(leadingTo(path).findLast((way) => found.has(way)) ?? "") ?? start]),
  );
};

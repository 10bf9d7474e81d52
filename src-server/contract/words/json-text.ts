/**
 * JSON as people write it: fixture files can have comments and trailing commas (JSONC), and errors name line and column.
 * `JSON.parse` reads it; only a text that it rejects goes through jsonc-parser, which finds the first error.
 */
import { type JSONPath, printParseErrorCode, visit } from "jsonc-parser";
import { BOUNDS } from "../bounds.ts";
import { deeperThan, type JsonValue } from "../scalars.ts";
import { pathText } from "../validation.ts";

/** A position in a text: offset in UTF-16 units; line and column from 1. */
export interface TextPlace {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A syntax error, and what stands before it. */
export interface JsonError extends TextPlace {
  readonly message: string;
  /** Whether it is in a string, which begins at this place. */
  readonly inString: boolean;
  /** The last token before it; undefined: it is at the beginning. */
  readonly after: "{" | "[" | "," | ":" | "name" | "value" | undefined;
  /** What closes the innermost object or array that is open; undefined: none is. */
  readonly closer: "}" | "]" | undefined;
}

/** Messages for jsonc-parser's error codes. */
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
const IN_STRING = /^(?:UnexpectedEndOfString|InvalidUnicode|InvalidEscapeCharacter|InvalidCharacter)$/;

const CUT = /^Close(?:Brace|Bracket)Expected$/;

const textPlace = (offset: number, line: number, character: number): TextPlace => ({
  offset,
  line: line + 1,
  column: character + 1,
});
const START = textPlace(0, 0, 0);

/** An import sends such a text as a part of its body. */
const MOST_LEVELS = BOUNDS.bodyDepth.most - 1;

/** Ends a scan. */
class Found extends Error {
  readonly error: JsonError;
  constructor(error: JsonError) {
    super(error.message);
    this.error = error;
  }
}

/** Comments and trailing commas: their places and lengths. */
type Ranges = readonly (readonly [offset: number, length: number])[];

/** @returns the first error of a text; if jsonc-parser finds none, what JSON does not have. */
const scanned = (text: string, jsonc: boolean, levels: number): JsonError | Ranges => {
  const closers: ("}" | "]")[] = [];
  let after: JsonError["after"];
  const ranges: [number, number][] = [];
  let comma = 0;
  let open: Pick<JsonError, "after" | "closer"> | undefined;
  const found = (place: TextPlace, message: string, inString = false, isCut = false): never => {
    throw new Found({ ...place, message, inString, after, closer: closers.at(-1), ...(isCut && open) });
  };
  const begin =
    (closer: "}" | "]") =>
    (offset: number, _length: number, line: number, character: number): void => {
      closers.push(closer);
      after = closer === "}" ? "{" : "[";
      if (closers.length > levels)
        found(textPlace(offset, line, character), `Nested deeper than ${MOST_LEVELS} levels`);
    };
  // Is also called where the text ends too early, before the error.
  const end = (): void => {
    if (after === ",") ranges.push([comma, 1]);
    open = { after, closer: closers.pop() };
    after = "value";
  };
  const token = (name: typeof after) => (): void => {
    after = name;
  };
  try {
    visit(
      text,
      {
        onObjectBegin: begin("}"),
        onArrayBegin: begin("]"),
        onObjectProperty: token("name"),
        onLiteralValue: token("value"),
        onObjectEnd: end,
        onArrayEnd: end,
        onSeparator: (character, offset) => {
          comma = offset;
          after = character === "," ? "," : ":";
        },
        onComment: (offset, length) => void ranges.push([offset, length]),
        onError: (error, offset, length, line, character) => {
          const code = printParseErrorCode(error);
          const message =
            MESSAGES[code] ?? `Unexpected ${JSON.stringify(text.slice(offset, offset + Math.min(length, 40)))}`;
          found(textPlace(offset, line, character), message, IN_STRING.test(code), CUT.test(code));
        },
      },
      { allowTrailingComma: jsonc, disallowComments: !jsonc },
    );
  } catch (thrown) {
    if (!(thrown instanceof Found)) throw thrown;
    return thrown.error;
  }
  return ranges.sort(([a], [b]) => a - b);
};

/** @returns the text without these ranges. */
const without = (text: string, ranges: Ranges): string =>
  [[0, 0] as const, ...ranges].map(([at, length], i) => text.slice(at + length, ranges[i]?.[0])).join(" ");

// Always JSON.parse: jsonc-parser would set the prototype for a `__proto__` key.
const parsed = (json: string): JsonValue | undefined => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** @param text without BOM. @param options `jsonc`: allow comments and trailing commas; `levels`: of nesting. */
export const readJson = (
  text: string,
  { jsonc = false, levels = MOST_LEVELS }: { readonly jsonc?: boolean; readonly levels?: number } = {},
): { readonly value: JsonValue } | { readonly error: JsonError } => {
  const whole = parsed(text);
  if (whole !== undefined && !(Number.isFinite(levels) && deeperThan(whole, levels))) return { value: whole };
  const found = scanned(text, jsonc, levels);
  if ("message" in found) return { error: found };
  const value = jsonc ? parsed(without(text, found)) : undefined;
  if (value !== undefined) return { value };
  return { error: { ...START, message: "This is not JSON", inString: false, after: undefined, closer: undefined } };
};

/** @returns the path and its ancestors, outermost first, such as `""`, `apps`, `apps[0]`, `apps[0].name`. */
const leadingTo = (path: string): string[] => [
  "",
  ...[...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index)),
  path,
];

/**
 * @param text JSON or JSONC. @param paths such as `apps[0].profiles[3].phone`; they need not exist.
 * @returns for each path where its value begins, or the nearest enclosing value.
 */
export const placesInJson = (text: string, paths: readonly string[]): ReadonlyMap<string, TextPlace> => {
  const ways = new Set(paths.flatMap(leadingTo));
  const found = new Map<string, TextPlace>();
  /** @returns whether a wanted path lies in this value. */
  const look = (offset: number, _length: number, line: number, character: number, path: () => JSONPath): boolean => {
    const here = pathText(path());
    if (ways.has(here)) found.set(here, textPlace(offset, line, character));
    return ways.has(here);
  };
  // Without these two callbacks jsonc-parser never leaves a skipped value.
  const end = (): void => undefined;
  try {
    visit(
      text,
      {
        onObjectBegin: look,
        onArrayBegin: look,
        onObjectEnd: end,
        onArrayEnd: end,
        onLiteralValue: (_value, ...where) => void look(...where),
      },
      { allowTrailingComma: true },
    );
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
  }
  return new Map(
    paths.map((path) => [path, found.get(leadingTo(path).findLast((way) => found.has(way)) ?? "") ?? START]),
  );
};

/**
 * JSON as people write it: fixture files can have comments and trailing commas (JSONC, CONTRACT 13), and errors name
 * line and column. Valid JSON costs one `JSON.parse`; jsonc-parser only runs when that fails.
 */
import { getNodeValue, type JSONPath, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import type { JsonValue } from "./scalars.ts";
import { pathText } from "./validation.ts";

/** A position in a text: offset in UTF-16 units; line and column from 1. */
export interface TextPlace {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A syntax error. */
export interface JsonError extends TextPlace {
  readonly message: string;
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

/** Errors after which nothing more can be parsed. */
const ENDS: ReadonlySet<string> = new Set(["UnexpectedEndOfString", "UnexpectedEndOfComment"]);
/** Errors that leave the value intact. */
const HARMLESS: ReadonlySet<string> = new Set([
  "CommaExpected",
  "InvalidCommentToken",
  "InvalidUnicode",
  "InvalidEscapeCharacter",
  "InvalidCharacter",
]);

/** Collects syntax errors, one per mistake: the parser reports several for the same mistake before it recovers. */
class Mistakes {
  readonly list: JsonError[] = [];
  /** From this offset on brackets do not match, so values may belong elsewhere. */
  brokenAt: number | undefined;
  /** Whether parsed data lacks values or names. */
  incomplete = false;
  readonly #text: string;
  #stumbling = false;
  readonly #closers: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Called when the parser enters an object or array; `closer` ends it. */
  enter(closer: "}" | "]"): void {
    this.#closers.push(closer);
    this.progress();
  }

  /** Called when the parser leaves it. */
  leave(): void {
    this.#closers.pop();
    this.progress();
  }

  /** Called when the parser has read a complete token. */
  progress(): void {
    this.#stumbling = false;
  }

  /** Records a parser error. */
  note(code: string, place: TextPlace, length: number): void {
    const found = this.#text.slice(place.offset, place.offset + Math.min(length, 40));
    const isFirst = !this.#stumbling && this.brokenAt === undefined;
    if (isFirst) this.list.push({ ...place, message: MESSAGES[code] ?? `Unexpected ${JSON.stringify(found)}` });
    this.#stumbling = true;
    if (!HARMLESS.has(code)) this.incomplete = true;
    const isLost = found === "" || ((found === "}" || found === "]") && found !== this.#closers.at(-1));
    if (isLost || ENDS.has(code) || code === "EndOfFileExpected")
      this.brokenAt ??= this.list.at(-1)?.offset ?? place.offset;
  }
}

/** Scans a text that `JSON.parse` rejected for errors, comments and trailing commas. */
const examine = (text: string, jsonc: boolean) => {
  const mistakes = new Mistakes(text);
  let deepest = placeOf(0, 0, 0);
  let comma: number | undefined;
  const leaveOut: [number, number][] = [];
  const begin = (closer: "}" | "]", offset: number, line: number, character: number): void => {
    deepest = placeOf(offset, line, character);
    comma = undefined;
    mistakes.enter(closer);
  };
  const clear = (): void => {
    comma = undefined;
    mistakes.progress();
  };
  const end = (): void => {
    if (comma !== undefined) leaveOut.push([comma, 1]);
    comma = undefined;
    mistakes.leave();
  };
  try {
    visit(
      text,
      {
        onObjectBegin: (offset, _length, line, character) => begin("}", offset, line, character),
        onArrayBegin: (offset, _length, line, character) => begin("]", offset, line, character),
        onObjectProperty: clear,
        onLiteralValue: clear,
        onObjectEnd: end,
        onArrayEnd: end,
        onSeparator: (character, offset) => {
          if (character !== ",") return;
          comma = offset;
          mistakes.progress();
        },
        onComment: (offset, length) => leaveOut.push([offset, length]),
        onError: (code, offset, length, line, character) =>
          mistakes.note(printParseErrorCode(code), placeOf(offset, line, character), length),
      },
      { allowTrailingComma: jsonc, disallowComments: !jsonc },
    );
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    if (mistakes.list.length === 0) mistakes.list.push({ ...deepest, message: "Nested too deeply" });
    mistakes.brokenAt = 0;
  }
  return {
    mistakes,
    plain: blanked(
      text,
      leaveOut.sort(([a], [b]) => a - b),
    ),
  };
};

// Always JSON.parse: jsonc-parser would set the prototype for a `__proto__` key.
const parse = (json: string): { readonly value: JsonValue } => ({ value: JSON.parse(json) });

/** @param text without BOM. @param options `jsonc`: allow comments and trailing commas. */
export const readJson = (
  text: string,
  { jsonc = false }: { readonly jsonc?: boolean } = {},
): { readonly value: JsonValue } | { readonly error: JsonError } => {
  try {
    return parse(text);
  } catch {
    const { mistakes, plain } = examine(text, jsonc);
    const [error] = mistakes.list;
    return error === undefined ? parse(plain) : { error };
  }
};

/** The result of a tolerant parse: as much of a JSONC text as possible, and all its syntax errors (CONTRACT 13). */
export interface Recovered {
  /** The parsed value; undefined if nothing could be parsed. */
  readonly value: JsonValue | undefined;
  /** In order, one per mistake. */
  readonly errors: readonly JsonError[];
  /** Whether the value lacks something because of an error. */
  readonly incomplete: boolean;
  /** From this offset on brackets do not match; undefined if they all do. */
  readonly brokenAt: number | undefined;
}

/** Parses as much of a JSONC text as possible. @param text without BOM. */
export const recoverJson = (text: string): Recovered => {
  const whole = { errors: [], incomplete: false, brokenAt: undefined };
  try {
    return { ...parse(text), ...whole };
  } catch {
    const { mistakes, plain } = examine(text, true);
    const { list: errors, incomplete, brokenAt } = mistakes;
    if (errors.length === 0) return { ...parse(plain), ...whole };
    return { value: brokenAt === 0 ? undefined : understood(text), errors, incomplete, brokenAt };
  }
};

const understood = (text: string): JsonValue | undefined => {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  // These objects have no prototype, so `__proto__` is an ordinary key.
  const value: unknown = tree === undefined ? undefined : getNodeValue(tree);
  return value === undefined ? undefined : parse(JSON.stringify(value)).value;
};

/** @returns the path and its ancestors, outermost first, such as `""`, `apps`, `apps[0]`, `apps[0].name`. */
const leadingTo = (path: string): string[] => [
  "",
  ...[...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index)),
  path,
];

/**
 * Finds the positions of values in a text, by the paths that errors use.
 * @param text valid JSON or JSONC. @param paths such as `apps[0].profiles[3].phone`; they need not exist.
 * @returns for each path where its value begins, or the nearest enclosing value.
 */
export const placesInJson = (text: string, paths: readonly string[]): ReadonlyMap<string, TextPlace> => {
  const ways = new Set(paths.flatMap(leadingTo));
  const found = new Map<string, TextPlace>();
  /** @returns whether a wanted path lies in this value. */
  const look = (offset: number, line: number, character: number, path: JSONPath): boolean => {
    const here = pathText(path);
    if (ways.has(here)) found.set(here, placeOf(offset, line, character));
    return ways.has(here);
  };
  const begin = (offset: number, _length: number, line: number, character: number, path: () => JSONPath): boolean =>
    look(offset, line, character, path());
  // Without these two callbacks jsonc-parser never leaves a skipped value.
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

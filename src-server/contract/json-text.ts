/**
 * JSON as people write it: fixture files may hold comments and trailing commas (JSONC, CONTRACT 13), and what is wrong is
 * named by line and column. Valid JSON costs one `JSON.parse`; jsonc-parser reads only what that refuses.
 */
import { getNodeValue, type JSONPath, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import type { JsonValue } from "./scalars.ts";
import { pathText } from "./validation.ts";

/** A place in a text: the offset in UTF-16 units, line and column from 1. */
export interface TextPlace {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A syntax error of a text. */
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

/** Errors after which nothing that follows can be told apart. */
const ENDS: ReadonlySet<string> = new Set(["UnexpectedEndOfString", "UnexpectedEndOfComment"]);
/** Errors that leave a value whole. */
const HARMLESS: ReadonlySet<string> = new Set([
  "CommaExpected",
  "InvalidCommentToken",
  "InvalidUnicode",
  "InvalidEscapeCharacter",
  "InvalidCharacter",
]);

/**
 * Gathers syntax errors: one for each mistake, since the parser stumbles several times over the same one before it finds
 * its way again.
 */
class Mistakes {
  readonly list: JsonError[] = [];
  /** From this offset on the brackets no longer match: what is read there may lie elsewhere. */
  brokenAt: number | undefined;
  /** Whether values or names are missing from what was read. */
  incomplete = false;
  readonly #text: string;
  #stumbling = false;
  readonly #closers: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** The parser has entered an object or a list, which ends so. */
  enter(closer: "}" | "]"): void {
    this.#closers.push(closer);
    this.progress();
  }

  /** The parser has left it. */
  leave(): void {
    this.#closers.pop();
    this.progress();
  }

  /** The parser has read something whole. */
  progress(): void {
    this.#stumbling = false;
  }

  /** Notes an error of the parser. */
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

/** Reads what `JSON.parse` has refused: the errors, and the comments and trailing commas to leave out. */
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

// Always by JSON.parse: jsonc-parser would take a `__proto__` key for the prototype.
const parse = (json: string): { readonly value: JsonValue } => ({ value: JSON.parse(json) });

/**
 * @param text without BOM. @param options `jsonc`: comments and trailing commas are allowed.
 * @returns the value, or the first syntax error.
 */
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

/** What can be made out of a JSONC text, and everything that is wrong with its syntax (CONTRACT 13). */
export interface Recovered {
  /** What was understood; undefined: nothing. */
  readonly value: JsonValue | undefined;
  /** One for each mistake, in order. */
  readonly errors: readonly JsonError[];
  /** Whether something is missing from the value because of a mistake. */
  readonly incomplete: boolean;
  /** From this offset on brackets do not match; undefined: they do. */
  readonly brokenAt: number | undefined;
}

/** Reads as much of a JSONC text as can be understood. @param text without BOM. */
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
  // Its objects have no prototype, so that `__proto__` is a key like the others.
  const value: unknown = tree === undefined ? undefined : getNodeValue(tree);
  return value === undefined ? undefined : parse(JSON.stringify(value)).value;
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

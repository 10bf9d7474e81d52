/**
 * JSON as people write it: fixture files can have comments and trailing commas (JSONC), and errors name
 * line and column. Valid JSON costs one `JSON.parse`; jsonc-parser only runs when that fails.
 */
import { getNodeValue, type JSONPath, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import { BOUNDS } from "../bounds.ts";
import { frozen } from "../frozen.ts";
import { isJsonArray, type JsonValue } from "../scalars.ts";
import { pathText } from "../validation.ts";

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
const MESSAGES = frozen<Readonly<Record<string, string>>>({
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
});

const textPlace = (offset: number, line: number, character: number): TextPlace => ({
  offset,
  line: line + 1,
  column: character + 1,
});
const START = textPlace(0, 0, 0);

/** An import sends such a text as a part of its body. */
const MOST_LEVELS = BOUNDS.bodyDepth.most - 1;

const isDeeper = (value: JsonValue, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return (isJsonArray(value) ? value : Object.values(value)).some((inner) => isDeeper(inner, levels - 1));
};

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
const ENDS = frozen<ReadonlySet<string>>(
  new Set(["UnexpectedEndOfString", "UnexpectedEndOfComment", "EndOfFileExpected"]),
);
/** Errors that leave the value intact. */
const HARMLESS = frozen<ReadonlySet<string>>(
  new Set(["CommaExpected", "InvalidCommentToken", "InvalidUnicode", "InvalidEscapeCharacter", "InvalidCharacter"]),
);

/**
 * Scans a text that `JSON.parse` rejected.
 * @returns its errors, one per mistake, since the parser reports several for one before it recovers; `incomplete`:
 * parsed data lacks values or names; `brokenAt`: from there on brackets do not match, so values may belong elsewhere;
 * `plain`: the text without comments and trailing commas.
 */
const examine = (text: string, jsonc: boolean, levels: number) => {
  const errors: JsonError[] = [];
  let incomplete = false;
  let brokenAt: number | undefined;
  let stumbling = false;
  const closers: string[] = [];
  let deepest = START;
  let comma: number | undefined;
  const leaveOut: [number, number][] = [];
  /** Called for each complete token. */
  const progress = (): void => {
    comma = undefined;
    stumbling = false;
  };
  const begin =
    (closer: "}" | "]") =>
    (offset: number, _length: number, line: number, character: number): void => {
      deepest = textPlace(offset, line, character);
      closers.push(closer);
      progress();
      if (closers.length > levels) throw new RangeError();
    };
  const end = (): void => {
    if (comma !== undefined) leaveOut.push([comma, 1]);
    closers.pop();
    progress();
  };
  const note = (error: number, offset: number, length: number, line: number, character: number): void => {
    const code = printParseErrorCode(error);
    const found = text.slice(offset, offset + Math.min(length, 40));
    const message = MESSAGES[code] ?? `Unexpected ${JSON.stringify(found)}`;
    if (!stumbling && brokenAt === undefined) errors.push({ ...textPlace(offset, line, character), message });
    stumbling = true;
    if (!HARMLESS.has(code)) incomplete = true;
    const isLost = found === "" || (/^[}\]]$/.test(found) && found !== closers.at(-1));
    if (isLost || ENDS.has(code)) brokenAt ??= errors.at(-1)?.offset ?? offset;
  };
  try {
    visit(
      text,
      {
        onObjectBegin: begin("}"),
        onArrayBegin: begin("]"),
        onObjectProperty: progress,
        onLiteralValue: progress,
        onObjectEnd: end,
        onArrayEnd: end,
        onSeparator: (character, offset) => {
          if (character !== ",") return;
          progress();
          comma = offset;
        },
        onComment: (offset, length) => leaveOut.push([offset, length]),
        onError: note,
      },
      { allowTrailingComma: jsonc, disallowComments: !jsonc },
    );
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    if (errors.length === 0) errors.push({ ...deepest, message: `Nested deeper than ${MOST_LEVELS} levels` });
    brokenAt = 0;
  }
  leaveOut.sort(([a], [b]) => a - b);
  return { errors, incomplete, brokenAt, plain: blanked(text, leaveOut) };
};

// Always JSON.parse: jsonc-parser would set the prototype for a `__proto__` key.
const parse = (json: string, levels = MOST_LEVELS): { readonly value: JsonValue } => {
  const value: JsonValue = JSON.parse(json);
  if (Number.isFinite(levels) && isDeeper(value, levels)) throw new RangeError();
  return { value };
};

/** @param text without BOM. @param options `jsonc`: allow comments and trailing commas; `levels`: of nesting. */
export const readJson = (
  text: string,
  { jsonc = false, levels = MOST_LEVELS }: { readonly jsonc?: boolean; readonly levels?: number } = {},
): { readonly value: JsonValue } | { readonly error: JsonError } => {
  try {
    return parse(text, levels);
  } catch {
    const {
      errors: [error],
      plain,
    } = examine(text, jsonc, levels);
    return error === undefined ? parse(plain, levels) : { error };
  }
};

/** The result of a tolerant parse. */
interface Recovered extends Pick<ReturnType<typeof examine>, "errors" | "incomplete" | "brokenAt"> {
  /** Undefined if nothing could be parsed. */
  readonly value: JsonValue | undefined;
}

/** Parses as much of a JSONC text as possible. @param text without BOM. @returns also all its errors. */
export const recoverJson = (text: string): Recovered => {
  const whole = { errors: [], incomplete: false, brokenAt: undefined };
  try {
    return { ...parse(text), ...whole };
  } catch {
    const { errors, incomplete, brokenAt, plain } = examine(text, true, MOST_LEVELS);
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
 * @param text valid JSON or JSONC. @param paths such as `apps[0].profiles[3].phone`; they need not exist.
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

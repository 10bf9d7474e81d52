/**
 * JSON files that people write: a BOM is accepted, UTF-8 is checked, and a fault is named by line and column, which
 * `JSON.parse` does not always do.
 */
import type { JsonValue } from "#contract/scalars.ts";

/** @param bytes of a file. @returns its text without BOM, or what is wrong with it. */
export const utf8Text = (bytes: Uint8Array): { readonly text: string } | { readonly error: string } => {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { error: "is not valid UTF-8" };
  }
};

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

/** @param text that `JSON.parse` refuses. @returns the offset of the first character that cannot stand where it stands. */
const faultOffset = (text: string): number => {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const closers: string[] = [];
  let expects: "value" | "first value" | "first key" | "key" | "end" = "value";
  for (;;) {
    skip(SPACE);
    const char = text[at];
    if (expects === "end") {
      const closer = closers.at(-1);
      if (closer !== undefined && char === closer) closers.pop();
      else if (closer !== undefined && char === ",") expects = closer === "}" ? "key" : "value";
      else return at;
      at++;
    } else if (expects === "key" || expects === "first key") {
      if (expects === "first key" && char === "}") {
        closers.pop();
        at++;
        expects = "end";
        continue;
      }
      if (!skip(STRING)) return at;
      skip(SPACE);
      if (text[at] !== ":") return at;
      at++;
      expects = "value";
    } else if (char === "{" || char === "[") {
      closers.push(char === "{" ? "}" : "]");
      expects = char === "{" ? "first key" : "first value";
      at++;
    } else if (expects === "first value" && char === "]") {
      closers.pop();
      at++;
      expects = "end";
    } else if (skip(STRING) || skip(SCALAR)) expects = "end";
    else return at;
  }
};

/**
 * @param text of a JSON file or of one line of NDJSON.
 * @returns the value, or what is wrong and where, as `line` and `column`, both from 1.
 */
export const parseJson = (
  text: string,
): { readonly value: JsonValue } | { readonly error: string; readonly line: number; readonly column: number } => {
  try {
    const value: JsonValue = JSON.parse(text);
    return { value };
  } catch {
    const offset = faultOffset(text);
    const before = text.slice(0, offset);
    const line = before.split("\n").length;
    const column = offset - before.lastIndexOf("\n");
    const found = text.codePointAt(offset);
    const what =
      found === undefined ? "it ends too early" : `${JSON.stringify(String.fromCodePoint(found))} cannot stand`;
    return { error: `is not valid JSON: ${what} at line ${line}, column ${column}`, line, column };
  }
};

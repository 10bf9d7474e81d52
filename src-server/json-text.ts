/**
 * JSON files that people write: a BOM is accepted, UTF-8 is checked, and a fault is named by line and column, which
 * `JSON.parse` does not always do.
 */
import type { JsonValue } from "#contract/scalars.ts";
import { jsonFaultAt } from "#store/json-place.ts";

/** @param bytes of a file. @returns its text without BOM, or what is wrong with it. */
export const utf8Text = (bytes: Uint8Array): { readonly text: string } | { readonly error: string } => {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { error: "is not valid UTF-8" };
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
    const bytes = Buffer.from(text);
    const offset = jsonFaultAt(bytes, 0) ?? bytes.length;
    const before = bytes.toString("utf8", 0, offset);
    const line = before.split("\n").length;
    const column = before.length - before.lastIndexOf("\n");
    const found = bytes.toString("utf8", offset).codePointAt(0);
    const what =
      found === undefined ? "it ends too early" : `${JSON.stringify(String.fromCodePoint(found))} cannot stand`;
    return { error: `is not valid JSON: ${what} at line ${line}, column ${column}`, line, column };
  }
};

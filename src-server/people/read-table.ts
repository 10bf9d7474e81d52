/**
 * Recognises what a text with users is by its content, whatever its file is called: our fixtures, a JSON list, a list
 * under a key, NDJSON, or CSV (CONTRACT 22).
 */
import { placesInJson, readJson } from "#contract/json-text.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { pathText } from "#contract/validation.ts";
import { csvTable } from "./csv-table.ts";
import { type Stepwise, type Table, TableBuilder, type TableFlaw } from "./table.ts";

/** What a text is: fixtures, which have a reader of their own, users as a table, or why it is neither. */
export type TextFound =
  | { readonly kind: "fixtures" }
  | { readonly kind: "table"; readonly table: Table; readonly linesOf: LinesOf }
  | { readonly kind: "none"; readonly why: string };

/** @returns the lines of rows and flaws by their `line`, which is a place in the list if they are in one. */
type LinesOf = (lines: readonly number[]) => readonly number[];
const asTheyAre: LinesOf = (lines) => lines;

/** What is read, for texts that are none of it. */
export const READABLE =
  "fixtures, a list of users as JSON or NDJSON, or CSV with a column such as name, email or phone";

const none = (why = `is not a file that Stagedoor reads: ${READABLE}.`): TextFound => ({ kind: "none", why });

/** Records of a step. */
const STEP = 256;
/** Levels of objects in which a list of users is sought. */
const LEVELS = 4;

interface List {
  readonly path: readonly string[];
  readonly entries: readonly JsonValue[];
}

const objectsIn = (entries: readonly JsonValue[]): number => entries.filter(isJsonObject).length;

/** @returns the longest list of objects in a value. */
const longestList = (value: JsonValue, path: readonly string[] = [], levels = LEVELS): List | undefined => {
  if (isJsonArray(value)) return objectsIn(value) > 0 ? { path, entries: value } : undefined;
  if (!isJsonObject(value) || levels === 0) return undefined;
  let best: List | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = longestList(inner, [...path, key], levels - 1);
    if (found !== undefined && found.entries.length > (best?.entries.length ?? 0)) best = found;
  }
  return best;
};

/** Keys by which a single record is told from the envelope of a list. */
const PERSON = /"(?:e-?mail|phone|name|username|login|user_?id|first_?name|given_?name|sub)\w*"\s*:/i;

/** @param lineOf the `line` of an entry by its place. */
function* tableOf(form: string, entries: readonly JsonValue[], lineOf: (i: number) => number): Stepwise<Table> {
  const builder = new TableBuilder();
  const flaws: TableFlaw[] = [];
  for (const [i, entry] of entries.entries()) {
    if (isJsonObject(entry)) builder.add(lineOf(i), entry);
    else flaws.push({ line: lineOf(i), reason: "must be an object" });
    if (i % STEP === STEP - 1) yield undefined;
  }
  return { form, columns: builder.columns, rows: builder.rows, flaws, isText: false };
}

/** @returns whether an object is a user itself, by its own fields, and no envelope of a list. */
const isPerson = (object: JsonObject): boolean => {
  const plain = Object.entries(object).filter(([, inner]) => !Array.isArray(inner) && !isJsonObject(inner));
  return PERSON.test(JSON.stringify(Object.fromEntries(plain)));
};

function* listOf(text: string, { path, entries }: List): Stepwise<TextFound> {
  const where = path.length === 0 ? "a JSON list" : `a JSON list under "${path.join(".")}"`;
  const table = yield* tableOf(where, entries, (i) => i);
  // The text is searched for its lines only when some are asked for.
  const linesOf: LinesOf = (lines) => {
    const paths = lines.map((place) => pathText([...path, place]));
    const found = placesInJson(text, paths);
    return paths.map((one) => found.get(one)?.line ?? 1);
  };
  return { kind: "table", table, linesOf };
}

/** Reads an object a line. @returns undefined if the first line is none. */
function* linesIn(text: string): Stepwise<TextFound | undefined> {
  const builder = new TableBuilder();
  const flaws: TableFlaw[] = [];
  let line = 0;
  for (const content of text.split(/\r\n|\r|\n/)) {
    line += 1;
    if (line % STEP === 0) yield undefined;
    if (content.trim() === "") continue;
    const read = readJson(content);
    if ("value" in read && isJsonObject(read.value)) builder.add(line, read.value);
    else if (builder.rows.length === 0) return undefined;
    else if ("error" in read) flaws.push({ line, reason: `column ${read.error.column}: ${read.error.message}` });
    else flaws.push({ line, reason: "must be an object" });
  }
  const table: Table = { form: "NDJSON", columns: builder.columns, rows: builder.rows, flaws, isText: false };
  return { kind: "table", table, linesOf: asTheyAre };
}

const parsed = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** @param value the whole text, if it is JSON. */
function* jsonTable(text: string, value: JsonValue | undefined): Stepwise<TextFound> {
  if (isJsonObject(value) && Array.isArray(value["apps"])) return { kind: "fixtures" };
  if (value === undefined) {
    const lines = yield* linesIn(text);
    if (lines !== undefined) return lines;
    // With comments, trailing commas or errors.
    if (/"(?:apps|extends)"\s*:/.test(text)) return { kind: "fixtures" };
    const read = readJson(text, { jsonc: true });
    if ("error" in read) {
      const { line, column, message } = read.error;
      return none(`is not valid JSON: line ${line}, column ${column}: ${message}.`);
    }
    return yield* jsonTable(text, read.value);
  }
  if (isJsonObject(value) && typeof value["extends"] === "string") return { kind: "fixtures" };
  const list = longestList(value);
  if (isJsonObject(value) && isPerson(value) && (list === undefined || list.path.length > 1)) {
    const table = yield* tableOf("one JSON object", [value], () => 1);
    return { kind: "table", table, linesOf: asTheyAre };
  }
  if (list === undefined) return none();
  return yield* listOf(text, list);
}

/** @param text without BOM. */
export function* readTable(text: string): Stepwise<TextFound> {
  const head = text.slice(0, 1_000).trimStart();
  if (head === "") return none("is empty.");
  if (head.startsWith("PK\u0003\u0004"))
    return none("is a workbook. Save it as CSV (in Excel: “CSV UTF-8”), and take that.");
  if (/^(?:[[{]|\/[/*])/.test(head)) return yield* jsonTable(text, parsed(text));
  if (/^<|^%PDF|\0/.test(head)) return none();
  const table = yield* csvTable(text);
  return { kind: "table", table, linesOf: asTheyAre };
}

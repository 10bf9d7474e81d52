/**
 * Recognises what a text with users is by its content, whatever its file is called: our fixtures, a JSON list, a list
 * under a key, NDJSON, or CSV.
 */

import { isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { inSteps, type Steps, someInSteps } from "#contract/steps.ts";
import { pathText } from "#contract/validation.ts";
import { placesInJson, readJson } from "#contract/words/json-text.ts";
import { counted, many } from "#contract/words/words.ts";
import { csvTable } from "./csv.ts";
import { holdsContact } from "./fields.ts";
import { type List, listOfPeople } from "./lists.ts";
import { type LeftOut, leftWords, MOST_COLUMNS, type Table, TableBuilder } from "./table.ts";

/** What a text is: fixtures, which have their own reader, users as a table, or why it is neither. */
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

/** Keys by which a single record is told from the envelope of a list. */
const PERSON = /"(?:e-?mail|phone|name|username|login|user_?id|first_?name|given_?name|sub)\w*"\s*:/i;

/** @param lineOf the `line` of an entry by its place. */
function* tableOf(form: string, entries: readonly JsonValue[], lineOf: (i: number) => number): Steps<Table> {
  const builder = new TableBuilder();
  yield* inSteps(entries, (entry, i) => {
    if (isJsonObject(entry)) builder.add(lineOf(i), entry);
    // Firebase's lists have nothing at the places of what was deleted.
    else if (entry !== null) builder.flaws.push({ line: lineOf(i), reason: "must be an object" });
  });
  return { form, columns: builder.columns, rows: builder.rows, flaws: builder.flaws, isText: false };
}

/** @returns whether an object is a user itself, by its own fields, and no envelope of a list. */
const isPerson = (object: JsonObject): boolean => {
  const plain = Object.entries(object).filter(([, inner]) => !Array.isArray(inner) && !isJsonObject(inner));
  return PERSON.test(JSON.stringify(Object.fromEntries(plain)));
};

/** Whether an object has a phone or an address. */
const hasContact = (object: JsonObject): boolean =>
  Object.entries(object).some(([key, value]) => typeof value === "string" && holdsContact(key, value));

function* listOf(text: string, { path, entries, keys }: List, others: readonly LeftOut[]): Steps<TextFound> {
  const what = keys === undefined ? "a JSON list" : "a JSON object by id";
  const where = path.length === 0 ? what : `${what} under "${path.join(".")}"`;
  const read = yield* tableOf(where, entries, (i) => i);
  const table: Table = others.length === 0 ? read : { ...read, left: others };
  // The text is searched for its lines only when some are asked for.
  const linesOf: LinesOf = (lines) => {
    const paths = lines.map((place) => pathText([...path, keys?.[place] ?? place]));
    const found = placesInJson(text, paths);
    return paths.map((one) => found.get(one)?.line ?? 1);
  };
  return { kind: "table", table, linesOf };
}

/** Reads an object a line, or one after the other as `jq` writes them. @returns undefined if the first one is none. */
function* objectsIn(text: string): Steps<TextFound | undefined> {
  const builder = new TableBuilder();
  const lines = text.split(/\r\n|\r|\n/);
  const isSpread = lines.find((content) => content.trim() !== "") === "{";
  let from = 0;
  const isNone = yield* someInSteps(lines, (content, i) => {
    if (isSpread && content !== "}" && i < lines.length - 1) return false;
    const object = isSpread ? lines.slice(from, i + 1).join("\n") : content;
    const line = (isSpread ? from : i) + 1;
    from = i + 1;
    if (object.trim() === "") return false;
    const read = readJson(object);
    if ("value" in read && isJsonObject(read.value)) builder.add(line, read.value);
    else if (builder.rows.length === 0) return true;
    else if ("error" in read) {
      const { line: at, column, message } = read.error;
      builder.flaws.push({ line: line + at - 1, reason: `column ${column}: ${message}` });
    } else builder.flaws.push({ line, reason: "must be an object" });
    return false;
  });
  if (isNone) return undefined;
  const { columns, rows, flaws } = builder;
  return { kind: "table", table: { form: "NDJSON", columns, rows, flaws, isText: false }, linesOf: asTheyAre };
}

const parsed = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** @param value the whole text, if it is JSON. */
function* jsonTable(text: string, value: JsonValue | undefined): Steps<TextFound> {
  if (isJsonObject(value) && Array.isArray(value["apps"])) return { kind: "fixtures" };
  if (value === undefined) {
    const objects = yield* objectsIn(text);
    if (objects !== undefined) return objects;
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
  const { people, isNamed, others } = listOfPeople(value);
  if (
    isJsonObject(value) &&
    isPerson(value) &&
    !isNamed &&
    (people === undefined || hasContact(value) || people.path.length > 1)
  ) {
    const table = yield* tableOf("one JSON object", [value], () => 1);
    return { kind: "table", table, linesOf: asTheyAre };
  }
  if (people !== undefined) return yield* listOf(text, people, others);
  return others.length === 0 ? none() : none(`has no list of users, only ${leftWords(others)}. Read are ${READABLE}.`);
}

/** What dumps of databases begin with. */
const SQL = /^ *(?:CREATE\s+(?:TABLE|DATABASE|TYPE)|INSERT\s+INTO|DROP\s+TABLE)\s/im;
/** How the first line of a dump begins: a comment, or a statement. */
const SQL_START = /^(?:--|\/\*|(?:SET|PRAGMA|BEGIN|START|USE|LOCK|CREATE|INSERT|DROP)\s)/i;

/** How an entry of a directory begins. */
const LDIF = /^dn::? /im;
/** A line that databases draw between the header and the rows. */
const RULER = /^(?=.*--)[ |+:=-]+$/m;

/** @param text without BOM. */
export function* readTable(text: string): Steps<TextFound> {
  const head = text.slice(0, 1_000).trimStart();
  if (head === "") return none("is empty.");
  if (head.startsWith("PK\u0003\u0004"))
    return none("is a workbook. Save it as CSV (in Excel: “CSV UTF-8”), and take that.");
  if (/^(?:[[{]|\/[/*])/.test(head)) return yield* jsonTable(text, parsed(text));
  if (/^<|^%PDF|\0/.test(head)) return none();
  if (SQL_START.test(head) && SQL.test(head))
    return none("is an SQL dump. Export the table of users as CSV, and take that.");
  if (LDIF.test(head)) return none(`is LDIF, which Stagedoor does not read. It reads ${READABLE}.`);
  if (RULER.test(head))
    return none(`is a table as a terminal shows it. Export it as CSV. Stagedoor reads ${READABLE}.`);
  const table = yield* csvTable(text);
  const { length } = table.columns;
  if (length > MOST_COLUMNS) return none(`has ${many(length, "column")}; at most ${counted(MOST_COLUMNS)} are read.`);
  return { kind: "table", table, linesOf: asTheyAre };
}

/**
 * Profiles as rows: NDJSON with an object per line, and CSV with field names in the header. A column `metadata.x` is
 * the metadata key `x`, `metadata.x.y` a key of a nested object; a column `metadata` has a JSON object.
 */
import { z } from "zod";
import type { AppItem } from "#contract/apps.ts";
import { frozen } from "#contract/frozen.ts";
import { readJson } from "#contract/json-text.ts";
import { isJsonObject, type JsonDraft, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { type FixtureProfile, fixtureProfile, knownInState } from "#contract/state.ts";
import { fieldErrors, unknownName } from "#contract/validation.ts";

/** What a file of users holds: a world, or profiles as rows. */
export type UserFormat = "json" | "ndjson" | "csv";

const FORMATS = frozen<Readonly<Record<string, UserFormat>>>({
  json: "json",
  jsonc: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  csv: "csv",
  tsv: "csv",
});

/** @returns the format by the extension of a file's name; undefined: unknown. */
export const formatOfFile = (name: string): UserFormat | undefined => {
  const [, extension = ""] = /\.(\w+)$/.exec(name) ?? [];
  return Object.hasOwn(FORMATS, extension.toLowerCase()) ? FORMATS[extension.toLowerCase()] : undefined;
};

type RowsApp = Pick<AppItem, "appId" | "name" | "strategy" | "settings" | "createdAt">;

/** @returns the app of rows in the form of an import. Replacing deletes what is not sent, so it sends the app's own properties too. */
export const appForRows = (app: RowsApp, isReplaced: boolean): Pick<RowsApp, "appId"> & Partial<RowsApp> => {
  const { appId, name, strategy, settings, createdAt } = app;
  return isReplaced ? { appId, name, strategy, settings, createdAt } : { appId };
};

/** A profile, and the line in its file where it starts, from 1; unchecked: as written, and for CSV without the line. */
export interface NumberedProfile {
  readonly line: number;
  readonly profile: FixtureProfile | JsonObject;
}
/** The rows of a file without errors, and the errors in the order of their lines, such as `17: phone: must be a string`. */
export interface Rows {
  readonly rows: readonly NumberedProfile[];
  readonly errors: readonly string[];
}
const failed = (...errors: readonly string[]): Rows => ({ rows: [], errors });

/** A row as read: cells by column name. */
interface Cells {
  readonly line: number;
  readonly cells: readonly (readonly [name: string, value: JsonValue])[];
}

const FIELDS = knownInState(["apps", 0, "profiles", 0]);

/** Sets the value at a path. @returns false if another column's value is in the way. */
const putAt = (into: JsonDraft, path: readonly string[], value: JsonValue): boolean => {
  const [key = "", ...rest] = path;
  const before = Object.hasOwn(into, key) ? into[key] : undefined;
  if (rest.length === 0) {
    if (before !== undefined) return false;
    into[key] = value;
    return true;
  }
  if (before !== undefined && !isJsonObject(before)) return false;
  const inner: JsonDraft = { ...before };
  into[key] = inner;
  return putAt(inner, rest, value);
};

const rowsOf = (read: readonly Cells[], errors: string[], isChecked: boolean): Rows => {
  const rows: NumberedProfile[] = [];
  for (const { line, cells } of read) {
    const raw: JsonDraft = {};
    for (const [name, value] of cells) {
      const path = name.startsWith("metadata.") ? name.split(".") : [name];
      if (path.some((key) => key === "" || key === "__proto__"))
        errors.push(`${line}: ${name}: is not a valid metadata key`);
      else if (!putAt(raw, path, value)) errors.push(`${line}: ${name}: appears twice`);
    }
    const parsed = isChecked
      ? fixtureProfile.safeParse(raw, { reportInput: true })
      : ({ success: true, data: raw } as const);
    if (parsed.success) rows.push({ line, profile: parsed.data });
    else
      for (const [field, texts] of Object.entries(fieldErrors(parsed.error, { known: () => FIELDS })))
        errors.push(...texts.map((text) => `${line}: ${field}: ${text}`));
  }
  return { rows, errors: errors.toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)) };
};

/** @returns the rows of a text in one of these formats. @see rowsOfNdjson, rowsOfCsv */
export const rowsIn = async (format: "ndjson" | "csv", text: string, isChecked = true): Promise<Rows> =>
  format === "csv" ? await rowsOfCsv(text, isChecked) : rowsOfNdjson(text, isChecked);

/** @param text of an NDJSON file without BOM; empty lines are skipped. @param isChecked false: an import will do it. */
export const rowsOfNdjson = (text: string, isChecked = true): Rows => {
  const errors: string[] = [];
  const read: Cells[] = [];
  for (const [i, content] of text.split("\n").entries()) {
    const line = i + 1;
    if (content.trim() === "") continue;
    const json = readJson(content);
    if ("error" in json) errors.push(`${line}:${json.error.column}: ${json.error.message}`);
    else if (!isJsonObject(json.value)) errors.push(`${line}: must be an object`);
    else read.push({ line, cells: Object.entries(json.value) });
  }
  return rowsOf(read, errors, isChecked);
};

/** @returns what is wrong with the field names of a CSV file. */
export const headerErrors = (headers: readonly string[]): string[] => {
  const errors: string[] = [];
  for (const [i, header] of headers.entries()) {
    const column = `1: column ${i + 1}, "${header}",`;
    if (headers.indexOf(header) !== i) errors.push(`${column} appears twice`);
    else if (!header.startsWith("metadata.") && !FIELDS.includes(header))
      errors.push(`${column} ${unknownName(header, [...FIELDS, "metadata.…"])}`);
  }
  return errors;
};

/** @returns the field for a header in any case; metadata keys are case-sensitive. */
export const fieldName = (header: string): string => {
  const [first = "", ...keys] = header.trim().split(".");
  const known = FIELDS.find((field) => field.toLowerCase() === first.toLowerCase()) ?? first;
  return [known, ...keys].join(".");
};

/** Detects the delimiter: spreadsheets use semicolons where the comma is the decimal separator. */
export const delimiterOf = (text: string): string => {
  const first = text.slice(0, text.search(/[\r\n]|$/));
  const count = (delimiter: string): number => first.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
};

/** @returns a cell by its column; none if it is empty or invalid. */
const cellsOf = (line: number, header: string, text: string, errors: string[]): Cells["cells"] => {
  if (text === "") return [];
  if (header !== "metadata") return [[header, text]];
  const json = readJson(text);
  if ("value" in json) return [[header, json.value]];
  errors.push(`${line}: metadata: ${json.error.message}`);
  return [];
};

/** Records of the parser, or those with `info`; `lines` is the line where the record ends. */
const csvRecords = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }));
const plainRecords = z.array(z.array(z.string()).transform((record) => ({ record, info: { lines: 0 } })));

/**
 * @param text of a CSV file without BOM, with column names in the first line. An empty cell is an absent field.
 * @param isChecked false: an import will do it.
 */
export const rowsOfCsv = async (text: string, isChecked = true): Promise<Rows> => {
  const { CsvError, parse } = await import("csv-parse/sync");
  let records: z.output<typeof csvRecords>;
  try {
    const delimiter = delimiterOf(text);
    const read: unknown = parse(text, { delimiter, info: isChecked, relax_column_count: true, skip_empty_lines: true });
    records = (isChecked ? csvRecords : plainRecords).parse(read);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return failed(`${String(error["lines"])}: ${error.message}`);
  }
  const headers = (records[0]?.record ?? []).map(fieldName);
  if (headers.length === 0) return failed("1: the first line must contain the column names");
  const errors = headerErrors(headers);
  if (errors.length > 0) return failed(...errors);
  // The parser counts CRLF in a quoted cell as two lines.
  let excess = 0;
  const read: Cells[] = [];
  for (const { record, info } of records.slice(1)) {
    const content = isChecked ? record.join() : "";
    excess += content.split("\r\n").length - 1;
    const line = isChecked ? info.lines - excess - (content.split("\n").length - 1) : 0;
    if (record.length !== headers.length) {
      errors.push(`${line}: has ${record.length} columns, but the first line has ${headers.length}`);
      continue;
    }
    read.push({ line, cells: headers.flatMap((header, i) => cellsOf(line, header, record[i] ?? "", errors)) });
  }
  return rowsOf(read, errors, isChecked);
};

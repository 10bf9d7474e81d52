/**
 * Reads the files of `stagedoor seed`: worlds as JSON, profiles as NDJSON or CSV.
 */
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { WorldState } from "#contract/state.ts";
import { parseWorld, unreadable } from "#server/fixture-files.ts";
import { parseJson, utf8Text } from "#server/json-text.ts";
import { CommandError, type Io } from "./io.ts";
import { type Row, rowsOfCsv, rowsOfNdjson } from "./profile-rows.ts";

/** The formats that can be read, by the endings of file names. */
const FORMATS: Readonly<Record<string, "json" | "ndjson" | "csv">> = {
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  csv: "csv",
  tsv: "csv",
};

/** What a file holds; `file` names it in errors. */
export type SeedFile =
  | { readonly file: string; readonly world: WorldState }
  | { readonly file: string; readonly rows: readonly Row[] };

const formatOf = (file: string, named: string | undefined): "json" | "ndjson" | "csv" => {
  const format = FORMATS[named ?? extname(file).slice(1).toLowerCase()];
  if (format !== undefined) return format;
  throw new CommandError(`${file}: what is it? Say --format json, ndjson or csv.`);
};

const parse = async (
  file: string,
  format: "json" | "ndjson" | "csv",
  bytes: Uint8Array,
): Promise<SeedFile | { readonly errors: readonly string[] }> => {
  const decoded = utf8Text(bytes);
  if ("error" in decoded) return { errors: [`${file}: ${decoded.error}`] };
  if (format === "json") {
    const json = parseJson(decoded.text);
    return "error" in json ? { errors: [`${file}: ${json.error}`] } : parseWorld(json.value, file);
  }
  const rows = format === "csv" ? await rowsOfCsv(decoded.text) : rowsOfNdjson(decoded.text);
  return "errors" in rows ? { errors: rows.errors.map((error) => `${file}:${error}`) } : { file, rows: rows.rows };
};

/**
 * @param files paths; `-` is standard input. @param format of files whose names do not tell.
 * @returns what they hold, in the same order. @throws CommandError with everything that is wrong with any of them.
 */
export const readSeedFiles = async (
  files: readonly string[],
  format: string | undefined,
  io: Io,
): Promise<readonly SeedFile[]> => {
  const read: SeedFile[] = [];
  const errors: string[] = [];
  for (const file of files) {
    const name = file === "-" ? "standard input" : file;
    const kind = formatOf(name, format);
    io.progress(`Reading ${name} …`);
    let bytes: Uint8Array;
    try {
      bytes = file === "-" ? await io.input() : await readFile(file);
    } catch (error) {
      errors.push(`${name}: ${unreadable(error)}`);
      continue;
    }
    const parsed = await parse(name, kind, bytes);
    if ("errors" in parsed) errors.push(...parsed.errors);
    else read.push(parsed);
  }
  io.progress("");
  if (errors.length > 0) throw new CommandError(errors.join("\n"));
  return read;
};

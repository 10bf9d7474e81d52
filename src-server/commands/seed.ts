/**
 * `stagedoor seed FILE…` and `seed --generate N`: takes worlds and profiles into the running emulator, all or nothing (CONTRACT 6, state).
 */
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { StagedoorError } from "#client/index.ts";
import type { AppItem } from "#contract/apps.ts";
import { routes } from "#contract/routes.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { joinWorlds, type Part } from "#server/fixtures/join-worlds.ts";
import { readPart, unreadable, utf8Text } from "#server/fixtures/read-fixtures.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { CommandError, type Io, printable } from "./io.ts";
import { type Row, rowsOfCsv, rowsOfNdjson } from "./profile-rows.ts";

/** The formats that can be read, by the endings of file names. */
const FORMATS: Readonly<Record<string, "json" | "ndjson" | "csv">> = {
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  csv: "csv",
  tsv: "csv",
};

/** What a file holds: a world, or rows for one app. `file` names it in errors. */
export type SeedFile = Part | { readonly file: string; readonly rows: readonly Row[] };

const formatOf = (file: string, named: string | undefined): "json" | "ndjson" | "csv" => {
  const format = FORMATS[named ?? extname(file).slice(1).toLowerCase()];
  if (format !== undefined) return format;
  throw new CommandError(`${file}: unknown format. Set --format to json, ndjson or csv.`);
};

const parse = async (
  file: string,
  format: "json" | "ndjson" | "csv",
  bytes: Uint8Array,
): Promise<SeedFile | { readonly errors: readonly string[] }> => {
  const decoded = utf8Text(bytes);
  if ("error" in decoded) return { errors: [`${file}: ${decoded.error}`] };
  if (format === "json") {
    const { part, errors } = readPart(file, decoded.text);
    return part === undefined || errors.length > 0 ? { errors } : part;
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

/** @see seed */
export interface SeedOptions extends Whereabouts {
  /** The app that the rows of NDJSON and CSV belong to. */
  readonly app?: string | undefined;
  /** `json`, `ndjson` or `csv`, for files whose names do not tell. */
  readonly format?: string | undefined;
  /** The world, or with `app` that app, is then what the files hold and nothing else. */
  readonly replace?: boolean | undefined;
  /** Checks all, changes nothing. */
  readonly dryRun?: boolean | undefined;
  /** How many believable users to make, instead of files. */
  readonly generate?: string | undefined;
  /** What they are made from: the same seed makes the same users. Absent: `1`. */
  readonly seed?: string | undefined;
  /** Whose names, cities and numbers they have. Absent: `en`. */
  readonly locale?: string | undefined;
}

/** An app that rows go to, as it is to be sent. */
type RowsApp = Pick<AppItem, "appId"> & Partial<AppItem>;

/** The app for rows: it must exist, and be the only one if none is named. */
const appForRows = async (options: SeedOptions): Promise<RowsApp> => {
  const { items } = await withEmulator(options, ({ apps }) => apps.list());
  const ids = items.map((app) => app.appId).join(", ") || "none";
  const app = options.app === undefined && items.length === 1 ? items[0] : items.find((a) => a.appId === options.app);
  if (app === undefined && options.app === undefined)
    throw new CommandError(`Select the app of the profiles with --app. Apps: ${ids}.`);
  if (app === undefined) throw new CommandError(`No app "${printable(options.app ?? "")}". Apps: ${ids}.`);
  const { appId, name, strategy, settings, createdAt } = app;
  // Replacing takes away what is not sent: an app that gets new profiles keeps what it is.
  return options.replace === true ? { appId, name, strategy, settings, createdAt } : { appId };
};

/** @returns made users, as rows of a file. */
const generated = async ({ generate = "", seed: from = "1", locale = "en" }: SeedOptions): Promise<SeedFile[]> => {
  const { generateUsers, isLocale, LOCALES, MOST_USERS } = await import("#people/users.ts");
  const n = /^\d{1,9}$/.test(generate) ? Number(generate) : 0;
  if (n < 1 || n > MOST_USERS) throw new CommandError(`--generate must be a number from 1 to ${MOST_USERS}.`);
  if (!isLocale(locale)) throw new CommandError(`--locale must be one of ${LOCALES.join(", ")}.`);
  const rows = generateUsers(n, from, locale).map((profile, i) => ({ line: i + 1, profile }));
  return [{ file: "made", rows }];
};

/** @returns the rows of a file as profiles of an app. */
const partOf = (file: string, rows: readonly Row[], app: RowsApp): Part => ({
  apps: [{ ...app, profiles: rows.map(({ profile }) => profile) } as JsonObject],
  show: (paths) =>
    paths.map((path) => {
      const [, place, rest = ""] = /^apps\[0\](?:\.profiles\[(\d+)\])?\.?(.*)$/.exec(path) ?? [];
      const { line } = rows[Number(place)] ?? { line: 1 };
      return { text: `${file}:${line}${rest === "" ? "" : `: ${rest}`}`, order: line };
    }),
});

const count = (n: number, one: string): string => `${n.toLocaleString("en")} ${n === 1 ? one : `${one}s`}`;

/**
 * Sends the files as one import and says how much was taken in.
 * @param files JSON worlds, NDJSON or CSV rows; `-` is standard input.
 * @returns 0. @throws CommandError naming each bad entry by file and place; nothing is changed then.
 */
export const seed = async (files: readonly string[], options: SeedOptions, io: Io): Promise<number> => {
  const read =
    options.generate === undefined ? await readSeedFiles(files, options.format, io) : await generated(options);
  if (options.generate !== undefined && files.length > 0)
    throw new CommandError("Use either files or --generate, not both.");
  if (read.length === 0) throw new CommandError("Name a file, or generate users with --generate N.");
  const withRows = read.some((file) => "rows" in file);
  const rowsApp = withRows ? await appForRows(options) : undefined;
  const batch = joinWorlds(
    read.map((file) => ("rows" in file ? partOf(file.file, file.rows, rowsApp ?? { appId: "" }) : file)),
  );
  const { dryRun = false } = options;
  const mode = options.replace === true ? "replace" : "merge";
  const text = JSON.stringify(batch.world);
  const bytes = Buffer.byteLength(text);
  const most = routes.writeState.maxBodyBytes;
  const mebibytes = (n: number): string => `${(n / 1_048_576).toFixed(1)} MiB`;
  if (bytes > most) throw new CommandError(`The import is ${mebibytes(bytes)}; the maximum is ${mebibytes(most)}.`);
  io.progress(`Sending ${mebibytes(bytes)} …`);
  const appId = withRows && mode === "merge" ? undefined : (options.app ?? rowsApp?.appId);
  const { apps, profiles, connections } = await withEmulator(options, ({ state }) =>
    // What the files say is checked by the server.
    state.import(JSON.parse(text), { appId, mode, dryRun }).catch((error: unknown) => {
      const isInvalid = error instanceof StagedoorError && Object.keys(error.fields).length > 0;
      if (!isInvalid) throw error;
      const lines = batch.describe(error.fields).map(printable);
      throw new CommandError([...lines, "Nothing was changed."].join("\n"));
    }),
  ).finally(() => io.progress(""));
  const what = `${count(profiles, "profile")} and ${count(connections, "connection")} in ${count(apps, "app")}`;
  io.err(dryRun ? `Valid: ${what}. Nothing was changed.` : `Imported ${what}.`);
  return 0;
};

/** `stagedoor seed FILE…` and `seed --generate N`: imports worlds and profiles, all or nothing (CONTRACT 6, state). */

import { extname, resolve } from "node:path";
import { StagedoorError } from "#client/index.ts";
import type { AppItem } from "#contract/apps.ts";
import { LOCALES, MOST_USERS } from "#contract/generate.ts";
import { routes } from "#contract/routes.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { many } from "#contract/words.ts";
import { bytesOf, fileText } from "#server/fixtures/file-text.ts";
import type { JoinedWorld, Part } from "#server/fixtures/join-worlds.ts";
import { FixtureReader } from "#server/fixtures/read-fixtures.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { CommandError, type Io, printable, wrongUsage } from "./io.ts";
import { type Row, rowsOfCsv, rowsOfNdjson } from "./profile-rows.ts";

/** The supported formats by file extension. */
const FORMATS: Readonly<Record<string, "json" | "ndjson" | "csv">> = {
  json: "json",
  jsonc: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  csv: "csv",
  tsv: "csv",
};

const formatOf = (file: string, named: string | undefined): "json" | "ndjson" | "csv" => {
  const format = FORMATS[named ?? extname(file).slice(1).toLowerCase()];
  if (format !== undefined) return format;
  throw wrongUsage(`${file}: unknown format. Set --format to json, ndjson or csv.`);
};

/** @see seed */
export interface SeedOptions extends Whereabouts {
  /** The app for NDJSON and CSV rows. */
  readonly app?: string | undefined;
  /** `json`, `ndjson` or `csv`, for files without a known extension. */
  readonly format?: string | undefined;
  /** Delete the current data, or with `app` that of the app, first. */
  readonly replace?: boolean | undefined;
  /** Validate without changing anything. */
  readonly dryRun?: boolean | undefined;
  /** How many users to generate, instead of reading files. */
  readonly generate?: string | undefined;
  /** The seed for generated users: the same seed gives the same users. Absent: `1`. */
  readonly seed?: string | undefined;
  /** The locale of their names, cities and phone numbers. Absent: `en`. */
  readonly locale?: string | undefined;
  /** Print the counts as one line of JSON. */
  readonly json?: boolean | undefined;
}

/** The app for rows, in the form of an import. */
type RowsApp = Pick<AppItem, "appId"> & Partial<AppItem>;

/** @returns the app for rows: an existing one, which must be the only one if none is named. */
const appForRows = async (options: SeedOptions): Promise<RowsApp> => {
  const { items } = await withEmulator(options, ({ apps }) => apps.list());
  const ids = items.map((app) => app.appId).join(", ") || "none";
  const app = options.app === undefined && items.length === 1 ? items[0] : items.find((a) => a.appId === options.app);
  if (app === undefined && options.app === undefined)
    throw wrongUsage(`Select the app of the profiles with --app. Apps: ${ids}.`);
  if (app === undefined) throw new CommandError(`No app "${printable(options.app ?? "")}". Apps: ${ids}.`);
  const { appId, name, strategy, settings, createdAt } = app;
  // Replacing deletes what is not sent, so send the app's own properties too.
  return options.replace === true ? { appId, name, strategy, settings, createdAt } : { appId };
};

/** @returns the `generate` entry for an app. */
const generatedBy = (options: SeedOptions): JsonObject => {
  const { generate = "", seed: from = "1", locale = "en" } = options;
  const count = /^\d{1,9}$/.test(generate) ? Number(generate) : 0;
  if (count < 1 || count > MOST_USERS) throw wrongUsage(`--generate must be a number from 1 to ${MOST_USERS}.`);
  if (!LOCALES.some((one) => one === locale)) throw wrongUsage(`--locale must be one of ${LOCALES.join(", ")}.`);
  return { generate: { count, seed: from, locale } };
};

/** @returns an addition to an app; `rows` have its lines in the file. */
const partOf = (file: string, app: RowsApp, more: JsonObject, rows: readonly Row[] = []): Part => ({
  apps: [{ ...app, ...more } as JsonObject],
  findings: [],
  place: (found) =>
    found.map(({ path, text }) => {
      const [, place, rest = ""] = /^apps\[0\](?:\.profiles\[(\d+)\])?\.?(.*)$/.exec(path) ?? [];
      const { line } = rows[Number(place)] ?? { line: 1 };
      return { text: `${file}:${line}${rest === "" ? "" : `: ${rest}`}: ${text}`, order: line };
    }),
});

/** @returns a file without content, only with errors. */
const wrongFile = (errors: readonly string[]): Part => ({
  apps: [],
  findings: errors.map((text, order) => ({ text, order })),
  place: () => [],
});

/** Adds the content of a file to a world. */
type Add = (reader: FixtureReader, rowsApp: RowsApp) => Promise<void> | void;

interface SeedFile {
  readonly add: Add;
  /** Whether it has rows, which need an app. */
  readonly hasRows: boolean;
}

/** Reads a file. */
const readSeedFile = async (file: string, format: string | undefined, io: Io): Promise<SeedFile> => {
  const name = file === "-" ? "standard input" : file;
  const kind = formatOf(name, format);
  io.progress(`Reading ${name} …`);
  const bytes = file === "-" ? await io.input() : await bytesOf(file);
  const wrong = (...errors: string[]) => ({
    add: (reader: FixtureReader) => reader.add(wrongFile(errors)),
    hasRows: false,
  });
  if (typeof bytes === "string") return wrong(`${name}: ${bytes}`);
  if (kind === "json") return { add: (reader) => reader.addBytes(resolve(file), name, bytes), hasRows: false };
  const { text, error } = fileText(bytes);
  if (error !== undefined) return wrong(`${name}:${error}`);
  const read = kind === "csv" ? await rowsOfCsv(text) : rowsOfNdjson(text);
  if ("errors" in read) return wrong(...read.errors.map((one) => `${name}:${one}`));
  const { rows } = read;
  const profiles = { profiles: rows.map(({ profile }) => profile) } as JsonObject;
  return { add: (reader, app) => reader.add(partOf(name, app, profiles, rows)), hasRows: true };
};

/** @returns the world to import. @throws CommandError */
const worldOf = async (
  files: readonly string[],
  options: SeedOptions,
  io: Io,
): Promise<{ readonly joined: JoinedWorld; readonly rowsApp: RowsApp | undefined }> => {
  const generates = options.generate !== undefined;
  if (generates && files.length > 0) throw wrongUsage("Use either files or --generate, not both.");
  if (!generates && files.length === 0) throw wrongUsage("Name a file, or generate users with --generate N.");
  const reader = new FixtureReader();
  if (generates) {
    const generate = generatedBy(options);
    const rowsApp = await appForRows(options);
    reader.add(partOf("generated", rowsApp, generate));
    return { joined: reader.joined(), rowsApp };
  }
  const read: SeedFile[] = [];
  for (const file of files) read.push(await readSeedFile(file, options.format, io));
  io.progress("");
  const rowsApp = read.some(({ hasRows }) => hasRows) ? await appForRows(options) : undefined;
  for (const { add } of read) await add(reader, rowsApp ?? { appId: "" });
  return { joined: reader.joined(), rowsApp };
};

/**
 * Imports the files in one request, and prints the counts.
 * @param files JSON worlds, NDJSON or CSV rows; `-` is stdin.
 * @returns 0. @throws CommandError with every error by file and position; nothing has changed then.
 */
export const seed = async (files: readonly string[], options: SeedOptions, io: Io): Promise<number> => {
  const { joined, rowsApp } = await worldOf(files, options, io);
  const refusal = (fields: StagedoorError["fields"]): CommandError =>
    new CommandError([...joined.describe(fields).map(printable), "Nothing was changed."].join("\n"));
  const { dryRun = false } = options;
  const mode = options.replace === true ? "replace" : "merge";
  const text = JSON.stringify(joined.world);
  const bytes = Buffer.byteLength(text);
  const most = routes.writeState.maxBodyBytes;
  const mebibytes = (n: number): string => `${(n / 1_048_576).toFixed(1)} MiB`;
  if (bytes > most) throw new CommandError(`The import is ${mebibytes(bytes)}; the maximum is ${mebibytes(most)}.`);
  io.progress(`Sending ${mebibytes(bytes)} …`);
  const appId = rowsApp !== undefined && mode === "merge" ? undefined : (options.app ?? rowsApp?.appId);
  const counts = await withEmulator(options, ({ state }) =>
    // The server validates invalid files too, as a dry run, so that all errors are reported at once.
    state.import(JSON.parse(text), { appId, mode, dryRun: dryRun || joined.flawed }).catch((error: unknown) => {
      const isInvalid = error instanceof StagedoorError && Object.keys(error.fields).length > 0;
      throw isInvalid ? refusal(error.fields) : error;
    }),
  )
    .catch((error: unknown) => {
      // Report errors in the files even without an emulator.
      throw joined.flawed && !(error instanceof CommandError && error.cause === undefined) ? refusal({}) : error;
    })
    .finally(() => io.progress(""));
  if (joined.flawed) throw refusal({});
  const { apps, profiles, connections } = counts;
  const what = `${many(profiles, "profile")} and ${many(connections, "connection")} in ${many(apps, "app")}`;
  if (options.json === true) io.json(`${JSON.stringify({ ...counts, dryRun })}\n`);
  else io.err(dryRun ? `Valid: ${what}. Nothing was changed.` : `Imported ${what}.`);
  return 0;
};

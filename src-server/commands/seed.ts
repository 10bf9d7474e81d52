/** `stagedoor seed FILE…` and `seed --generate N`: imports worlds and profiles, all or nothing (CONTRACT 6, state). */
import { resolve } from "node:path";
import { type Imported, StagedoorError, type World } from "#client/index.ts";
import { MOST_USERS } from "#contract/generate.ts";
import { routes } from "#contract/routes.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { many } from "#contract/words.ts";
import { appForRows, formatOfFile, type Rows, rowsIn, type UserFormat } from "#people/profile-rows.ts";
import { bytesOf, fileText } from "#server/fixtures/file-text.ts";
import type { Part } from "#server/fixtures/join-worlds.ts";
import { FixtureReader } from "#server/fixtures/read-fixtures.ts";
import { type ClientOptions, withEmulator } from "./emulator.ts";
import { CommandError, type Io, printable, report, wrongUsage } from "./io.ts";
import { showProgress } from "./progress.ts";
import { csvText, ndjsonText, worldText } from "./seed-text.ts";

const formatOf = (file: string, named: UserFormat | undefined): UserFormat => {
  const format = named ?? formatOfFile(file);
  if (format !== undefined) return format;
  throw wrongUsage(`${file}: unknown format. Set --format to json, ndjson or csv.`);
};

/** @see seed. `app` is that of rows. `generate` users instead of reading files; the same `seed` gives the same users. */
export interface SeedOptions extends ClientOptions {
  readonly format?: UserFormat;
  readonly replace?: boolean;
  readonly dryRun?: boolean;
  readonly generate?: string;
  readonly seed?: string;
  readonly locale?: string;
}

type RowsApp = ReturnType<typeof appForRows>;

/** @returns the app for rows: an existing one, which must be the only one if none is named. */
const chosenApp = async (options: SeedOptions): Promise<RowsApp> => {
  const { items } = await withEmulator(options, ({ apps }) => apps.list());
  const ids = items.map((app) => app.appId).join(", ") || "none";
  const app = options.app === undefined && items.length === 1 ? items[0] : items.find((a) => a.appId === options.app);
  if (app === undefined && options.app === undefined)
    throw wrongUsage(`Select the app of the profiles with --app. Apps: ${ids}.`);
  if (app === undefined) throw new CommandError(`No app "${printable(options.app ?? "")}". Apps: ${ids}.`);
  return appForRows(app, options.replace === true);
};

const generatedBy = (options: SeedOptions): JsonObject => {
  const { generate = "", seed: from = "1", locale = "en" } = options;
  const count = /^\d{1,9}$/.test(generate) ? Number(generate) : 0;
  if (count < 1 || count > MOST_USERS) throw wrongUsage(`--generate must be a number from 1 to ${MOST_USERS}.`);
  return { generate: { count, seed: from, locale } };
};

/** @returns an addition to an app, if that is known; `rows` have its lines in the file, `errors` begin with their line. */
const partOf = (
  file: string,
  app: RowsApp | undefined,
  more: JsonObject,
  { rows, errors }: Rows = { rows: [], errors: [] },
): Part => ({
  apps: app === undefined ? [] : [{ ...app, ...more } as JsonObject],
  findings: errors.map((text) => ({ text: `${file}:${text}`, order: Number.parseInt(text, 10) || 0 })),
  place: (found) =>
    found.map(({ path, text }) => {
      const [, place, rest = ""] = /^apps\[0\](?:\.profiles\[(\d+)\])?\.?(.*)$/.exec(path) ?? [];
      const { line } = rows[Number(place)] ?? { line: 1 };
      return { text: `${file}:${line}${rest === "" ? "" : `: ${rest}`}: ${text}`, order: line };
    }),
});

/** The content of a file: a world, or a part with rows, which needs an app. */
type SeedFile =
  | { readonly bytes: Uint8Array }
  | { readonly hasErrors: boolean; readonly partFor: (app: RowsApp | undefined) => Part };

const nameOf = (file: string): string => (file === "-" ? "standard input" : file);

/** Reads files, standard input only once. */
type Read = (file: string) => Promise<Uint8Array | string>;

/** @param bytes a file with rows, or why it cannot be read. */
const rowsOf = async (bytes: Uint8Array | string, format: UserFormat, isChecked: boolean): Promise<Rows> => {
  if (typeof bytes === "string") return { rows: [], errors: [` ${bytes}`] };
  const { text, error } = fileText(bytes);
  if (error !== undefined || format === "json") return { rows: [], errors: [error ?? ""] };
  return await rowsIn(format, text, isChecked);
};

const readSeedFile = async (
  file: string,
  format: UserFormat | undefined,
  read: Read,
  isChecked: boolean,
): Promise<SeedFile> => {
  const name = nameOf(file);
  const kind = formatOf(name, format);
  const bytes = await read(file);
  if (typeof bytes !== "string" && kind === "json") return { bytes };
  const found = await rowsOf(bytes, kind, isChecked);
  const profiles = { profiles: found.rows.map(({ profile }) => profile) } as JsonObject;
  return { hasErrors: found.errors.length > 0, partFor: (app) => partOf(name, app, profiles, found) };
};

/** @returns the world to import, and the app for its rows, if it has any. @throws CommandError */
const worldOf = async (files: readonly string[], options: SeedOptions, read: Read, isChecked: boolean) => {
  const reader = new FixtureReader();
  if (options.generate !== undefined) {
    const generate = generatedBy(options);
    const rowsApp = await chosenApp(options);
    reader.add(partOf("generated", rowsApp, generate));
    return { joined: reader.joined(), rowsApp };
  }
  const contents: [name: string, content: SeedFile][] = [];
  for (const file of files) contents.push([file, await readSeedFile(file, options.format, read, isChecked)]);
  const parts = contents.flatMap(([, content]) => ("partFor" in content ? content : []));
  const rowsApp = await (parts.length === 0
    ? undefined
    : chosenApp(options).catch((error: unknown) => {
        // The errors of the files are reported first.
        if (parts.some(({ hasErrors }) => hasErrors)) return undefined;
        throw error;
      }));
  for (const [file, content] of contents)
    if ("bytes" in content) await reader.addBytes(resolve(file), nameOf(file), content.bytes);
    else reader.add(content.partFor(rowsApp));
  return { joined: reader.joined(), rowsApp };
};

type SeedWorld = Awaited<ReturnType<typeof worldOf>>;

const refusal = ({ joined }: SeedWorld, { apps, ...fields }: StagedoorError["fields"]): CommandError => {
  // An app may only be missing because its file cannot be read.
  const all = apps === undefined || joined.flawed ? fields : { apps, ...fields };
  return new CommandError([...joined.describe(all).map(printable), "Nothing was changed."].join("\n"));
};

const tooLarge = ({ joined }: SeedWorld): CommandError => {
  const mebibytes = (n: number): string => `${(n / 1_048_576).toFixed(1)} MiB`;
  const size = mebibytes(Buffer.byteLength(JSON.stringify(joined.world)));
  return new CommandError(`The import is ${size}; the maximum is ${mebibytes(routes.writeState.maxBodyBytes)}.`);
};

/** How to import a world in which the rows are of this app. */
const importOptions = ({ replace = false, dryRun = false, app }: SeedOptions, rowsApp: RowsApp | undefined) => {
  const mode = replace ? "replace" : "merge";
  const appId = rowsApp !== undefined && mode === "merge" ? undefined : (app ?? rowsApp?.appId);
  return { appId, mode, dryRun } as const;
};

/** The errors of a body; then the files are read here, to name all errors, or to read what the server cannot. */
const REFUSED = [400, 413, 422];

/** Imports a single file as it is. @returns undefined if it must be parsed first, or is refused. @throws CommandError */
const sendText = async (file: string, options: SeedOptions, read: Read): Promise<Imported | undefined> => {
  const kind = formatOf(nameOf(file), options.format);
  const bytes = await read(file);
  if (typeof bytes === "string") return undefined;
  const rowsApp = kind === "json" ? undefined : await chosenApp(options);
  const rowsText = kind === "csv" ? csvText : ndjsonText;
  const text = rowsApp === undefined ? worldText(bytes) : rowsText(Buffer.from(bytes), rowsApp as JsonObject);
  if (text === undefined) return undefined;
  return await withEmulator(options, ({ state }) =>
    state.import(text, importOptions(options, rowsApp)).catch((error: unknown) => {
      if (error instanceof StagedoorError && REFUSED.includes(error.status)) return undefined;
      throw error;
    }),
  );
};

/** Imports a world. @throws CommandError with all errors. */
const send = async (world: SeedWorld, options: SeedOptions): Promise<Imported> => {
  const { joined, rowsApp } = world;
  const { dryRun, ...how } = importOptions(options, rowsApp);
  const counts = await withEmulator(options, ({ state }) =>
    // The server checks the world, also an invalid one, as a dry run, so that all errors are reported at once.
    state
      .import(joined.world as JsonObject & World, { ...how, dryRun: dryRun || joined.flawed })
      .catch((error: unknown) => {
        if (!(error instanceof StagedoorError)) throw error;
        if (error.status === 413) throw tooLarge(world);
        throw Object.keys(error.fields).length > 0 ? refusal(world, error.fields) : error;
      }),
  ).catch((error: unknown) => {
    // Report errors in the files even without an emulator.
    throw joined.flawed && !(error instanceof CommandError && error.cause === undefined) ? refusal(world, {}) : error;
  });
  if (joined.flawed) throw refusal(world, {});
  return counts;
};

/**
 * Imports the files in one request, and prints the counts.
 * @param files JSON worlds, NDJSON or CSV rows; `-` is stdin.
 * @returns 0. @throws CommandError with every error by file and position; nothing has changed then.
 */
export const seed = async (io: Io, files: readonly string[], options: SeedOptions): Promise<number> => {
  const generates = options.generate !== undefined;
  if (generates && files.length > 0) throw wrongUsage("Use either files or --generate, not both.");
  if (!generates && files.length === 0) throw wrongUsage("Name a file, or generate users with --generate N.");
  const most = routes.writeState.maxBodyBytes;
  let input: ReturnType<Io["input"]> | undefined;
  const read: Read = async (file) => {
    if (file !== "-") return bytesOf(file);
    input ??= io.input(most);
    return await input;
  };
  const worldFrom = (isChecked: boolean) => worldOf(files, options, read, isChecked);
  const hasRows = files.some((file) => formatOf(nameOf(file), options.format) !== "json");
  const endProgress = showProgress(io, "Importing");
  const [file = "", ...others] = files;
  const asItIs = async () => (generates || others.length > 0 ? undefined : await sendText(file, options, read));
  const counts = await asItIs()
    .then(async (sent) => sent ?? (await send(await worldFrom(!hasRows), options)))
    .catch(async (error: unknown) => {
      // The checks were left to the server: now all errors are wanted, with their lines.
      await send(await worldFrom(true), { ...options, dryRun: true });
      throw error;
    })
    .finally(endProgress);
  const { apps, profiles, connections } = counts;
  const { dryRun = false } = options;
  const what = `${many(profiles, "profile")} and ${many(connections, "connection")} in ${many(apps, "app")}`;
  const message = dryRun ? `Valid: ${what}. Nothing was changed.` : `Imported ${what}.`;
  return report(io, options.json, { ...counts, dryRun }, message);
};

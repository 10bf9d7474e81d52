/**
 * `stagedoor seed FILE…` and `seed --generate N`: takes worlds and profiles into the running emulator, all or nothing (CONTRACT 6, state).
 */
import { z } from "zod";
import { appItem } from "#contract/apps.ts";
import { routes } from "#contract/routes.ts";
import type { FixtureApp } from "#contract/state.ts";
import { acceptedJson, ask, type Emulator, fieldsOf, findEmulator, type Whereabouts } from "./emulator.ts";
import { CommandError, type Io, printable } from "./io.ts";
import { batchOf } from "./seed-batch.ts";
import { readSeedFiles, type SeedFile } from "./seed-files.ts";

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

const taken = z.object({ apps: z.int(), profiles: z.int(), connections: z.int() });

/** The app for rows: it must exist, and be the only one if none is named. */
const appForRows = async (emulator: Emulator, options: SeedOptions): Promise<FixtureApp> => {
  const answer = await ask(emulator, "GET", "apps");
  const { items } = acceptedJson(answer, z.object({ items: z.array(appItem) }));
  const ids = items.map((app) => app.appId).join(", ") || "none";
  const app = options.app === undefined && items.length === 1 ? items[0] : items.find((a) => a.appId === options.app);
  if (app === undefined && options.app === undefined)
    throw new CommandError(`Rows belong to one app: say which with --app (there are ${ids}).`);
  if (app === undefined)
    throw new CommandError(`There is no app "${printable(options.app ?? "")}" (there are ${ids}).`);
  const { appId, name, strategy, settings, createdAt } = app;
  // Replacing takes away what is not sent: an app that gets new profiles keeps what it is.
  return options.replace === true ? { appId, name, strategy, settings, createdAt } : { appId };
};

/** @returns made users, as rows of a file. */
const generated = async ({ generate = "", seed: from = "1", locale = "en" }: SeedOptions): Promise<SeedFile[]> => {
  const { generateUsers, isLocale, LOCALES, MOST_USERS } = await import("#people/users.ts");
  const n = /^\d{1,9}$/.test(generate) ? Number(generate) : 0;
  if (n < 1 || n > MOST_USERS) throw new CommandError(`--generate takes a number from 1 to ${MOST_USERS}.`);
  if (!isLocale(locale)) throw new CommandError(`--locale takes one of ${LOCALES.join(", ")}.`);
  const rows = generateUsers(n, from, locale).map((profile, i) => ({ line: i + 1, profile }));
  return [{ file: "made", rows }];
};

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
    throw new CommandError("Name files, or say --generate, not both.");
  if (read.length === 0) throw new CommandError("Name a file, or say how many users to make with --generate.");
  const emulator = await findEmulator(options);
  const withRows = read.some((file) => "rows" in file);
  const rowsApp = withRows ? await appForRows(emulator, options) : undefined;
  const batch = batchOf(read, rowsApp);
  const mode = options.replace === true ? "replace" : "merge";
  const body = JSON.stringify({ mode, state: batch.world });
  const bytes = Buffer.byteLength(body);
  const most = routes.writeState.maxBodyBytes;
  const mebibytes = (n: number): string => `${(n / 1_048_576).toFixed(1)} MiB`;
  if (bytes > most)
    throw new CommandError(`This comes to ${mebibytes(bytes)}; at most ${mebibytes(most)} are taken in at once.`);
  io.progress(`Sending ${mebibytes(bytes)} …`);
  const query = {
    appId: withRows && mode === "merge" ? undefined : (options.app ?? rowsApp?.appId),
    dryRun: options.dryRun === true ? "1" : undefined,
  };
  const answer = await ask(emulator, "PUT", "state", { query, body });
  io.progress("");
  const fields = fieldsOf(answer);
  if (fields !== undefined) {
    const lines = Object.entries(fields).flatMap(([path, texts]) =>
      texts.map((text) => printable(`${batch.origin(path)}: ${text}`)),
    );
    throw new CommandError([...lines, "Nothing was changed."].join("\n"));
  }
  const { apps, profiles, connections } = acceptedJson(answer, taken);
  const what = `${count(profiles, "profile")} and ${count(connections, "connection")} in ${count(apps, "app")}`;
  io.err(options.dryRun === true ? `All is well: ${what}. Nothing was changed.` : `Took in ${what}.`);
  return 0;
};

/** `stagedoor seed FILE…` and `seed --generate N`: imports worlds and users, all or nothing. */
import { resolve } from "node:path";
import { type App, type Imported, StagedoorError, type World } from "#client/index.ts";
import { encodingOf, NO_ENCODING, type ReadAs, type ReadOptions, readAsBy } from "#contract/control/fixture-source.ts";
import { MOST_USERS } from "#contract/control/generate.ts";
import { routes } from "#contract/control/routes.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { noApp } from "#contract/words/not-found.ts";
import { inMebibytes, many } from "#contract/words/words.ts";
import { choiceIn } from "#people/columns.ts";
import { cutWords } from "#people/fitted.ts";
import { bytesOf } from "#server/fixtures/file-text.ts";
import { filesAt } from "#server/fixtures/files-at.ts";
import type { Part } from "#server/fixtures/join-worlds.ts";
import { FixtureReader, type JoinedFiles, type UsersHome } from "#server/fixtures/read-fixtures.ts";
import { flawedPart, usersFile } from "#server/fixtures/users-part.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, printable, report, wrongUsage } from "#server/plumbing/io.ts";
import { showProgress } from "./progress.ts";
import { planAnswer, planLine, planTable, usersWords } from "./seed-plan.ts";

/**
 * @see seed. `app` is that of users in other forms than fixtures. `generate` users instead of reading files; the same
 * `seed` gives the same users. `map` has a `Column=field` each.
 */
export interface SeedOptions extends ClientOptions {
  readonly replace?: boolean;
  readonly dryRun?: boolean;
  readonly map?: readonly string[];
  readonly rest?: "metadata" | "drop";
  readonly country?: string;
  readonly encoding?: string;
  readonly duplicates?: ReadOptions["duplicates"];
  readonly generate?: string;
  readonly seed?: string;
  readonly locale?: string;
}

/** @returns the app for users, in the form of an import: one that exists, and the only one if none is named. */
const chosenApp = (items: readonly App[], { app, replace }: SeedOptions): JsonObject => {
  const ids = items.map(({ appId }) => appId).join(", ") || "none";
  const found = app === undefined && items.length === 1 ? items[0] : items.find(({ appId }) => appId === app);
  if (found === undefined && app === undefined)
    throw wrongUsage(`Users in a file belong to one app. Add --app ID. Apps: ${ids}.`);
  if (found === undefined) throw new CommandError(printable(noApp(app ?? "", items)));
  const { appId, name, strategy, settings, createdAt } = found;
  // Replacing deletes what is not sent.
  return (replace === true ? { appId, name, strategy, settings, createdAt } : { appId }) as JsonObject;
};

const appsNow = async (options: SeedOptions): Promise<readonly App[]> =>
  (await withEmulator(options, ({ apps }) => apps.list())).items;

/** @returns the apps of users: those of the files, and those that are there. */
const homeFor = async (reader: FixtureReader, options: SeedOptions): Promise<UsersHome> => {
  const { users, apps, isFlawed } = reader;
  if (users === "none") return {};
  try {
    const items = await appsNow(options);
    const known = new Map(
      items.map((app) => [app.appId, { strategy: app.strategy, settings: app.settings as JsonObject }]),
    );
    if (users === "named" || (options.app === undefined && apps.size === 1)) return { known };
    const isNew = options.app !== undefined && apps.has(options.app);
    return { known, app: isNew ? { appId: options.app } : chosenApp(items, options) };
  } catch (error) {
    // The errors of the files are reported first.
    if (!isFlawed) throw error;
    return { alone: () => ({}) };
  }
};

const generatedBy = (options: SeedOptions): JsonObject => {
  const { generate = "", seed: from = "1", locale = "en" } = options;
  const count = /^\d{1,9}$/.test(generate) ? Number(generate) : 0;
  if (count < 1 || count > MOST_USERS) throw wrongUsage(`--generate must be a number from 1 to ${MOST_USERS}.`);
  return { generate: { count, seed: from, locale } };
};

/** @returns what the options say about columns. @throws CommandError if they are wrong. */
const readingOf = ({ map = [], rest, country, encoding, duplicates }: SeedOptions): ReadAs => {
  for (const text of map) {
    const choice = choiceIn(text);
    if (typeof choice === "string") throw wrongUsage(`--map ${printable(choice)}.`);
  }
  if (encoding !== undefined && encodingOf(encoding) === undefined) throw wrongUsage(`--encoding ${NO_ENCODING}.`);
  const [said, named] = [country ?? null, encoding ?? null];
  return readAsBy({ map, rest: rest ?? null, country: said, encoding: named, duplicates: duplicates ?? null });
};

const nameOf = (file: string): string => (file === "-" ? "standard input" : file);

/** Reads files, standard input only once. */
type Read = (file: string) => Promise<Uint8Array | string>;

/** The world to import, and the app for its users if it has any that no file names one for. */
interface SeedWorld {
  readonly joined: JoinedFiles;
  readonly usersApp: JsonObject | undefined;
}

/** @returns a world with generated users. */
const generatedWorld = async (options: SeedOptions): Promise<SeedWorld> => {
  const reader = new FixtureReader();
  const generate = generatedBy(options);
  const usersApp = chosenApp(await appsNow(options), options);
  reader.add({ apps: [{ ...usersApp, ...generate }], findings: [], place: generatedPlace });
  return { joined: await reader.joined({}), usersApp };
};
const generatedPlace: Part["place"] = (found) =>
  found.map(({ path, text }) => ({ text: `generated: ${path.replace(/^apps\[0\]\.?/, "")}: ${text}`, order: 0 }));

/** @returns the world of the files. @throws CommandError */
const worldOf = async (files: readonly string[], options: SeedOptions, read: Read): Promise<SeedWorld> => {
  const how = readingOf(options);
  const reader = new FixtureReader();
  for (const file of files) {
    const bytes = await read(file);
    if (typeof bytes === "string") reader.add(flawedPart(`${nameOf(file)}: ${bytes}`));
    else await reader.addContent(resolve(file), nameOf(file), bytes, how);
  }
  const home = await homeFor(reader, options);
  return { joined: await reader.joined(home), usersApp: home.app };
};

const seedRefusal = ({ joined }: SeedWorld, { apps, ...fields }: StagedoorError["fields"]): CommandError => {
  // An app may only be missing because its file cannot be read.
  const all = apps === undefined || joined.flawed ? fields : { apps, ...fields };
  return new CommandError([...joined.describe(all).map(printable), "Nothing was changed."].join("\n"));
};

const tooLarge = ({ joined }: SeedWorld): CommandError => {
  const size = inMebibytes(Buffer.byteLength(JSON.stringify(joined.world)));
  return new CommandError(`The import is ${size}; the maximum is ${inMebibytes(routes.writeState.maxBodyBytes)}.`);
};

/** How to import a world in which the users are of this app. */
const importOptions = (
  { replace = false, dryRun = false, app }: SeedOptions,
  usersApp: JsonObject | undefined,
  fit: boolean,
) => {
  const mode = replace ? "replace" : "merge";
  const appId = usersApp !== undefined && mode === "merge" ? undefined : (app ?? usersApp?.["appId"]);
  return { appId: typeof appId === "string" ? appId : undefined, mode, dryRun, users: true, fit } as const;
};

/** The errors of a body; then the files are read here, to name all errors, or to read what the server cannot. */
const REFUSED = [400, 413, 422];

/** @returns whether a file is JSON as the server takes it: without comments and a BOM. */
const isJson = (bytes: Uint8Array): boolean => {
  try {
    JSON.parse(Buffer.from(bytes).toString());
    return true;
  } catch {
    return false;
  }
};

/** Imports a single world as it is. @returns undefined if it must be parsed first, or is refused. @throws CommandError */
const sendText = async (file: string, options: SeedOptions, read: Read): Promise<Imported | undefined> => {
  const bytes = await read(file);
  if (typeof bytes === "string" || (await usersFile(bytes, {})).kind !== "fixtures" || !isJson(bytes)) return undefined;
  return await withEmulator(options, ({ state }) =>
    state.import(bytes, importOptions(options, undefined, false)).catch((error: unknown) => {
      if (error instanceof StagedoorError && REFUSED.includes(error.status)) return undefined;
      throw error;
    }),
  );
};

/** Imports a world. @throws CommandError with all errors. */
const send = async (world: SeedWorld, options: SeedOptions): Promise<Imported> => {
  const { joined, usersApp } = world;
  const { dryRun, ...how } = importOptions(options, usersApp, joined.plans.length > 0);
  const counts = await withEmulator(options, ({ state }) =>
    // The server checks the world, also an invalid one, as a dry run, so that all errors are reported at once.
    state
      .import(joined.world as JsonObject & World, { ...how, dryRun: dryRun || joined.flawed })
      .catch((error: unknown) => {
        if (!(error instanceof StagedoorError)) throw error;
        if (error.status === 413) throw tooLarge(world);
        throw Object.keys(error.fields).length > 0 ? seedRefusal(world, error.fields) : error;
      }),
  ).catch((error: unknown) => {
    // Report errors in the files even without an emulator.
    throw joined.flawed && !(error instanceof CommandError && error.cause === undefined)
      ? seedRefusal(world, {})
      : error;
  });
  if (joined.flawed) throw seedRefusal(world, {});
  return counts;
};

/**
 * Imports the files in one request, and prints what becomes of them.
 * @param files fixtures, or users in any form that people have them in; `-` is stdin.
 * @returns 0. @throws CommandError with the errors by file and position; nothing has changed then.
 */
export const seed = async (io: Io, files: readonly string[], options: SeedOptions): Promise<number> => {
  const generates = options.generate !== undefined;
  if (generates && files.length > 0) throw wrongUsage("Use either files or --generate, not both.");
  if (!generates && files.length === 0)
    throw wrongUsage("Nothing to import. Name a file, such as users.csv, or add --generate 50.");
  const most = routes.writeState.maxBodyBytes;
  const given = new Map<string, Promise<Uint8Array | string>>();
  const read: Read = async (file) => {
    const known = given.get(file) ?? (file === "-" ? io.input(most) : Promise.resolve(bytesOf(file)));
    given.set(file, known);
    return await known;
  };
  const { dryRun = false, json } = options;
  const endProgress = showProgress(io, "Importing");
  const paths = files.flatMap((file) => (file === "-" ? [file] : filesAt(file)));
  const [file = "", ...others] = paths;
  let plans: JoinedFiles["plans"] = [];
  const run = async (): Promise<Imported> => {
    // Errors of the file are reported even without an emulator.
    const asItIs = generates || others.length > 0 ? undefined : sendText(file, options, read);
    const sent = await asItIs?.catch(() => undefined);
    if (sent !== undefined) return sent;
    const world = await (generates ? generatedWorld(options) : worldOf(paths, options, read));
    ({ plans } = world.joined);
    return await send(world, options);
  };
  const shown = dryRun && json !== true;
  const counts = await run()
    .finally(endProgress)
    .finally(() => {
      if (shown) for (const plan of plans) io.out(planTable(plan));
    });
  const { apps, profiles, connections, users, undoable } = counts;
  const parts = [many(profiles, "profile"), ...(connections === 0 ? [] : [many(connections, "connection")])];
  const what = `${parts.join(" and ")} ${dryRun ? "for" : "into"} ${many(apps, "app")}`;
  const how = users === undefined ? "" : `: ${usersWords(users)}`;
  const isThere = users !== undefined && users.new + users.changed === 0 && profiles > 0 && connections === 0;
  const message = dryRun
    ? `Valid: ${what}${how}. Nothing was changed.`
    : isThere
      ? `Nothing to import: all ${many(profiles, "profile")} are there already.`
      : `Imported ${what}${how}.`;
  const lines = [
    ...(dryRun ? [] : plans.map(planLine)),
    ...(undoable === false
      ? [`${dryRun ? "It could not" : "It cannot"} be undone: it replaces more than the timeline keeps.`]
      : []),
    ...(dryRun ? [] : plans.flatMap(({ people }) => people.notices)),
    ...(users?.cut ? [cutWords(many(users.cut, "existing user"))] : []),
    message,
  ];
  const plan = plans.length === 0 ? {} : { files: plans.map(planAnswer) };
  return report(io, json, { ...counts, dryRun, ...plan }, lines.join("\n"));
};

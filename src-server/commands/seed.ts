/** `stagedoor seed FILE…` and `seed --generate N`: imports worlds and users, all or nothing (CONTRACT 6, state, and 22). */
import { resolve } from "node:path";
import { type Imported, StagedoorError, type World } from "#client/index.ts";
import { MOST_USERS } from "#contract/generate.ts";
import { routes } from "#contract/routes.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { many } from "#contract/words.ts";
import { choiceIn } from "#people/columns.ts";
import type { Duplicates } from "#people/once-each.ts";
import type { PeopleOptions } from "#people/read-people.ts";
import { bytesOf } from "#server/fixtures/file-text.ts";
import type { Part } from "#server/fixtures/join-worlds.ts";
import { FixtureReader } from "#server/fixtures/read-fixtures.ts";
import { flawedPart, readingFor, type UsersFile, usersFile, usersPart } from "#server/fixtures/users-part.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, printable, report, wrongUsage } from "#server/plumbing/io.ts";
import { showProgress } from "./progress.ts";
import { type FilePlan, planAnswer, planLine, planTable, usersWords } from "./seed-plan.ts";
import { worldText } from "./seed-text.ts";

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
  readonly duplicates?: Duplicates;
  readonly generate?: string;
  readonly seed?: string;
  readonly locale?: string;
}

/** An app of users: in the form of an import, which sends its own properties too where it replaces it; and how they are read. */
interface UsersApp {
  readonly app: JsonObject;
  readonly reading: Pick<PeopleOptions, "username" | "isLenient">;
}

/** @returns the app for users: an existing one, which must be the only one if none is named. */
const chosenApp = async (options: SeedOptions): Promise<UsersApp> => {
  const { items } = await withEmulator(options, ({ apps }) => apps.list());
  const ids = items.map((app) => app.appId).join(", ") || "none";
  const found = options.app === undefined && items.length === 1 ? items[0] : items.find((a) => a.appId === options.app);
  if (found === undefined && options.app === undefined)
    throw wrongUsage(`Users in a file belong to one app. Add --app ID. Apps: ${ids}.`);
  if (found === undefined) throw new CommandError(`No app "${printable(options.app ?? "")}". Apps: ${ids}.`);
  const { appId, name, strategy, settings, createdAt } = found;
  const app = (options.replace === true ? { appId, name, strategy, settings, createdAt } : { appId }) as JsonObject;
  return { app, reading: readingFor({ strategy, settings: settings as JsonObject }) };
};

const generatedBy = (options: SeedOptions): JsonObject => {
  const { generate = "", seed: from = "1", locale = "en" } = options;
  const count = /^\d{1,9}$/.test(generate) ? Number(generate) : 0;
  if (count < 1 || count > MOST_USERS) throw wrongUsage(`--generate must be a number from 1 to ${MOST_USERS}.`);
  return { generate: { count, seed: from, locale } };
};

/** @returns what the options say about columns. @throws CommandError if they are wrong. */
const readingOf = ({
  map = [],
  rest,
  country,
  duplicates,
}: SeedOptions): Omit<PeopleOptions, "username" | "isLenient"> => {
  const choices = map.map((text) => {
    const choice = choiceIn(text);
    if (typeof choice === "string") throw wrongUsage(`--map ${printable(choice)}.`);
    return choice;
  });
  return {
    map: Object.fromEntries(choices),
    ...(rest === undefined ? {} : { rest }),
    ...(country === undefined ? {} : { country }),
    ...(duplicates === undefined ? {} : { duplicates }),
  };
};

const nameOf = (file: string): string => (file === "-" ? "standard input" : file);

/** Reads files, standard input only once. */
type Read = (file: string) => Promise<Uint8Array | string>;

/** The world to import, the app for its users if it has any, and what becomes of their columns. */
interface SeedWorld {
  readonly joined: Awaited<ReturnType<FixtureReader["joined"]>>;
  readonly usersApp: UsersApp | undefined;
  readonly plans: readonly FilePlan[];
}

/** @returns a world with generated users. */
const generatedWorld = async (options: SeedOptions): Promise<SeedWorld> => {
  const reader = new FixtureReader();
  const generate = generatedBy(options);
  const usersApp = await chosenApp(options);
  reader.add({ apps: [{ ...usersApp.app, ...generate }], findings: [], place: generatedPlace });
  return { joined: await reader.joined(), usersApp, plans: [] };
};
const generatedPlace: Part["place"] = (found) =>
  found.map(({ path, text }) => ({ text: `generated: ${path.replace(/^apps\[0\]\.?/, "")}: ${text}`, order: 0 }));

/** @returns the world of the files. @throws CommandError */
const worldOf = async (files: readonly string[], options: SeedOptions, read: Read): Promise<SeedWorld> => {
  const reading = readingOf(options);
  const contents: { readonly file: string; readonly bytes: Uint8Array | string; readonly kind: UsersFile }[] = [];
  for (const file of files) {
    const bytes = await read(file);
    const isFixture = /\.jsonc?$/i.test(file);
    const kind = typeof bytes === "string" ? ({ kind: "none", why: `: ${bytes}` } as const) : await usersFile(bytes);
    contents.push({ file, bytes, kind: kind.kind === "none" && isFixture ? { kind: "fixtures" } : kind });
  }
  const hasUsers = contents.some(({ kind }) => kind.kind === "table");
  const usersApp = hasUsers
    ? await chosenApp(options).catch((error: unknown) => {
        // The errors of the files are reported first.
        if (contents.some(({ kind }) => kind.kind === "none")) return undefined;
        throw error;
      })
    : undefined;
  const reader = new FixtureReader();
  const plans: FilePlan[] = [];
  for (const { file, bytes, kind } of contents) {
    const name = nameOf(file);
    if (typeof bytes === "string") reader.add(flawedPart(`${name}: ${bytes}`));
    else if (kind.kind === "fixtures") await reader.addBytes(resolve(file), name, bytes);
    else if (kind.kind === "none") reader.add(flawedPart(`${name}${kind.why}`));
    else {
      const app = usersApp?.app ?? {};
      const { part, people } = await usersPart(name, kind, () => app, { ...reading, ...usersApp?.reading });
      reader.add(part);
      if (people !== undefined) plans.push({ name, people });
    }
  }
  return { joined: await reader.joined(), usersApp, plans };
};

const seedRefusal = ({ joined }: SeedWorld, { apps, ...fields }: StagedoorError["fields"]): CommandError => {
  // An app may only be missing because its file cannot be read.
  const all = apps === undefined || joined.flawed ? fields : { apps, ...fields };
  return new CommandError([...joined.describe(all).map(printable), "Nothing was changed."].join("\n"));
};

const tooLarge = ({ joined }: SeedWorld): CommandError => {
  const mebibytes = (n: number): string => `${(n / 1_048_576).toFixed(1)} MiB`;
  const size = mebibytes(Buffer.byteLength(JSON.stringify(joined.world)));
  return new CommandError(`The import is ${size}; the maximum is ${mebibytes(routes.writeState.maxBodyBytes)}.`);
};

/** How to import a world in which the users are of this app. */
const importOptions = ({ replace = false, dryRun = false, app }: SeedOptions, usersApp: UsersApp | undefined) => {
  const mode = replace ? "replace" : "merge";
  const appId = usersApp !== undefined && mode === "merge" ? undefined : (app ?? usersApp?.app["appId"]);
  return { appId: typeof appId === "string" ? appId : undefined, mode, dryRun, users: true } as const;
};

/** The errors of a body; then the files are read here, to name all errors, or to read what the server cannot. */
const REFUSED = [400, 413, 422];

/** Imports a single world as it is. @returns undefined if it must be parsed first, or is refused. @throws CommandError */
const sendText = async (file: string, options: SeedOptions, read: Read): Promise<Imported | undefined> => {
  const bytes = await read(file);
  if (typeof bytes === "string" || (await usersFile(bytes)).kind !== "fixtures") return undefined;
  const text = worldText(bytes);
  if (text === undefined) return undefined;
  return await withEmulator(options, ({ state }) =>
    state.import(text, importOptions(options, undefined)).catch((error: unknown) => {
      if (error instanceof StagedoorError && REFUSED.includes(error.status)) return undefined;
      throw error;
    }),
  );
};

/** Imports a world. @throws CommandError with all errors. */
const send = async (world: SeedWorld, options: SeedOptions): Promise<Imported> => {
  const { joined, usersApp } = world;
  const { dryRun, ...how } = importOptions(options, usersApp);
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
  const [file = "", ...others] = files;
  let plans: readonly FilePlan[] = [];
  const run = async (): Promise<Imported> => {
    // Errors of the file are reported even without an emulator.
    const asItIs = generates || others.length > 0 ? undefined : sendText(file, options, read);
    const sent = await asItIs?.catch(() => undefined);
    if (sent !== undefined) return sent;
    const world = await (generates ? generatedWorld(options) : worldOf(files, options, read));
    ({ plans } = world);
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
  const message = dryRun ? `Valid: ${what}${how}. Nothing was changed.` : `Imported ${what}${how}.`;
  const lines = [
    ...(dryRun ? [] : plans.map(planLine)),
    ...(undoable === false
      ? [`${dryRun ? "It could not" : "It cannot"} be undone: it replaces more than the timeline keeps.`]
      : []),
    ...(dryRun ? [] : plans.flatMap(({ people }) => people.notices)),
    message,
  ];
  const plan = plans.length === 0 ? {} : { files: plans.map(planAnswer) };
  return report(io, json, { ...counts, dryRun, ...plan }, lines.join("\n"));
};

/** `stagedoor init`: a fixture file and a script for the project in this folder. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type FixtureSource, pathOf, readAsOf, sourceWith } from "#contract/control/fixture-source.ts";
import type { UsernameField } from "#contract/service/strategies.ts";
import type { GivenOptions } from "#server/config.ts";
import { FixtureReader } from "#server/fixtures/read-fixtures.ts";
import { CommandError, type Io } from "#server/plumbing/io.ts";
import { configOf } from "#server/plumbing/options.ts";
import { writeWhole } from "#server/plumbing/write-whole.ts";
import { NO_PROJECT, type Project, readProject, SCRIPT_NAME, START } from "./project.ts";

/** @see init. The other options are those of `start` that say how a file of users is read. */
export interface InitOptions extends GivenOptions {
  readonly dryRun?: boolean;
  /** Whether a CSV in the folder is looked for. */
  readonly users: boolean;
  readonly json?: boolean;
}

/** The file that is written, in the folder of the process. */
const FILE = "stagedoor.fixtures.jsonc";

/** The users of a file, and what they sign in with. */
interface UsersInFile {
  /** Relative to the folder. */
  readonly source: FixtureSource;
  readonly username: UsernameField;
}

const EXAMPLE = `"profiles": [
        // testPasscode: a code that always works for this user
        { "phone": "+12025550100", "name": "Ada", "testPasscode": "123456" }
      ]`;

/** @param schema the path of the schema. @param users undefined: an example user. @returns the text of the file. */
const fixtureText = (schema: string, appId: string, users: UsersInFile | undefined): string => `{
  "$schema": ${JSON.stringify(schema)},
  "apps": [
    {
      "appId": ${JSON.stringify(appId)},
      "secret": ${JSON.stringify(`sk_local_${appId}`)},
      "strategy": "${users?.username ?? "phone"}", // the field that is the username: "phone" or "email"
      ${users === undefined ? EXAMPLE : `"users": ${sourceText(users.source)}`}
    }
  ]
}
`;

const sourceText = (source: FixtureSource): string =>
  typeof source === "string"
    ? JSON.stringify(pathOf(source))
    : JSON.stringify(source, null, 1).replaceAll(/\n */g, " ");

/** A file that may be written. */
interface Piece {
  readonly file: string;
  readonly shown: string;
  readonly write: () => Promise<void>;
}

/** Users in a CSV, and what is wrong with them. */
interface FoundUsers extends UsersInFile {
  readonly name: string;
  readonly errors: readonly string[];
  readonly notices: readonly string[];
}

/** @returns the users in a file; undefined if there are none. */
const usersIn = async (name: string, given: GivenOptions): Promise<FoundUsers | undefined> => {
  const path = resolve(name);
  const [source = path] = configOf({ ...given, fixtures: [path] }).fixtures;
  const reader = new FixtureReader();
  await reader.addFile(source, name);
  const { plans, flawed, describe } = await reader.joined({ alone: (strategy) => ({ appId: "app", strategy }) });
  const [plan] = plans;
  if (plan === undefined) return undefined;
  const { username, notices } = plan.people;
  return {
    name,
    source: sourceWith(`./${name}`, readAsOf(source)),
    username,
    notices,
    errors: flawed ? describe({}) : [],
  };
};

/** @returns the users of the largest CSV that has some: a small one next to it has codes for them. @throws CommandError if it has errors. */
const usersHere = async (io: Io, given: GivenOptions): Promise<FoundUsers | undefined> => {
  const files = readdirSync(".").flatMap((name) => {
    // A link may lead nowhere.
    const stat = /\.csv$/i.test(name) ? statSync(name, { throwIfNoEntry: false }) : undefined;
    return stat?.isFile() === true ? [{ name, bytes: stat.size }] : [];
  });
  const found: FoundUsers[] = [];
  for (const { name } of files.sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))) {
    const users = await usersIn(name, given);
    if (users !== undefined) found.push(users);
  }
  const [users, ...others] = found;
  if (users === undefined) return undefined;
  if (users.errors.length > 0)
    throw new CommandError(
      `${users.errors.join("\n")}\nNothing was written. To leave ${users.name} out, add --no-users.`,
    );
  for (const notice of users.notices) io.err(`${users.name}: ${notice}`);
  if (others.length > 0)
    io.err(
      `${others.map(({ name }) => name).join(", ")} ${others.length === 1 ? "was" : "were"} not used: an app names one file. Add it after --fixtures in the script “stagedoor”.`,
    );
  return users;
};

const indented = (text: string): string => text.trimEnd().replaceAll(/^/gm, "  ");

const fixturePiece = async (io: Io, project: Project, { users: look, ...given }: InitOptions): Promise<Piece> => {
  const users = look ? await usersHere(io, given) : undefined;
  const text = fixtureText(project.schema, project.appId, users);
  const write = (): Promise<void> => writeFile(FILE, text, { flag: "wx" });
  return { file: FILE, shown: `${FILE}:\n\n${indented(text)}`, write };
};

const piecesFor = async (io: Io, project: Project, isThere: boolean, given: InitOptions): Promise<readonly Piece[]> => {
  const pieces = isThere ? [] : [await fixturePiece(io, project, given)];
  const { changed } = project;
  if (changed === undefined) return pieces;
  const shown = `package.json, in "scripts":\n\n  "${SCRIPT_NAME}": ${JSON.stringify(START)}`;
  return [...pieces, { file: "package.json", shown, write: () => writeWhole("package.json", changed) }];
};

/** Shows what is missing of a fixture file and a script, then writes it. @returns 0. @throws CommandError if a CSV has errors. */
export const init =
  (version: string) =>
  async (io: Io, { dryRun = false, json = false, ...given }: InitOptions): Promise<number> => {
    const project = readProject(version) ?? NO_PROJECT;
    const { next } = project;
    const isThere = existsSync(FILE);
    const pieces = await piecesFor(io, project, isThere, given);
    const kept = [...(isThere ? [`${FILE} exists, and stays as it is.`] : []), ...project.kept];
    const files = pieces.map(({ file }) => file);
    if (!json) io.out([...pieces.map(({ shown }) => `${shown}\n\n`), ...kept.map((line) => `${line}\n`)].join(""));
    if (!dryRun) for (const { write } of pieces) await write();
    if (json) io.json({ written: dryRun ? [] : files, kept, next });
    else if (dryRun) io.out("Nothing was written.\n");
    else {
      const wrote = files.length === 0 ? "" : `Wrote ${files.join(" and ")}. `;
      io.out(`${wrote}Next:\n\n${next.map((line) => `  ${line}\n`).join("")}`);
    }
    return 0;
  };

/** What a start says whose data is there already: its fixture files are not read, and how they can be. */
import { type FixtureSource, pathOf, readAsOf } from "#contract/control/fixture-source.ts";
import { plainWord } from "#contract/words/shell-words.ts";

/** Names of files that may hold more than users: these say the app themselves. */
const WORLD = /\.jsonc?$/i;

const inShell = (word: string): string => plainWord(word, process.platform);

const optionsOf = (source: FixtureSource): readonly string[] => {
  const { map = {}, ...others } = readAsOf(source);
  return [
    ...Object.entries(map).flatMap(([column, field]) => ["--map", inShell(`${column}=${field}`)]),
    ...Object.entries(others).flatMap(([name, value]) => [`--${name}`, value]),
  ];
};

const command = (source: FixtureSource, appIds: readonly string[]): string => {
  const needsApp = appIds.length !== 1 && !WORLD.test(pathOf(source));
  const words = ["stagedoor seed", inShell(pathOf(source)), ...optionsOf(source), ...(needsApp ? ["--app ID"] : [])];
  return `\`${words.join(" ")}\``;
};

/** @param appIds of the data. @returns one line, with the command that imports each file. */
export const ignoredFixtures = (
  dataDir: string,
  sources: readonly FixtureSource[],
  appIds: readonly string[],
): string =>
  `--fixtures was ignored: ${dataDir} already contains data. To add to it, run ${sources
    .map((source) => command(source, appIds))
    .join(" and ")}; to delete it and start with the fixtures, add --reset.`;

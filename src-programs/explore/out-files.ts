/** The files of `--out`: the login and the output of each failure, and all of it as one file for the console. */
import { join } from "node:path";
import { type Explored, type ExploredRun, isFailure } from "#contract/documents/explorations.ts";
import { writeWhole } from "#server/plumbing/write-whole.ts";
import type { Trial } from "./trial.ts";

/** They have codes and tokens. */
const OWNER_ONLY = 0o600;

const pathOf = (folder: string, { step, kind }: ExploredRun, ending: string): string =>
  join(folder, `${step.replaceAll(/[^A-Za-z0-9]+/g, "-").toLowerCase()}-${kind}${ending}`);

/** Writes the login of a failure, as `stagedoor open` shows it, and what the program printed. */
export const writeFailure = async (folder: string, run: ExploredRun, { output, film }: Trial): Promise<void> => {
  if (!isFailure(run)) return;
  await writeWhole(pathOf(folder, run, ".txt"), output, undefined, OWNER_ONLY);
  if (film !== undefined)
    await writeWhole(pathOf(folder, run, ".json"), `${JSON.stringify(film)}\n`, undefined, OWNER_ONLY);
};

/** Writes the result with the login of each run, which the console shows. */
export const writeExploration = async (folder: string, result: Explored): Promise<void> =>
  await writeWhole(join(folder, "exploration.json"), `${JSON.stringify(result)}\n`, undefined, OWNER_ONLY);

/** @returns the result without logins, for a repository and for `--known`. */
export const withoutFilms = (result: Explored): Explored => ({
  ...result,
  runs: result.runs.map(({ film: _, ...run }) => run),
});

/** What is said and written of an exploration: the matrix, its failures, Markdown, JSON, JUnit, and the files of `--out`. */
import { join } from "node:path";
import {
  afterWords,
  cellText,
  type Explored,
  type ExploredRun,
  exploredMarkdown,
  exploredSummary,
  isFailure,
  KIND_WORDS,
  matrixLines,
} from "#contract/documents/explorations.ts";
import { many } from "#contract/words/words.ts";
import { type Io, printable } from "#server/plumbing/io.ts";
import { writeWhole } from "#server/plumbing/write-whole.ts";
import type { Order } from "./order.ts";
import type { Trial } from "./trial.ts";

/** @returns what failed and was not known before. */
export const newFailures = ({ runs }: Explored): readonly ExploredRun[] =>
  runs.filter((run) => isFailure(run) && !run.known);

const failureLines = (run: ExploredRun): readonly string[] => [
  `${cellText(run)} ${run.step}, ${run.kind} (${KIND_WORDS[run.kind]}): ${afterWords(run)}${run.known ? " (known)" : ""}`,
  `  ${run.repeat}`,
];

const XML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
// What XML 1.0 allows in no form becomes a replacement character.
const xmlText = (text: string): string =>
  text.replaceAll(/[^\u0020-\ud7ff\ue000-\ufffd]/g, "\ufffd").replaceAll(/[&<>"]/g, (one) => XML[one] ?? one);

/** A JUnit report: a run is a test; what is known is skipped. */
const exploredJunit = (all: Explored): string => {
  const cases = all.runs.map((run) => {
    const name = `classname="${xmlText(run.step)}" name="${run.kind}" time="${run.ms / 1_000}"`;
    if (run.result === "passed") return `<testcase ${name}/>`;
    const message = `message="${xmlText(afterWords(run))}"`;
    const body =
      run.known || run.result === "missed"
        ? `<skipped ${message}/>`
        : `<failure ${message}>${xmlText(run.repeat)}</failure>`;
    return `<testcase ${name}>${body}</testcase>`;
  });
  const failures = newFailures(all).length;
  const skipped = all.runs.filter((run) => run.result !== "passed").length - failures;
  const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite name="stagedoor explore" ${counts}>\n${cases.join("\n")}\n</testsuite>\n</testsuites>\n`;
};

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
const writeExploration = async (folder: string, result: Explored): Promise<void> =>
  await writeWhole(join(folder, "exploration.json"), `${JSON.stringify(result)}\n`, undefined, OWNER_ONLY);

/** @returns the result without logins, for a repository and for `--known`. */
const withoutFilms = (result: Explored): Explored => ({
  ...result,
  runs: result.runs.map(({ film: _, ...run }) => run),
});

/** @returns what a test of the happy path needs to know, once; undefined: it is none. */
const happyPathNotice = ({ runs }: Explored): string | undefined => {
  const failed = runs.filter(isFailure);
  // A code that was sent again and not entered counts as well.
  const gaveUp = failed.filter(({ after }) => after.requests === 0 || after.lastStatus === 202).length;
  return gaveUp < 2
    ? undefined
    : `In ${gaveUp} of ${many(failed.length, "failure")} the command gave up after its first try. A test of the happy path fails so whatever the app does: explore a script that tries as a user does (docs/recipes/explore.md). What the app should do: docs/lost-answers.md.`;
};

/** Prints the matrix and each failure, and writes the files. @param notices what to know before. @throws CommandError if a file cannot be written. */
export const report = async (
  io: Io,
  result: Explored,
  notices: readonly string[],
  { wasFailing, files: { markdown, json, junit, out } }: Order,
): Promise<void> => {
  for (const notice of notices) io.err(notice);
  for (const line of ["", ...matrixLines(result), ""]) io.out(`${line}\n`);
  for (const run of result.runs)
    if (isFailure(run)) for (const line of failureLines(run)) io.out(`${printable(line)}\n`);
  for (const { step, kind, result: how } of result.runs)
    if (how === "passed" && wasFailing.has(`${step}:${kind}`)) io.out(`Mended: ${step}, ${kind}\n`);
  const notice = happyPathNotice(result);
  if (notice !== undefined) io.out(`${notice}\n`);
  io.out(`${exploredSummary(result)}\n`);
  if (markdown !== undefined) await writeWhole(markdown, exploredMarkdown(result));
  if (json !== undefined) await writeWhole(json, `${JSON.stringify(withoutFilms(result), null, 2)}\n`);
  if (junit !== undefined) await writeWhole(junit, exploredJunit(result));
  if (out !== undefined) await writeExploration(out, result);
};

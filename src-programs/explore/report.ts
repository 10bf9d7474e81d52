/** What is said and written once an exploration has ended. */
import {
  type Explored,
  exploredMarkdown,
  exploredSummary,
  isFailure,
  matrixLines,
} from "#contract/documents/explorations.ts";
import { many } from "#contract/words/words.ts";
import { type Io, printable } from "#server/plumbing/io.ts";
import { writeWhole } from "#server/plumbing/write-whole.ts";
import type { Order } from "./order.ts";
import { withoutFilms, writeExploration } from "./out-files.ts";
import { exploredJunit, failureLines } from "./text.ts";

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

/** An exploration as text: its failures in a terminal, JUnit for CI. */
import {
  afterWords,
  cellText,
  type Explored,
  type ExploredRun,
  isFailure,
  KIND_WORDS,
} from "#contract/documents/explorations.ts";
import { frozen } from "#contract/frozen.ts";

/** @returns what failed and was not known before. */
export const newFailures = ({ runs }: Explored): readonly ExploredRun[] =>
  runs.filter((run) => isFailure(run) && !run.known);

/** @returns two lines for a failure. */
export const failureLines = (run: ExploredRun): readonly string[] => [
  `${cellText(run)} ${run.step}, ${run.kind} (${KIND_WORDS[run.kind]}): ${afterWords(run)}${run.known ? " (known)" : ""}`,
  `  ${run.repeat}`,
];

const XML = frozen<Readonly<Record<string, string>>>({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" });
// What XML 1.0 allows in no form becomes a replacement character.
const xmlText = (text: string): string =>
  text.replaceAll(/[^\u0020-\ud7ff\ue000-\ufffd]/g, "\ufffd").replaceAll(/[&<>"]/g, (one) => XML[one] ?? one);

/** @returns a JUnit report: a run is a test; what is known is skipped. */
export const exploredJunit = (all: Explored): string => {
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

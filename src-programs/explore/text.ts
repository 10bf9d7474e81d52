/** An exploration as text: the matrix, Markdown for a ticket, JUnit for CI (CONTRACT 27). */
import { frozen } from "#contract/frozen.ts";
import { markdownText } from "#contract/markdown.ts";
import { many } from "#contract/words.ts";
import { KINDS } from "./kinds.ts";
import type { Explored, ExploredRun } from "./result.ts";

/** The sign of each result. */
export const SIGNS = frozen({ passed: "·", failed: "✗", timedOut: "⏱" } as const satisfies Record<
  ExploredRun["result"],
  string
>);

const cellOf = ({ runs }: Explored, step: string, kind: string): string => {
  const run = runs.find((one) => one.step === step && one.kind === kind);
  return run === undefined ? "" : SIGNS[run.result];
};

/** @returns what failed and was not known before. */
export const newFailures = ({ runs }: Explored): readonly ExploredRun[] =>
  runs.filter(({ result, known }) => result !== "passed" && !known);

/** @returns the sentence with the numbers. */
export const exploredSummary = (all: Explored): string => {
  const failed = all.runs.filter(({ result }) => result !== "passed");
  const known = failed.filter((run) => run.known).length;
  const words = `${all.runs.length - failed.length} of ${many(all.runs.length, "run")} passed`;
  return known === 0 ? words : `${words}, ${many(known, "failure")} known`;
};

/** @returns the matrix, steps by kinds. */
export const matrixLines = (all: Explored): readonly string[] => {
  const wide = Math.max(...all.steps.map((step) => step.length), 0);
  const columns = all.kinds.map((kind) => ({ kind, wide: kind.length }));
  const line = (first: string, of: (kind: string) => string): string =>
    [first.padEnd(wide), ...columns.map((column) => of(column.kind).padEnd(column.wide))].join("  ").trimEnd();
  return [line("", (kind) => kind), ...all.steps.map((step) => line(step, (kind) => cellOf(all, step, kind)))];
};

/** @returns what the program did after a failure, and what is left. */
const afterWords = ({ result, exitCode, after, left }: ExploredRun): string => {
  const ended = result === "timedOut" ? "timed out" : `ended with ${exitCode}`;
  const last = after.lastStatus === null ? "" : `, last status ${after.lastStatus === 0 ? "none" : after.lastStatus}`;
  const did =
    after.requests === 0 ? "sent nothing more" : `sent ${many(after.requests, "more request", "more requests")}${last}`;
  const codes = left.usedCodes === 0 ? [] : [`${many(left.usedCodes, "code")} used`];
  const sessions = left.lostSessions === 0 ? [] : [`${many(left.lostSessions, "session")} that the app never got`];
  const rest = [...codes, ...sessions];
  return `${did}, ${ended}${rest.length === 0 ? "" : `; left: ${rest.join(", ")}`}`;
};

/** @returns two lines for a failure. */
export const failureLines = (run: ExploredRun): readonly string[] => [
  `${SIGNS[run.result]} ${run.step}, ${run.kind} (${KINDS[run.kind].words}): ${afterWords(run)}${run.known ? " (known)" : ""}`,
  `  ${run.repeat}`,
];

/** @returns the matrix and its failures as Markdown. */
export const exploredMarkdown = (all: Explored): string => {
  const failed = all.runs.filter(({ result }) => result !== "passed");
  return [
    `**${exploredSummary(all)}**`,
    "",
    `| Step | ${all.kinds.join(" | ")} |`,
    `| - |${all.kinds.map(() => " :-: |").join("")}`,
    ...all.steps.map(
      (step) => `| ${markdownText(step)} | ${all.kinds.map((kind) => cellOf(all, step, kind)).join(" | ")} |`,
    ),
    ...(failed.length === 0 ? [] : [""]),
    ...failed.map(
      (run) =>
        `- ${SIGNS[run.result]} **${markdownText(run.step)}, ${run.kind}** (${KINDS[run.kind].words}): ${markdownText(afterWords(run))}${run.known ? " (known)" : ""}`,
    ),
    "",
  ].join("\n");
};

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
    const body = run.known ? `<skipped ${message}/>` : `<failure ${message}>${xmlText(run.repeat)}</failure>`;
    return `<testcase ${name}>${body}</testcase>`;
  });
  const failures = newFailures(all).length;
  const skipped = all.runs.filter(({ result, known }) => result !== "passed" && known).length;
  const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite name="stagedoor explore" ${counts}>\n${cases.join("\n")}\n</testsuite>\n</testsuites>\n`;
};

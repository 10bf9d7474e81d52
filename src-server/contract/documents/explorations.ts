/** The result of `stagedoor explore`: its JSON, which `--known` reads and the console opens, and its words. */
import { z } from "zod";
import { frozen } from "../frozen.ts";
import { lazyObject } from "../lazy-object.ts";
import { optional } from "../scalars.ts";
import { markdownText } from "../words/markdown.ts";
import { many } from "../words/words.ts";

// An object would put the names that are numbers first.
/** What can happen to a request of a login, in the order of the columns. */
export const KIND_NAMES = frozen([
  "unreached",
  "lost",
  "503",
  "504",
  "late",
  "twice",
  "nocode",
  "latecode",
  "twocodes",
] as const);
/** The name of a kind. */
export type Kind = (typeof KIND_NAMES)[number];

/** What the network or the service does to the step, for the legend. */
export const KIND_WORDS = frozen({
  unreached: "dropped before it is carried out",
  lost: "carried out, no response",
  "503": "503, not carried out",
  "504": "carried out, 504",
  late: "carried out, response after 3 s",
  twice: "carried out twice",
  nocode: "the code is not delivered",
  latecode: "the code arrives after 15 s",
  twocodes: "a newer code is sent as well",
} as const satisfies Readonly<Record<Kind, string>>);

const kind = z.enum(KIND_NAMES);

/** A run of the program with one failure. */
const exploredRun = lazyObject(() => ({
  step: z.string().describe("The request that failed, such as `PUT session #1`."),
  kind,
  result: z.enum(["passed", "failed", "timedOut"]),
  known: z.boolean().describe("Whether it failed in the run that `--known` named."),
  exitCode: z.int(),
  ms: z.int().describe("The time of the program itself."),
  after: z
    .object({ requests: z.int(), lastStatus: z.int().nullable() })
    .describe("What the program did after the failure; `lastStatus` is null if it sent nothing more."),
  left: z
    .object({ usedCodes: z.int(), lostSessions: z.int() })
    .describe("Codes that were used and sessions that were created by requests whose response was lost."),
  repeat: z.string().describe("The command that repeats it."),
  film: optional(z.unknown(), "Its login, as GET `requests/:id/bundle`; only in the file that `--out` writes."),
}));
/** @see exploredRun */
export type ExploredRun = z.output<typeof exploredRun>;

/** A matrix of steps by kinds. */
export const explored = lazyObject(() => ({
  version: z.literal(1),
  steps: z.array(z.string()),
  kinds: z.array(kind),
  runs: z.array(exploredRun),
}));
/** @see explored */
export type Explored = z.output<typeof explored>;

/** How the JSON begins, so that a file is known by its first line. */
const HEAD = /^\s*\{\s*"version":\s*1,\s*"steps":\s*\[/;
/** @returns whether a text is the JSON of an exploration, judged by its beginning. */
export const isExplorationText = (text: string): boolean => HEAD.test(text);

/** The sign of each result. */
export const SIGNS = frozen({ passed: "·", failed: "✗", timedOut: "⏱" } as const satisfies Record<
  ExploredRun["result"],
  string
>);

/** @returns the run of a cell; undefined: none. */
export const runAt = ({ runs }: Explored, step: string, of: string): ExploredRun | undefined =>
  runs.find((one) => one.step === step && one.kind === of);

const cellOf = (all: Explored, step: string, of: string): string => {
  const run = runAt(all, step, of);
  return run === undefined ? "" : SIGNS[run.result];
};

/** @returns the sentence with the numbers. */
export const exploredSummary = ({ runs }: Explored): string => {
  const failed = runs.filter(({ result }) => result !== "passed");
  const known = failed.filter((run) => run.known).length;
  const words = `${runs.length - failed.length} of ${many(runs.length, "run")} passed`;
  return known === 0 ? words : `${words}, ${many(known, "failure")} known`;
};

/** @returns the matrix, steps by kinds, as lines of text. */
export const matrixLines = (all: Explored): readonly string[] => {
  const wide = Math.max(...all.steps.map((step) => step.length), 0);
  const columns = all.kinds.map((name) => ({ name, wide: name.length }));
  const line = (first: string, of: (name: string) => string): string =>
    [first.padEnd(wide), ...columns.map((column) => of(column.name).padEnd(column.wide))].join("  ").trimEnd();
  return [line("", (name) => name), ...all.steps.map((step) => line(step, (name) => cellOf(all, step, name)))];
};

/** @returns what the program did after a failure, and what is left. */
export const afterWords = ({ result, exitCode, after, left }: ExploredRun): string => {
  const ended = result === "timedOut" ? "timed out" : `ended with ${exitCode}`;
  const last = after.lastStatus === null ? "" : `, last status ${after.lastStatus === 0 ? "none" : after.lastStatus}`;
  const did =
    after.requests === 0 ? "sent nothing more" : `sent ${many(after.requests, "more request", "more requests")}${last}`;
  const codes = left.usedCodes === 0 ? [] : [`${many(left.usedCodes, "code")} used`];
  const sessions = left.lostSessions === 0 ? [] : [`${many(left.lostSessions, "session")} that the app never got`];
  const rest = [...codes, ...sessions];
  return `${did}, ${ended}${rest.length === 0 ? "" : `; left: ${rest.join(", ")}`}`;
};

/** @returns the matrix and its failures as Markdown. */
export const exploredMarkdown = (all: Explored): string => {
  const failed = all.runs.filter(({ result }) => result !== "passed");
  return [
    `**${exploredSummary(all)}**`,
    "",
    `| Step | ${all.kinds.join(" | ")} |`,
    `| - |${all.kinds.map(() => " :-: |").join("")}`,
    ...all.steps.map(
      (step) => `| ${markdownText(step)} | ${all.kinds.map((name) => cellOf(all, step, name)).join(" | ")} |`,
    ),
    ...(failed.length === 0 ? [] : [""]),
    ...failed.map(
      (run) =>
        `- ${SIGNS[run.result]} **${markdownText(run.step)}, ${run.kind}** (${KIND_WORDS[run.kind]}): ${markdownText(afterWords(run))}${run.known ? " (known)" : ""}`,
    ),
    "",
  ].join("\n");
};

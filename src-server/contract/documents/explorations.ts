/** The result of `stagedoor explore`: its JSON, which `--known` reads and the console opens, and its words. */
import { z } from "zod";
import { optional } from "../scalars.ts";
import { many, markdownText } from "../words/words.ts";

// An object would put the names that are numbers first.
/** What can happen to a request of a login, in the order of the columns. */
export const KIND_NAMES = [
  "unreached",
  "lost",
  "503",
  "504",
  "late",
  "twice",
  "nocode",
  "latecode",
  "twocodes",
] as const;
/** The name of a kind. */
export type Kind = (typeof KIND_NAMES)[number];

/** What the network or the service does to the step, for the legend. */
export const KIND_WORDS = {
  unreached: "dropped before it is carried out",
  lost: "carried out, no response",
  "503": "503, not carried out",
  "504": "carried out, 504",
  late: "carried out, response after 3 s",
  twice: "carried out twice",
  nocode: "the code is not delivered",
  latecode: "the code arrives after 15 s",
  twocodes: "a newer code is sent once the first has been read",
} as const satisfies Readonly<Record<Kind, string>>;

const kind = z.enum(KIND_NAMES);

/** A run of the program with one failure. */
const exploredRun = z.object({
  step: z.string().describe("The request that failed, such as `PUT session #1`."),
  kind,
  result: z
    .enum(["passed", "failed", "timedOut", "missed"])
    .describe("`missed`: the request did not come, or for `twocodes` its first code was not read: nothing was tested."),
  known: z.boolean().describe("Whether it failed in the run that `--known` named."),
  exitCode: z.int(),
  ms: z.int().describe("The time of the program itself."),
  after: z
    .object({
      requests: z.int(),
      repetitions: z.int().exactOptional(),
      lastStatus: z.int().nullable(),
      lastReason: z.string().nullable().exactOptional(),
    })
    .describe(
      "What the program sent after the failure, and what its HTTP stack repeated by itself; the last response is null if nothing was sent.",
    ),
  left: z
    .object({ usedCodes: z.int(), lostSessions: z.int(), signedIn: z.boolean().exactOptional() })
    .describe("Codes that were used and sessions that were created by requests whose response was lost."),
  tries: optional(z.object({ passed: z.int(), of: z.int() }), "With `--repeat`: how many of how many runs passed."),
  repeat: z.string().describe("The command that repeats it."),
  film: optional(z.unknown(), "Its login, as GET `requests/:id/bundle`; only in the file that `--out` writes."),
});
export type ExploredRun = z.output<typeof exploredRun>;

/** A matrix of steps by kinds. */
export const explored = z.object({
  version: z.literal(1),
  steps: z.array(z.string()),
  kinds: z.array(kind),
  runs: z.array(exploredRun),
});
export type Explored = z.output<typeof explored>;

/** How the JSON begins, so that a file is known by its first line. */
const HEAD = /^\s*\{\s*"version":\s*1,\s*"steps":\s*\[/;
/** @returns whether a text is the JSON of an exploration, judged by its beginning. */
export const isExplorationText = (text: string): boolean => HEAD.test(text);

/** The sign of each result. */
export const SIGNS = { passed: "·", failed: "✗", timedOut: "⏱", missed: "–" } as const satisfies Record<
  ExploredRun["result"],
  string
>;

/** @returns the run of a cell; undefined: none. */
export const runAt = ({ runs }: Explored, step: string, of: string): ExploredRun | undefined =>
  runs.find((one) => one.step === step && one.kind === of);

/** @returns its sign, or how many of its runs passed where they differ. */
export const cellText = ({ result, tries }: ExploredRun): string =>
  tries !== undefined && tries.passed > 0 && tries.passed < tries.of ? `${tries.passed}/${tries.of}` : SIGNS[result];

const cellOf = (all: Explored, step: string, of: string): string => {
  const run = runAt(all, step, of);
  return run === undefined ? "" : cellText(run);
};

/** @returns whether it failed or timed out. */
export const isFailure = ({ result }: ExploredRun): boolean => result === "failed" || result === "timedOut";

/** @returns the sentence with the numbers. */
export const exploredSummary = ({ runs }: Explored): string => {
  const came = runs.filter(({ result }) => result !== "missed");
  const failed = came.filter(isFailure);
  const known = failed.filter((run) => run.known).length;
  const missed = runs.length - came.length;
  return [
    `${came.length - failed.length} of ${many(came.length, "run")} passed`,
    ...(known === 0 ? [] : [`${many(known, "failure")} known`]),
    ...(missed === 0 ? [] : [`in ${missed} the request did not come (–)`]),
  ].join(", ");
};

/** @returns the matrix, steps by kinds, as lines of text. */
export const matrixLines = (all: Explored): readonly string[] => {
  const wide = Math.max(...all.steps.map((step) => step.length), 0);
  const columns = all.kinds.map((name) => ({
    name,
    wide: Math.max(name.length, ...all.steps.map((step) => cellOf(all, step, name).length)),
  }));
  const line = (first: string, of: (name: string) => string): string =>
    [first.padEnd(wide), ...columns.map((column) => of(column.name).padEnd(column.wide))].join("  ").trimEnd();
  return [line("", (name) => name), ...all.steps.map((step) => line(step, (name) => cellOf(all, step, name)))];
};

const MISSED = "the request did not come: nothing was tested";
const UNREAD = "the request did not come, or its first code was not read: nothing was tested";

/** @returns whether the app tried again, by itself or through its HTTP stack, and with what success. */
const triedWords = ({ requests, repetitions = 0, lastStatus, lastReason = null }: ExploredRun["after"]): string => {
  const stack =
    repetitions === 0 ? "" : `its HTTP stack repeated ${repetitions === 1 ? "it" : `it ${repetitions} times`}`;
  const last = lastStatus === 0 ? "no response" : [lastStatus, lastReason].filter((one) => one !== null).join(" ");
  if (requests === 0)
    return `the app did not try again${stack && `, ${stack}`}${lastStatus === null ? "" : ` (${last})`}`;
  const sent = `the app sent ${many(requests, "more request", "more requests")}, last response: ${last}`;
  return stack === "" ? sent : `${sent}; ${stack}`;
};

/** @returns what the program did after a failure, and where its user was left. */
export const afterWords = ({ kind, result, exitCode, after, left }: ExploredRun): string => {
  if (result === "missed") return kind === "twocodes" ? UNREAD : MISSED;
  const ended = result === "timedOut" ? "timed out" : `ended with ${exitCode}`;
  const codes = left.usedCodes === 0 ? [] : [many(left.usedCodes, "used code")];
  const sessions = left.lostSessions === 0 ? [] : [`${many(left.lostSessions, "session")} the app never received`];
  const rest = [...codes, ...sessions];
  const behind = rest.length === 0 ? "" : `; left behind: ${rest.join(", ")}`;
  return `${triedWords(after)}; ${ended}, the user ${left.signedIn === true ? "was" : "was not"} signed in${behind}`;
};

/** @returns the matrix and its failures as Markdown. */
export const exploredMarkdown = (all: Explored): string => {
  const failed = all.runs.filter(isFailure);
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

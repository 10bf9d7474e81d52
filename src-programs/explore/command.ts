/** `stagedoor explore -- CMD`: finds every way in which the network can break a login. */
import { mkdir } from "node:fs/promises";
import {
  type Explored,
  explored,
  exploredMarkdown,
  exploredSummary,
  KIND_NAMES,
  KIND_WORDS,
  type Kind,
  matrixLines,
  SIGNS,
} from "#contract/documents/explorations.ts";
import { readJson } from "#contract/words/json-text.ts";
import { lengthWords, many } from "#contract/words/words.ts";
import { bytesOf, fileText } from "#server/fixtures/file-text.ts";
import { CommandError, type Io, printable, wrongUsage } from "#server/plumbing/io.ts";
import { durationMs, given, wholeNumber } from "#server/plumbing/options.ts";
import { tryWhole, writeWhole } from "#server/plumbing/write-whole.ts";
import { explore, exploredOf } from "./explore.ts";
import { isKind } from "./kinds.ts";
import { withoutFilms, writeExploration, writeFailure } from "./out-files.ts";
import { durationOf, failuresOf, fitting } from "./plan.ts";
import { stepNamed, stepsOf } from "./steps.ts";
import { exploredJunit, failureLines, newFailures } from "./text.ts";
import { type Failure, type TrialSetup, tryOnce } from "./trial.ts";
import { tellRuns } from "./watch.ts";

type Texts = Readonly<
  Partial<
    Record<
      | "kinds"
      | "only"
      | "minutes"
      | "known"
      | "jobs"
      | "timeout"
      | "markdown"
      | "json"
      | "junit"
      | "out"
      | "import"
      | "adminPort"
      | "authPort"
      | "consolePort"
      | "rest"
      | "country",
      string
    >
  >
>;
/** @see exploreCommand */
export interface ExploreOptions extends Texts {
  readonly every?: boolean;
  readonly fixtures?: readonly string[];
  readonly map?: readonly string[];
}

const LEAST_TIMEOUT_MS = 30_000;
/** Of the first run, which has no other to be measured by. */
const FIRST_TIMEOUT_MS = 600_000;
const INTERRUPTED = 130;

const kindsIn = (text: string | undefined): readonly Kind[] => {
  if (text === undefined) return KIND_NAMES;
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !isKind(name));
  if (unknown === undefined) return names.filter(isKind);
  throw wrongUsage(`--kinds has no kind "${printable(unknown)}". Kinds: ${KIND_NAMES.join(", ")}.`);
};

const failureIn = (text: string): Failure => {
  const at = text.lastIndexOf(":");
  const step = stepNamed(text.slice(0, at).trim());
  const kind = text.slice(at + 1).trim();
  if (step !== undefined && isKind(kind)) return { step, kind };
  throw wrongUsage(`--only must be a step and a kind, such as 'PUT session #1:lost', not "${printable(text)}".`);
};

const readKnown = (file: string): Explored => {
  const bytes = bytesOf(file);
  if (typeof bytes === "string") throw new CommandError(`${file}: ${bytes}`);
  const { text, error } = fileText(bytes);
  const read = error === undefined ? readJson(text) : undefined;
  const parsed = read !== undefined && "value" in read ? explored.safeParse(read.value) : undefined;
  if (parsed?.success) return parsed.data;
  throw new CommandError(
    `${file} is not the result of an exploration. Write one with \`stagedoor explore --json FILE\`.`,
  );
};

/** Options that a command needs to repeat a run. */
const repeated = ({ fixtures, import: file, adminPort, authPort, consolePort }: ExploreOptions): readonly string[] => [
  ...(fixtures ?? []).flatMap((name) => ["--fixtures", name]),
  ...Object.entries({
    import: file,
    "admin-port": adminPort,
    "auth-port": authPort,
    "console-port": consolePort,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
];

const setupOf = (
  version: string,
  io: Io,
  ended: AbortSignal,
  words: readonly string[],
  options: ExploreOptions,
): TrialSetup => {
  const { fixtures, map, rest, country, adminPort, authPort, consolePort, import: state } = options;
  const start = { ...given({ fixtures, map, rest, country, adminPort, authPort, consolePort }), tls: undefined };
  return { version, words, start, import: state, atMs: Date.now(), ended, io };
};

/** One run, with its output. @returns the status of the command; 124 after a timeout. */
const runOnly = async (setup: TrialSetup, failure: Failure, timeoutMs: number): Promise<number> => {
  const { io } = setup;
  const trial = await tryOnce(setup, failure, timeoutMs, { shown: true });
  if (setup.ended.aborted) return INTERRUPTED;
  const { step, kind } = failure;
  const sign = trial.isTimedOut ? SIGNS.timedOut : trial.exitCode === 0 ? SIGNS.passed : SIGNS.failed;
  io.err(
    `${sign} ${step.name}, ${kind} (${KIND_WORDS[kind]})${trial.met === undefined ? ": the step did not come" : ""}`,
  );
  return trial.exitCode === 0 && !trial.isTimedOut ? 0 : 1;
};

/**
 * Runs a command once without a failure, then once for each step of its login and each kind of failure.
 * @returns 0 if all passed or are known, 1 for a new failure, 130 when it was interrupted, the command's own status if it
 * fails without a failure. @throws CommandError if an option is wrong, or a file cannot be read or written.
 */
export const exploreCommand =
  (version: string) =>
  async (io: Io, ended: AbortSignal, words: readonly string[], options: ExploreOptions): Promise<number> => {
    const { only, minutes, known: knownFile, timeout, markdown, json, junit, out } = options;
    if (words[0] === undefined || words[0] === "") throw wrongUsage("The command is empty.");
    const kinds = kindsIn(options.kinds);
    const hasPort = [options.adminPort, options.authPort, options.consolePort].some(
      (port) => port !== undefined && port !== "0",
    );
    const asked = wholeNumber(options.jobs, "--jobs", 1, 64) ?? 1;
    const jobs = hasPort ? 1 : asked;
    if (hasPort && asked > 1) io.err("One run at a time: the ports are given.");
    const mostMs = minutes === undefined ? undefined : durationMs(`${minutes}m`, "--minutes", 1);
    const timeoutMs = timeout === undefined ? undefined : durationMs(timeout, "--timeout", 1);
    const known = knownFile === undefined ? undefined : readKnown(knownFile);
    const one = only === undefined ? undefined : failureIn(only);
    const files = [markdown, json, junit].filter((file) => file !== undefined);
    for (const file of files) await tryWhole(file);
    if (out !== undefined) await mkdir(out, { recursive: true });
    const setup = setupOf(version, io, ended, words, options);
    if (one !== undefined) return await runOnly(setup, one, timeoutMs ?? FIRST_TIMEOUT_MS);

    const first = await tryOnce(setup, undefined, timeoutMs ?? FIRST_TIMEOUT_MS);
    if (ended.aborted) return INTERRUPTED;
    if (first.exitCode !== 0) {
      io.out(first.output);
      io.err(`The command ended with ${first.exitCode} without a failure of the network. It has to pass first.`);
      return first.exitCode;
    }
    const all = failuresOf(stepsOf(first.rows, options.every === true), kinds);
    if (all.length === 0)
      throw new CommandError(
        "The command sent no request that can fail: it must use STAGEDOOR_AUTH_URL or STAGEDOOR_ADMIN_URL.",
      );
    const plan = fitting(all, first.ms, jobs, mostMs);
    const about = lengthWords(Math.ceil(durationOf(plan.length, first.ms, jobs) / 1_000));
    const left = all.length === plan.length ? "" : `; ${all.length - plan.length} do not fit`;
    io.err(`${many(plan.length, "run")}, about ${about} with ${many(jobs, "job")}${left}.`);

    const wasFailing = new Set(
      (known?.runs ?? []).flatMap(({ step, kind, result }) => (result === "passed" ? [] : [`${step}:${kind}`])),
    );
    const telling = tellRuns(
      io,
      process.stderr.isTTY,
      plan.length,
      exploredOf(plan, []),
      durationOf(plan.length, first.ms, jobs),
    );
    const missed: string[] = [];
    const result = await explore(
      {
        setup,
        plan,
        jobs,
        timeoutMs: timeoutMs ?? Math.max(LEAST_TIMEOUT_MS, 3 * first.ms),
        withFilms: out !== undefined,
        options: repeated(options),
        isKnown: ({ step, kind }) => wasFailing.has(`${step.name}:${kind}`),
      },
      {
        ended: async (run, trial, ...rest) => {
          if (trial.met === undefined) missed.push(`${run.step}, ${run.kind}`);
          telling.ended(run, trial, ...rest);
          if (out !== undefined) await writeFailure(out, run, trial);
        },
      },
    ).finally(telling.over);
    for (const line of ["", ...matrixLines(result), ""]) io.out(`${line}\n`);
    if (missed.length > 0)
      io.err(`In ${many(missed.length, "run")} the step did not come, so nothing was tested: ${missed.join("; ")}.`);
    for (const run of result.runs)
      if (run.result !== "passed") for (const line of failureLines(run)) io.out(`${printable(line)}\n`);
    for (const { step, kind, result: how } of result.runs)
      if (how === "passed" && wasFailing.has(`${step}:${kind}`)) io.out(`Mended: ${step}, ${kind}\n`);
    io.out(`${exploredSummary(result)}\n`);
    if (markdown !== undefined) await writeWhole(markdown, exploredMarkdown(result));
    if (json !== undefined) await writeWhole(json, `${JSON.stringify(withoutFilms(result), null, 2)}\n`);
    if (junit !== undefined) await writeWhole(junit, exploredJunit(result));
    if (out !== undefined) await writeExploration(out, result);
    if (ended.aborted) return INTERRUPTED;
    return newFailures(result).length === 0 ? 0 : 1;
  };

/** `stagedoor explore -- CMD`: finds every way in which the network can break a login. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KIND_WORDS, SIGNS } from "#contract/documents/explorations.ts";
import { lengthWords, many } from "#contract/words/words.ts";
import { CommandError, type Io, TIMED_OUT } from "#server/plumbing/io.ts";
import { given } from "#server/plumbing/options.ts";
import { explore, exploredOf, resultOf } from "./explore.ts";
import { type ExploreOptions, type Order, orderOf } from "./order.ts";
import { newFailures, report, writeFailure } from "./report.ts";
import { guard, startGuard } from "./run-program.ts";
import { durationOf, type Failure, failuresOf, fitting, stepsOf } from "./steps.ts";
import { isRetried, loginNotices, runNotices, writeHooks } from "./suite.ts";
import { type Trial, type TrialSetup, tryOnce } from "./trial.ts";
import { tellRuns } from "./watch.ts";

const LEAST_TIMEOUT_MS = 30_000;
/** Of the first run, which has no other to be measured by. */
const FIRST_TIMEOUT_MS = 600_000;
const INTERRUPTED = 130;
const NOTHING_TESTED = 2;

const runOnly = async (setup: TrialSetup, failure: Failure, timeoutMs: number): Promise<number> => {
  const trial = await tryOnce(setup, failure, timeoutMs, { shown: true });
  if (setup.ended.aborted) return INTERRUPTED;
  const { step, kind } = failure;
  const result = resultOf(trial);
  const missed = result === "missed" ? ": the request did not come, so nothing was tested" : "";
  setup.io.err(`${SIGNS[result]} ${step.name}, ${kind} (${KIND_WORDS[kind]})${missed}`);
  if (result === "missed") return NOTHING_TESTED;
  return result === "passed" ? 0 : 1;
};

/** @returns the failures to try. @throws CommandError if the run sent nothing that can fail. */
const planOf = (
  { io }: TrialSetup,
  { isEvery, kinds, jobs, repeat, mostMs }: Order,
  first: Trial,
): readonly Failure[] => {
  const all = failuresOf(stepsOf(first.rows, isEvery), kinds);
  if (all.length === 0)
    throw new CommandError(
      "The command sent no request that can fail: it must use STAGEDOOR_AUTH_URL or STAGEDOOR_ADMIN_URL, and so must a server that it uses.",
    );
  const plan = fitting(all, first.ms * repeat, jobs, mostMs);
  const about = lengthWords(Math.ceil((durationOf(plan, first.ms, jobs) * repeat) / 1_000));
  const left = all.length === plan.length ? "" : `; ${all.length - plan.length} do not fit`;
  io.err(`${many(plan.length * repeat, "run")}, about ${about} with ${many(jobs, "job")}${left}.`);
  for (const notice of loginNotices(first.rows)) io.err(notice);
  return plan;
};

/** A run without a failure, then all with one. */
const exploreAll = async (setup: TrialSetup, order: Order): Promise<number> => {
  const { io } = setup;
  const { jobs, repeat, timeoutMs, wasFailing, repeated, files } = order;
  const first = await tryOnce(setup, undefined, timeoutMs ?? FIRST_TIMEOUT_MS);
  if (setup.ended.aborted) return INTERRUPTED;
  if (first.exitCode !== 0 || first.isTimedOut) {
    io.out(first.output);
    const ended = first.isTimedOut ? "did not end in time" : `ended with ${first.exitCode}`;
    io.err(`The command ${ended} without a failure of the network. It has to pass first.`);
    return first.isTimedOut ? TIMED_OUT : first.exitCode;
  }
  const plan = planOf(setup, order, first);
  const guessMs = (runs: readonly Failure[]): number => durationOf(runs, first.ms, jobs) * repeat;
  const telling = tellRuns(io, process.stderr.isTTY, plan.length, exploredOf(plan, []), guessMs(plan));
  let retried = 0;
  const { result, error } = await explore(
    {
      setup,
      plan,
      jobs,
      repeat,
      guessMs,
      timeoutMs: timeoutMs ?? Math.max(LEAST_TIMEOUT_MS, 3 * first.ms),
      withFilms: files.out !== undefined,
      options: repeated,
      isKnown: ({ step, kind }) => wasFailing.has(`${step.name}:${kind}`),
    },
    {
      tried: (trial) => {
        if (isRetried(first, trial)) retried += 1;
      },
      ended: async (run, trial, ...rest) => {
        telling.ended(run, ...rest);
        if (files.out !== undefined) await writeFailure(files.out, run, trial);
      },
    },
  ).finally(telling.over);
  await report(io, result, runNotices(result.runs, retried), order);
  if (error !== undefined) throw error;
  if (setup.ended.aborted) return INTERRUPTED;
  if (result.runs.every((run) => run.result === "missed")) {
    io.err("No run tested anything: does the command keep a login from an earlier run?");
    return NOTHING_TESTED;
  }
  return newFailures(result).length === 0 ? 0 : 1;
};

/**
 * Runs a command once without a failure, then once for each step of its login and each kind of failure.
 * @returns 0 if all passed or are known, 1 for a new failure, 2 if nothing was tested, 130 when it was interrupted, the
 * command's own status if it fails without a failure. @throws CommandError if an option is wrong, or a file cannot be read
 * or written, or a port stays taken.
 */
export const exploreCommand =
  (version: string) =>
  async (io: Io, ended: AbortSignal, words: readonly string[], options: ExploreOptions): Promise<number> => {
    if (options.guard === true) return await guard(words[0] ?? "", process.stdin);
    const order = await orderOf(io, words, options);
    const { fixtures, map, rest, country, encoding, adminPort, authPort, consolePort, import: state } = options;
    const start = {
      ...given({ fixtures, map, rest, country, encoding, adminPort, authPort, consolePort }),
      tls: undefined,
    };
    const folder = await mkdtemp(join(tmpdir(), "stagedoor-explore-"));
    const stopGuard = startGuard(folder);
    const setup = { version, words, start, import: state, atMs: Date.now(), ended, io, folder };
    try {
      await writeHooks(folder);
      const { only, timeoutMs } = order;
      if (only !== undefined) return await runOnly(setup, only, timeoutMs ?? FIRST_TIMEOUT_MS);
      return await exploreAll(setup, order);
    } finally {
      await stopGuard();
    }
  };

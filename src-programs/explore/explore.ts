/** Runs the program with one failure after the other. */

import { joinSignals } from "#client/signals.ts";
import { givesSession } from "#contract/control/login-end.ts";
import { type Explored, type ExploredRun, isFailure, KIND_NAMES, type Kind } from "#contract/documents/explorations.ts";
import { plainWord } from "#contract/words/shell-words.ts";
import type { Failure } from "./steps.ts";
import { type Trial, type TrialSetup, tryOnce } from "./trial.ts";

/** @returns the command that repeats a run. @param options those of the exploration that matter. */
const repeatOf = ({ words }: TrialSetup, { step, kind }: Failure, options: readonly string[]): string => {
  const all = ["stagedoor", "explore", ...options, "--only", `${step.name}:${kind}`, "--", ...words];
  return all.map((word) => plainWord(word, process.platform)).join(" ");
};

/** @returns the result of a run. */
export const resultOf = ({ met, isTimedOut, exitCode }: Trial): ExploredRun["result"] => {
  if (met === undefined) return "missed";
  if (isTimedOut) return "timedOut";
  return exitCode === 0 ? "passed" : "failed";
};

/** @returns what a run means. */
const runOf = (failure: Failure, trial: Trial, repeat: string, known: boolean): ExploredRun => {
  const { exitCode, ms, met, film } = trial;
  const to = met?.login?.to;
  // Not what other logins of the same run did.
  const rows = trial.rows.filter(({ login }) => to === undefined || login === null || login.to === to);
  const later = met === undefined ? [] : rows.slice(rows.findLastIndex(({ fault }) => fault === met.fault) + 1);
  const ofSession = rows.filter(({ path }) => path.startsWith("/v1/users/session"));
  const made = ofSession.filter(({ carriedOut }) => givesSession(carriedOut ?? { status: 0, reason: null }));
  const repetitions = rows.filter(({ repeats }) => repeats !== null);
  const own = later.filter(({ repeats }) => repeats === null);
  const last = own.at(-1) ?? repetitions.at(-1);
  return {
    step: failure.step.name,
    kind: failure.kind,
    result: resultOf(trial),
    known,
    exitCode,
    ms,
    after: {
      requests: own.length,
      // With `twice` one is the failure itself.
      repetitions: Math.max(0, repetitions.length - (failure.kind === "twice" ? 1 : 0)),
      lastStatus: last?.status ?? null,
      lastReason: last?.reason ?? null,
    },
    left: {
      usedCodes: made.filter(({ method }) => method === "PUT").length,
      lostSessions: made.length,
      signedIn: ofSession.some(givesSession),
    },
    repeat,
    ...(film === undefined ? {} : { film }),
  };
};

/** @returns the first that failed, else that passed, with how many passed of those that tested something. */
const joined = (runs: readonly [ExploredRun, ...ExploredRun[]]): ExploredRun => {
  const passed = runs.filter(({ result }) => result === "passed");
  const run = runs.find(isFailure) ?? passed[0] ?? runs[0];
  const of = runs.filter(({ result }) => result !== "missed").length;
  return runs.length === 1 ? run : { ...run, tries: { passed: passed.length, of } };
};

/** How an exploration is told about while it runs. */
export interface Watcher {
  /** A cell has ended. @param done the cells so far, in the order of the plan. @param leftMs about. */
  ended(run: ExploredRun, trial: Trial, done: Explored, leftMs: number): Promise<void>;
  tried(trial: Trial): void;
}

/** @see explore */
export interface Exploration {
  readonly setup: TrialSetup;
  readonly plan: readonly Failure[];
  readonly timeoutMs: number;
  readonly jobs: number;
  readonly repeat: number;
  /** What each takes, at a guess, in milliseconds. */
  readonly guessMs: (runs: readonly Failure[]) => number;
  readonly withFilms: boolean;
  /** Options of the command that repeats a run. */
  readonly options: readonly string[];
  /** What failed before and is no failure now. */
  readonly isKnown: (failure: Failure) => boolean;
}

/** @returns what there is of a matrix, its rows and columns in order. */
export const exploredOf = (plan: readonly Failure[], runs: readonly (ExploredRun | undefined)[]): Explored => {
  const kinds: readonly Kind[] = KIND_NAMES.filter((kind) => plan.some((one) => one.kind === kind));
  const all = runs.filter((run) => run !== undefined);
  const steps = [...new Set(plan.map(({ step }) => step.name))];
  const rank = (run: ExploredRun): number => steps.indexOf(run.step) * KIND_NAMES.length + KIND_NAMES.indexOf(run.kind);
  return { version: 1, steps, kinds: [...kinds], runs: all.toSorted((a, b) => rank(a) - rank(b)) };
};

/** Tries each failure. Ends early with the signal of its setup. @returns what is known then, and what stopped it. */
export const explore = async (
  order: Exploration,
  watcher: Watcher,
): Promise<{ readonly result: Explored; readonly error: unknown }> => {
  const { plan, timeoutMs, jobs, repeat, withFilms, options, isKnown, guessMs } = order;
  const runs: (ExploredRun | undefined)[] = plan.map(() => undefined);
  const beganMs = performance.now();
  const stopped = new AbortController();
  const { signal, release } = joinSignals([order.setup.ended, stopped.signal]);
  const setup = { ...order.setup, ended: signal };
  let next = 0;
  const ended: Failure[] = [];
  const tryAll = async (failure: Failure): Promise<readonly [ExploredRun, Trial] | undefined> => {
    const tries: [ExploredRun, Trial][] = [];
    for (let n = 0; n < repeat; n++) {
      const trial = await tryOnce(setup, failure, timeoutMs, { withFilm: withFilms });
      // What was cut short says nothing.
      if (signal.aborted) return undefined;
      watcher.tried(trial);
      tries.push([runOf(failure, trial, repeatOf(setup, failure, options), isKnown(failure)), trial]);
    }
    const [first, ...rest] = tries;
    if (first === undefined) return undefined;
    const run = joined([first[0], ...rest.map(([one]) => one)]);
    return [run, tries.find(([one]) => one.result === run.result)?.[1] ?? first[1]];
  };
  const work = async (): Promise<void> => {
    while (next < plan.length && !signal.aborted) {
      const at = next++;
      const failure = plan[at];
      const tried = failure && (await tryAll(failure));
      if (failure === undefined || tried === undefined) return;
      const [run, trial] = tried;
      runs[at] = run;
      ended.push(failure);
      // What is left takes as much longer than guessed as what has ended.
      const left = guessMs(plan.filter((one) => !ended.includes(one)));
      const leftMs = (left * (performance.now() - beganMs)) / guessMs(ended);
      await watcher.ended(run, trial, exploredOf(plan, runs), leftMs);
    }
  };
  let error: unknown;
  const stop = (reason: unknown): void => {
    error ??= reason;
    stopped.abort();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, plan.length) }, () => work().catch(stop)));
  release();
  return { result: exploredOf(plan, runs), error };
};

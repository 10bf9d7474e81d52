/** Runs the program with one failure after the other. */

import { givesSession } from "#contract/control/logins.ts";
import { type Explored, type ExploredRun, KIND_NAMES, type Kind } from "#contract/documents/explorations.ts";
import { plainWord } from "#contract/words/shell-words.ts";
import { type Failure, type Trial, type TrialSetup, tryOnce } from "./trial.ts";

/** @returns the command that repeats a run. @param options those of the exploration that matter. */
const repeatOf = ({ words }: TrialSetup, { step, kind }: Failure, options: readonly string[]): string => {
  const all = ["stagedoor", "explore", ...options, "--only", `${step.name}:${kind}`, "--", ...words];
  return all.map((word) => plainWord(word, process.platform)).join(" ");
};

/** @returns what a run means. */
const runOf = (
  failure: Failure,
  { exitCode, isTimedOut, ms, rows, met, film }: Trial,
  repeat: string,
  known: boolean,
): ExploredRun => {
  const later = met === undefined ? [] : rows.slice(rows.findLastIndex(({ fault }) => fault === met.fault) + 1);
  const lost = rows.filter(
    ({ carriedOut, path }) => (carriedOut ?? null) !== null && path.startsWith("/v1/users/session"),
  );
  const made = lost.filter(({ carriedOut }) => givesSession(carriedOut ?? { status: 0, reason: null }));
  return {
    step: failure.step.name,
    kind: failure.kind,
    result: isTimedOut ? "timedOut" : exitCode === 0 ? "passed" : "failed",
    known,
    exitCode,
    ms,
    after: { requests: later.length, lastStatus: later.at(-1)?.status ?? null },
    left: { usedCodes: made.filter(({ method }) => method === "PUT").length, lostSessions: made.length },
    repeat,
    ...(film === undefined ? {} : { film }),
  };
};

/** How an exploration is told about while it runs. */
export interface Watcher {
  /** A run has ended. @param done the runs so far, in the order of the plan. @param leftMs about. */
  ended(run: ExploredRun, trial: Trial, done: Explored, leftMs: number): Promise<void>;
}

/** @see explore */
export interface Exploration {
  readonly setup: TrialSetup;
  readonly plan: readonly Failure[];
  readonly timeoutMs: number;
  readonly jobs: number;
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

/** Tries each failure once. Ends early with the signal of its setup. @returns what is known then. */
export const explore = async (order: Exploration, watcher: Watcher): Promise<Explored> => {
  const { setup, plan, timeoutMs, jobs, withFilms, options, isKnown } = order;
  const runs: (ExploredRun | undefined)[] = plan.map(() => undefined);
  const beganMs = performance.now();
  let [next, ended] = [0, 0];
  const work = async (): Promise<void> => {
    while (next < plan.length && !setup.ended.aborted) {
      const at = next++;
      const failure = plan[at];
      if (failure === undefined) return;
      const trial = await tryOnce(setup, failure, timeoutMs, { withFilm: withFilms });
      // What was cut short says nothing.
      if (setup.ended.aborted) return;
      const run = runOf(failure, trial, repeatOf(setup, failure, options), isKnown(failure));
      runs[at] = run;
      ended += 1;
      const leftMs = ((performance.now() - beganMs) / ended) * (plan.length - ended);
      await watcher.ended(run, trial, exploredOf(plan, runs), leftMs);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, plan.length) }, work));
  return exploredOf(plan, runs);
};

/** What is said while an exploration runs: on a terminal the matrix fills, otherwise each run has a line. */
import { cellText, type Explored, type ExploredRun, matrixLines } from "#contract/documents/explorations.ts";
import { lengthWords } from "#contract/words/words.ts";
import type { Io } from "#server/plumbing/io.ts";

/** How it is told about runs. */
export interface Telling {
  /** @see Watcher */
  ended(run: ExploredRun, done: Explored, leftMs: number): void;
  /** All have ended, or it was interrupted. */
  over(): void;
}

const SECOND_MS = 1_000;
const leftWords = (ms: number): string => lengthWords(Math.max(1, Math.ceil(ms / SECOND_MS)));
const numberWords = (done: Explored, count: number): string => `${done.runs.length} of ${count}`;

/** @returns the matrix with the time that is left, which goes on between runs. @param first what is shown before the first run has ended. */
const onTerminal = (io: Pick<Io, "progress">, count: number, first: Explored, aboutMs: number): Telling => {
  let [done, leftMs] = [first, aboutMs];
  const show = (): void => {
    io.progress([...matrixLines(done), `${numberWords(done, count)}, about ${leftWords(leftMs)} left`].join("\n"));
  };
  const timer = setInterval(() => {
    leftMs -= SECOND_MS;
    show();
  }, SECOND_MS);
  show();
  return {
    ended: (_run, now, left) => {
      [done, leftMs] = [now, left];
      show();
    },
    over: () => {
      clearInterval(timer);
      io.progress("");
    },
  };
};

const inLines = (io: Pick<Io, "err">, count: number): Telling => ({
  ended: (run, done, leftMs) => {
    const missed = run.result === "missed" ? ": did not come" : "";
    const left = done.runs.length === count ? "" : `, about ${leftWords(leftMs)} left`;
    const seconds = (run.ms / SECOND_MS).toFixed(1);
    io.err(`${numberWords(done, count)}  ${cellText(run)} ${run.step}, ${run.kind} (${seconds} s)${missed}${left}`);
  },
  over: () => undefined,
});

/** @param first the matrix before its first run. @param aboutMs how long all runs take. @returns what tells of runs. */
export const tellRuns = (
  io: Pick<Io, "progress" | "err">,
  isTerminal: boolean,
  count: number,
  first: Explored,
  aboutMs: number,
): Telling => (isTerminal ? onTerminal(io, count, first, aboutMs) : inLines(io, count));

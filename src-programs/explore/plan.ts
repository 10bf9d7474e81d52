/** Which failures an exploration tries, and in which order. */
import type { Kind } from "#contract/documents/explorations.ts";
import { KINDS, rankOf } from "./kinds.ts";
import { kindsOf, type SeenStep } from "./steps.ts";
import type { Failure } from "./trial.ts";

/** What a run costs next to the program itself, in milliseconds: a start and a stop of Stagedoor. */
const BESIDE_MS = 400;

/** @returns each step with each kind that it can have, in the order of the matrix. */
export const failuresOf = (steps: readonly SeenStep[], wanted: readonly Kind[]): readonly Failure[] =>
  steps.flatMap((step) => kindsOf(step, wanted).map((kind) => ({ step, kind })));

const waitOf = (kind: Kind): number => {
  const { delayMs = 0, deliverAfterMs = 0 } = KINDS[kind].effect;
  return typeof delayMs === "number" && typeof deliverAfterMs === "number" ? delayMs + deliverAfterMs : 0;
};

/** @returns how long these runs take, in milliseconds. @param eachMs what the program takes without a failure. */
export const durationOf = (runs: readonly Failure[], eachMs: number, jobs: number): number =>
  runs.reduce((ms, { kind }) => ms + eachMs + BESIDE_MS + waitOf(kind), 0) / Math.min(jobs, Math.max(1, runs.length));

/** @returns as many as fit, the most telling first. @param mostMs absent: no limit. */
export const fitting = (
  all: readonly Failure[],
  eachMs: number,
  jobs: number,
  mostMs: number | undefined,
): readonly Failure[] => {
  if (mostMs === undefined) return all;
  const count = Math.max(1, Math.floor(mostMs / (eachMs + BESIDE_MS)) * jobs);
  return all.length <= count ? all : all.toSorted((a, b) => rankOf(a.kind) - rankOf(b.kind)).slice(0, count);
};

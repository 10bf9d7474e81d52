/** Runs long work in slices of a few milliseconds, so that requests are answered in between. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Steps } from "#domain/steps.ts";

/** Maximum duration of a slice in milliseconds, but for one step. */
const SLICE_MS = 5;

/** @returns the result of the work. */
export const inSlices = async <T>(steps: Steps<T>): Promise<T> => {
  let endMs = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < endMs) continue;
    await nextTurn();
    endMs = performance.now() + SLICE_MS;
  }
};

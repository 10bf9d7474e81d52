import { setImmediate as nextTurn } from "node:timers/promises";
import { type Steps, workInSlices } from "#contract/steps.ts";

/** @returns the result of the work, done in slices of a few milliseconds, so that requests are answered in between. */
export const inSlices = <T>(steps: Steps<T>): Promise<T> => workInSlices(steps, nextTurn, () => performance.now());

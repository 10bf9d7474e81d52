/** Forces garbage collections, to see whether something is held that somebody still waits for. */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Begins a wait, and collects garbage meanwhile. @param hasArrived what has to be so first. @returns what ends the wait. */
export const amidGarbage = async <T>(
  waiting: Promise<T>,
  hasArrived: () => boolean = () => true,
): Promise<() => Promise<T>> => {
  await expect.poll(hasArrived).toBe(true);
  await collectGarbage();
  return () => waiting;
};

/** Collects all garbage, three times over: what a finalizer lets go is garbage of the next turn. */
export const collectGarbage = async (): Promise<void> => {
  for (let time = 0; time < 3; time++) {
    collect();
    await setImmediate();
  }
};

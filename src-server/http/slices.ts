/** Processes long lists in slices of a few milliseconds, so that other requests run in between. */
import { setImmediate as pause } from "node:timers/promises";

/** Records per slice. */
const SLICE = 1_000;

/** @returns the matching entries, in order. The list must not change meanwhile. */
export const filterInSlices = async <T>(list: readonly T[], fits: (entry: T) => boolean): Promise<T[]> => {
  const found: T[] = [];
  for (let start = 0; start < list.length; start += SLICE) {
    if (start > 0) await pause();
    for (let i = start; i < Math.min(start + SLICE, list.length); i++) {
      const entry = list[i];
      if (entry !== undefined && fits(entry)) found.push(entry);
    }
  }
  return found;
};

/** Maximum duration of a slice in milliseconds, so that several in a row still leave time for others. */
const SLICE_MS = 4;

/**
 * Calls a function for each entry, in order, as entries are produced; their costs may vary widely.
 * @param monotonic milliseconds on a monotonic clock.
 */
export const forEachInSlices = async <T>(
  entries: Iterable<T>,
  monotonic: () => number,
  action: (entry: T) => void,
): Promise<void> => {
  let endMs = monotonic() + SLICE_MS;
  for (const entry of entries) {
    action(entry);
    if (monotonic() < endMs) continue;
    await pause();
    endMs = monotonic() + SLICE_MS;
  }
};

const mergeInSlices = async <T>(a: readonly T[], b: readonly T[], compare: (x: T, y: T) => number): Promise<T[]> => {
  const merged: T[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [x, y] = [a[i], b[j]];
    if (y === undefined || (x !== undefined && compare(x, y) <= 0)) {
      if (x !== undefined) merged.push(x);
      i++;
    } else {
      merged.push(y);
      j++;
    }
    if (merged.length % (10 * SLICE) === 0) await pause();
  }
  return merged;
};

/** @returns the list sorted, stably: sorts runs, then merges them. */
export const sortInSlices = async <T>(list: readonly T[], compare: (x: T, y: T) => number): Promise<T[]> => {
  let runs: T[][] = [];
  for (let start = 0; start < list.length; start += 2 * SLICE) {
    if (start > 0) await pause();
    runs.push(list.slice(start, start + 2 * SLICE).sort(compare));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(await mergeInSlices(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
};

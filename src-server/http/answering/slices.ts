/** Processes long lists in slices of a few milliseconds, so that other requests run in between. */
import { setImmediate as pause } from "node:timers/promises";
import type { Steps } from "#domain/steps.ts";

/** Maximum duration of a slice in milliseconds, so that several in a row still leave time for others. */
const SLICE_MS = 4;

/**
 * Calls a function for each entry, in order, as entries are produced; their costs may vary widely. What it returns is
 * waited for.
 * @param monotonic milliseconds on a monotonic clock.
 */
export const forEachInSlices = async <T>(
  entries: Iterable<T>,
  monotonic: () => number,
  action: (entry: T) => Promise<void> | undefined | void,
): Promise<void> => {
  let endMs = monotonic() + SLICE_MS;
  for (const entry of entries) {
    const until = action(entry);
    if (until !== undefined) await until;
    else if (monotonic() < endMs) continue;
    else await pause();
    endMs = monotonic() + SLICE_MS;
  }
};

/** @returns the result of work in steps. */
export const finishInSlices = async <T>(steps: Steps<T>, monotonic: () => number): Promise<T> => {
  let endMs = monotonic() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (monotonic() < endMs) continue;
    await pause();
    endMs = monotonic() + SLICE_MS;
  }
};

/** @param levels whose entries are texts of their own. @returns the text of a value, piece by piece. */
export function* jsonPieces(value: unknown, levels: number): Generator<string> {
  if (levels === 0 || typeof value !== "object" || value === null) {
    yield JSON.stringify(value) ?? "null";
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? "[" : "{";
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined && !isList) continue;
    yield isList ? before : `${before}${JSON.stringify(key)}:`;
    yield* jsonPieces(inner, levels - 1);
    before = ",";
  }
  yield `${before === "," ? "" : before}${isList ? "]" : "}"}`;
}

/** Records that are sorted at once, and records merged between two pauses. */
const RUN = 2_000;
const MERGED = 10_000;

const mergeInSlices = async <T>(a: readonly T[], b: readonly T[], compare: (x: T, y: T) => number): Promise<T[]> => {
  const merged: T[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const x = a[i];
    const y = b[j];
    const next = y === undefined || (x !== undefined && compare(x, y) <= 0) ? a[i++] : b[j++];
    if (next !== undefined) merged.push(next);
    if (merged.length % MERGED === 0) await pause();
  }
  return merged;
};

/** @returns the list sorted, stably: sorts runs, then merges them. */
export const sortInSlices = async <T>(list: readonly T[], compare: (x: T, y: T) => number): Promise<T[]> => {
  let runs: T[][] = [];
  for (let start = 0; start < list.length; start += RUN) {
    if (start > 0) await pause();
    runs.push(list.slice(start, start + RUN).sort(compare));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(await mergeInSlices(runs[i] ?? [], runs[i + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
};

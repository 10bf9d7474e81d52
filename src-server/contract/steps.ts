/** Long work in steps, between which others can run. */

/** Work that stops after each step. */
export type Steps<T> = Generator<undefined, T>;

/** Records of a step. */
const STEP = 64;

/** @returns whether some entry of a list is so; those after it are not looked at. */
export function* someInSteps<T>(list: Iterable<T>, is: (entry: T, place: number) => boolean): Steps<boolean> {
  let place = 0;
  for (const entry of list) {
    if (is(entry, place)) return true;
    place += 1;
    if (place % STEP === 0) yield undefined;
  }
  return false;
}

/** Does something with each entry of a list, in order. */
export function* inSteps<T>(list: Iterable<T>, each: (entry: T, place: number) => void): Steps<void> {
  yield* someInSteps(list, (entry, place) => {
    each(entry, place);
    return false;
  });
}

/** @returns what becomes of each entry of a list. */
export function* mapInSteps<T, R>(list: Iterable<T>, map: (entry: T) => R): Steps<R[]> {
  const mapped: R[] = [];
  yield* inSteps(list, (entry) => mapped.push(map(entry)));
  return mapped;
}

/** @returns the result, after all steps at once. */
export const finish = <T>(steps: Steps<T>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

/** Maximum duration of a slice in milliseconds, but for one step. */
const SLICE_MS = 4;

/**
 * Does the work in slices of a few milliseconds, so that requests are answered in between.
 * @param pause resolves after others have had their turn. @param monotonic milliseconds on a monotonic clock.
 */
export const workInSlices = async <T>(
  steps: Steps<T>,
  pause: () => Promise<unknown>,
  monotonic: () => number,
): Promise<T> => {
  let endMs = monotonic() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (monotonic() < endMs) continue;
    await pause();
    endMs = monotonic() + SLICE_MS;
  }
};

/** Records that are sorted at once. */
const RUN = 2_000;

function* merge<T>(a: readonly T[], b: readonly T[], compare: (x: T, y: T) => number): Steps<T[]> {
  const merged: T[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const x = a[i];
    const y = b[j];
    const next = y === undefined || (x !== undefined && compare(x, y) <= 0) ? a[i++] : b[j++];
    if (next !== undefined) merged.push(next);
    if (merged.length % STEP === 0) yield undefined;
  }
  return merged;
}

/** @returns the list sorted, stably: sorts runs, then merges them. */
export function* sortInSteps<T>(list: readonly T[], compare: (x: T, y: T) => number): Steps<T[]> {
  if (list.length <= RUN) return list.toSorted(compare);
  const middle = list.length >> 1;
  const first = yield* sortInSteps(list.slice(0, middle), compare);
  yield undefined;
  const second = yield* sortInSteps(list.slice(middle), compare);
  return yield* merge(first, second, compare);
}

/** Long work in steps, between which others can run. */

/** Work that stops after each step. */
export type Steps<T> = Generator<undefined, T>;

/** Records of a step. */
const STEP = 64;

/** Does something with each entry of a list, in order. */
export function* inSteps<T>(list: Iterable<T>, each: (entry: T, place: number) => void): Steps<void> {
  let place = 0;
  for (const entry of list) {
    each(entry, place);
    place += 1;
    if (place % STEP === 0) yield undefined;
  }
}

/** Like `inSteps`, for entries that can be long work themselves. */
export function* inNestedSteps<T>(list: Iterable<T>, each: (entry: T) => Steps<void> | undefined): Steps<void> {
  let place = 0;
  for (const entry of list) {
    const steps = each(entry);
    if (steps !== undefined) yield* steps;
    place += 1;
    if (place % STEP === 0) yield undefined;
  }
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

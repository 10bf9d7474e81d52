/** Work on long lists yields to other requests. */
import { expect, test } from "vitest";
import { forEachInSlices, sortInSlices } from "#http/answering/slices.ts";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => (n * 7_919) % count);

/** @returns the result of the work, and how often the event loop ran meanwhile. */
const withTurns = async <T>(work: Promise<T>): Promise<{ result: T; turns: number }> => {
  let turns = 0;
  let next: NodeJS.Immediate;
  const turn = (): void => {
    turns++;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  const result = await work;
  clearImmediate(next);
  return { result, turns };
};

test("a sort pauses every 2,000 records, and while merging", async () => {
  const list = numbers(20_000);
  const { result, turns } = await withTurns(sortInSlices(list, (a, b) => a - b));
  expect(result).toEqual(list.toSorted((a, b) => a - b));
  // Ten runs to sort, then three pauses while merging.
  expect(turns).toBeGreaterThanOrEqual(10);
});

test("entries are processed for 4 ms at a time", async () => {
  let ms = 0;
  const seen: number[] = [];
  const action = (n: number): void => {
    seen.push(n);
    ms += 1;
  };
  const { turns } = await withTurns(forEachInSlices(numbers(40), () => ms, action));
  expect(seen).toEqual(numbers(40));
  expect(turns).toBeGreaterThanOrEqual(8);
});

/** Work on long lists yields to others. */
import { expect, test } from "vitest";
import { inSteps, sortInSteps, workInSlices } from "#contract/steps.ts";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => (n * 7_919) % count);

test("a sort pauses between its runs, and while merging, and is stable", () => {
  const list = numbers(20_000).map((n) => ({ n, tens: n % 10 }));
  const steps = sortInSteps(list, (a, b) => a.tens - b.tens);
  let pauses = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) pauses += 1;
  expect(step.value).toEqual(list.toSorted((a, b) => a.tens - b.tens));
  expect(pauses).toBeGreaterThan(1_000);
});

test("work goes on for 4 ms at a time", async () => {
  let ms = 0;
  let pauses = 0;
  const seen: number[] = [];
  const work = inSteps(numbers(640), (n) => {
    seen.push(n);
    ms += 1 / 64;
  });
  const pause = async () => {
    pauses += 1;
  };
  await workInSlices(work, pause, () => ms);
  expect(seen).toEqual(numbers(640));
  expect(pauses).toBe(2);
});

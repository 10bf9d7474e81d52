/** CONTRACT 30: memory returns to the system after apps of the join token have gone. */
import { expect, test } from "vitest";
import type { ChangeListener } from "#domain/store.ts";
import { giveBack } from "#server/boot/give-back.ts";

const MIB = 1_048_576;

/** What listens to a store, timers that a test runs out, and how often garbage was collected. */
const watched = (heapMib: number) => {
  let tell: ChangeListener = () => undefined;
  const timers = new Set<() => void>();
  let collected = 0;
  const stop = giveBack(
    {
      watch: (listener) => {
        tell = listener;
        return () => {
          tell = () => undefined;
        };
      },
    },
    {
      later: (_, action) => {
        timers.add(action);
        return () => void timers.delete(action);
      },
      heap: () => heapMib * MIB,
      collect: async () => {
        collected += 1;
      },
    },
  );
  const passTime = () => {
    for (const timer of [...timers]) timer();
    timers.clear();
  };
  const remove = (appId: string) => tell([{ seq: 1, change: { remove: "app", appId } }]);
  return { remove, passTime, stop, collected: () => collected, timers };
};

test("once, some time after the last app of several has gone", () => {
  const { remove, passTime, collected, timers } = watched(600);
  for (const appId of ["a", "b", "c"]) remove(appId);
  expect([timers.size, collected()]).toEqual([1, 0]);
  passTime();
  expect(collected()).toBe(1);
});

test("not while the heap is small, and not after the end", () => {
  const small = watched(100);
  small.remove("a");
  small.passTime();
  const ended = watched(600);
  ended.remove("a");
  ended.stop();
  ended.passTime();
  ended.remove("b");
  expect([small.collected(), ended.collected(), ended.timers.size]).toEqual([0, 0, 0]);
});

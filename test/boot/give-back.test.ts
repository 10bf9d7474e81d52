/** Memory returns to the system after apps of the join token have gone. */
import { expect, test } from "vitest";
import type { ChangeListener } from "#domain/store.ts";
import { giveBack } from "#server/boot/give-back.ts";

const MIB = 1_048_576;

/** What listens to a store, timers that a test runs out, how often garbage was collected, and the heap, 50 MiB at first. */
const watched = () => {
  let heapMib = 50;
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
  const grow = (mib: number) => {
    heapMib = mib;
  };
  return { remove, passTime, stop, grow, collected: () => collected, timers };
};

test("once, some time after the last app of several has gone", () => {
  const { remove, passTime, grow, collected, timers } = watched();
  grow(200);
  for (const appId of ["a", "b", "c"]) remove(appId);
  expect([timers.size, collected()]).toEqual([1, 0]);
  passTime();
  expect(collected()).toBe(1);
});

test("not before the heap has grown by much since the last time, and not after the end", async () => {
  const { remove, passTime, grow, collected, timers, stop } = watched();
  const goes = async (mib: number) => {
    grow(mib);
    remove("a");
    passTime();
    await Promise.resolve();
    return collected();
  };
  expect([await goes(140), await goes(150), await goes(160), await goes(200), await goes(250)]).toEqual([
    0, 1, 1, 1, 2,
  ]);
  remove("b");
  stop();
  passTime();
  remove("c");
  expect([collected(), timers.size]).toEqual([2, 0]);
});

/** Gives memory back to the system after apps of the join token have gone: V8 keeps it until something else needs it. */
import type { Store } from "#domain/store.ts";
import { type Later, realLater } from "#store/failure.ts";
import { collectGarbage } from "./collect-garbage.ts";

/** How long after the last one, in milliseconds: they often go together. */
const QUIET_MS = 5_000;
/** By so many bytes the heap must have grown since the last time: a collection holds everybody for a moment. */
const WORTH = 96 * 1_048_576;

/** What it needs, as tests give it. */
interface Parts {
  readonly later?: Later;
  /** The bytes that the heap takes of the system. */
  readonly heap?: () => number;
  readonly collect?: () => Promise<void>;
}

/** From now on. @param store whose apps go. @returns ends it. */
export const giveBack = (
  store: Pick<Store, "watch">,
  { later = realLater, heap = () => process.memoryUsage().heapTotal, collect = collectGarbage }: Parts = {},
): (() => void) => {
  let cancel: (() => void) | undefined;
  let before = heap();
  const free = async (): Promise<void> => {
    await collect();
    before = heap();
  };
  const stop = store.watch((changes) => {
    if (!changes.some(({ change }) => "remove" in change && change.remove === "app")) return;
    cancel?.();
    cancel = later(QUIET_MS, () => {
      cancel = undefined;
      if (heap() >= before + WORTH) void free();
    });
  }, true);
  return () => {
    stop();
    cancel?.();
  };
};

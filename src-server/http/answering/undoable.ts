/** Transactions in slices that say beforehand whether the timeline can hold them. */

import type { Steps } from "#contract/steps.ts";
import type { Decision } from "#domain/decision.ts";
import { loadsIn } from "#domain/history/memory.ts";
import type { Cause, Store } from "#domain/store.ts";
import type { World } from "#domain/world.ts";
import { settled } from "../lookups/select.ts";

/** What a transaction did. `undoable` is there only if it cannot be undone, because it replaces too much. */
export interface Undoable<T> {
  readonly value: T;
  readonly told: { readonly undoable?: false };
}

/** Makes a transaction in slices, or only tries it: then nothing changes. @throws Refusal as the rule decides */
export const transactUndoable = async <T>(
  store: Store,
  rule: (world: World) => Steps<Decision<T>>,
  cause: Cause | undefined,
  isTrial: boolean,
): Promise<Undoable<T>> => {
  let isUndoable = true;
  const decide = function* (world: World): Steps<Decision<T>> {
    const decided = yield* rule(world);
    if ("problem" in decided) return decided;
    isUndoable = store.history.holds(loadsIn(world, decided.changes));
    return isTrial ? { value: decided.value, changes: [], ...(decided.notes && { notes: decided.notes }) } : decided;
  };
  const value = settled(await store.transactInSteps(decide, cause));
  return { value, told: isUndoable ? {} : { undoable: false } };
};

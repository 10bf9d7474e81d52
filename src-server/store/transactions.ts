/** The path of a change: the rule decides, the keeper writes, the world is updated, the listeners are called. */
import type { Low } from "lowdb";
import type { Problem } from "#contract/problems.ts";
import type { Change, Decision } from "#domain/decision.ts";
import { stepped } from "#domain/deterministic.ts";
import { referencesOf } from "#domain/history/moment.ts";
import type { Committed, Listener, Outcome } from "#domain/store.ts";
import type { World } from "#domain/world.ts";
import { copyOf, type StoreDocument } from "./document/document.ts";
import { errorText } from "./failure.ts";
import { preflight, WorldIndex } from "./index/indexes.ts";

const add = (listeners: Set<Listener>, listener: Listener): (() => void) => {
  // A separate object per call, because the same function can subscribe twice.
  const entry: Listener = (changes) => listener(changes);
  listeners.add(entry);
  return () => void listeners.delete(entry);
};

/**
 * Calls watchers immediately and subscribers once it is durable, in order even if a listener starts a transaction.
 * @param onError gets what a listener threw; the change is made, and the others are still called.
 */
const publisher = (durable: Keeper["durable"], onError: (error: unknown) => void) => {
  const watchers = new Set<Listener>();
  const subscribers = new Set<Listener>();
  /** Transactions that subscribers have not received yet. */
  const queue: (readonly Committed[])[] = [];
  // Transaction counts: queued, durable, delivered.
  let [queued, due, told] = [0, 0, 0];
  let isTelling = false;
  const tell = (listeners: ReadonlySet<Listener>, changes: readonly Committed[]): void => {
    for (const listener of listeners) {
      try {
        listener(changes);
      } catch (error) {
        onError(error);
      }
    }
  };
  const tellUpTo = (upTo: number): void => {
    due = Math.max(due, upTo);
    if (isTelling) return;
    isTelling = true;
    for (; told < due; told += 1) tell(subscribers, queue.shift() ?? []);
    isTelling = false;
  };
  /** Delivers what is queued once it is durable; what the disk rejected waits for the next call. */
  const release = (): void => {
    const upTo = queued;
    const waiting = durable();
    if (waiting === undefined) tellUpTo(upTo);
    else waiting.then(() => tellUpTo(upTo)).catch(() => undefined);
  };
  return {
    subscribe: (listener: Listener) => add(subscribers, listener),
    watch: (listener: Listener) => add(watchers, listener),
    release,
    /** @param first the number of the first change. */
    publish: (first: number, changes: readonly Change[]): void => {
      if (watchers.size + subscribers.size === 0) return;
      const committed = changes.map((change, place) => ({ seq: first + place, change }));
      tell(watchers, committed);
      if (subscribers.size === 0) return;
      queue.push(committed);
      queued += 1;
      release();
    },
  };
};

/** Up to this many changes are always one journal line. */
const FEW = 1_000;

/** Where changes are stored before they are applied. Both return the problem if that failed. */
export interface Keeper {
  append(first: number, changes: readonly Change[]): Problem | undefined;
  replace(document: StoreDocument): Problem | undefined;
  /** @see Store.durable */
  readonly durable: () => Promise<void> | undefined;
}

const outcomeOf = <T>(decision: Decision<T>, disk: Problem | undefined): Outcome<T> => {
  const { notes } = decision;
  const noted = notes === undefined ? {} : { notes };
  if (disk !== undefined) return { ok: false, problem: disk, ...noted };
  if ("problem" in decision) return { ok: false, problem: decision.problem, ...noted };
  return { ok: true, value: decision.value, ...noted };
};

/**
 * @param index the world of `low.data`. @param onChanged called after each transaction that changed something.
 * @returns the store's own view and transactions; `end` stops accepting changes, `release` delivers what the disk had
 * rejected, once a new document file holds it.
 */
export const transactionsOf = (
  low: Low<StoreDocument>,
  index: WorldIndex,
  keeper: Keeper,
  onNotice: (text: string) => void,
  onChanged: () => void = () => undefined,
) => {
  const { publish, release, subscribe, watch } = publisher(keeper.durable, (error) =>
    onNotice(`a listener of the store failed: ${errorText(error)}`),
  );
  let hasEnded = false;
  /** @param make stores and applies the changes; gets the number of the first. */
  const change = (changes: readonly Change[], make: (first: number) => Problem | undefined): Problem | undefined => {
    if (hasEnded) return { code: "disk_failed", instruction: "Stagedoor is stopping: nothing was changed." };
    preflight(index, changes);
    const first = index.seq + 1;
    const problem = make(first);
    if (problem !== undefined) return problem;
    onChanged();
    publish(first, changes);
    return undefined;
  };
  const settle = <T>(decision: Decision<T>): Outcome<T> => {
    const { changes = [] } = decision;
    if (changes.length === 0) return outcomeOf(decision, undefined);
    const problem = change(changes, (first) => {
      const refused = keeper.append(first, changes);
      if (refused === undefined) index.applyAll(changes, first);
      return refused;
    });
    return outcomeOf(decision, problem);
  };
  /** Builds the new world beside the old one, which stays untouched until the new one is stored. */
  const replace = (changes: readonly Change[], fixtures: readonly string[] | undefined): Problem | undefined =>
    change(changes, (first) => {
      const next = new WorldIndex(copyOf(index.document));
      next.applyAll(changes, first);
      if (fixtures !== undefined) next.document.fixtures = [...fixtures];
      const flaw = next.flaw();
      if (flaw !== undefined) throw new Error(`A rule made a world that does not hold together: ${flaw.message}`);
      const refused = keeper.replace(next.document);
      if (refused !== undefined) return refused;
      index.become(next);
      low.data = next.document;
      return undefined;
    });
  const settleBulk = <T>(decision: Decision<T>, fixtures: readonly string[] | undefined): Outcome<T> => {
    const { changes = [] } = decision;
    if ("problem" in decision || (changes.length === 0 && fixtures === undefined)) return settle(decision);
    // A journal line costs as much as the changes, the document file as much as the whole world. A smaller world may
    // fit on the disk where the line does not.
    const isFew = changes.length <= FEW || changes.length * 4 < referencesOf(index);
    if (isFew && fixtures === undefined) {
      const settled = settle(decision);
      if (settled.ok) return settled;
    }
    return outcomeOf(decision, replace(changes, fixtures));
  };
  const store = {
    world: index,
    get keys() {
      return [low.data.key, ...low.data.keys];
    },
    get fixtures() {
      return low.data.fixtures;
    },
    durable: keeper.durable,
    transact: <T>(rule: (world: World) => Decision<T>) => settle(stepped(index, rule(index))),
    transactBulk: <T>(rule: (world: World) => Decision<T>, fixtures?: readonly string[]) =>
      settleBulk(stepped(index, rule(index)), fixtures),
    subscribe,
    watch,
  };
  const end = (): void => {
    hasEnded = true;
  };
  return { store, release, end };
};

/** The path of a change: the rule decides, the keeper writes, the world is updated, the listeners are called. */
import type { Low } from "lowdb";
import type { Problem } from "#contract/problems.ts";
import type { Change, Decision, Notes } from "#domain/decision.ts";
import { stepped } from "#domain/deterministic.ts";
import { referencesOf } from "#domain/history/moment.ts";
import type { Committed, Listener, Outcome, Store } from "#domain/store.ts";
import type { World } from "#domain/world.ts";
import { copyOf, type StoreDocument } from "./document/document.ts";
import { errorText } from "./failure.ts";
import { preflight, WorldIndex } from "./index/indexes.ts";

/**
 * Calls listeners for each transaction, in order, even if a listener starts another one: watchers immediately,
 * subscribers once it is durable.
 */
class Publisher {
  readonly #watchers = new Set<Listener>();
  readonly #subscribers = new Set<Listener>();
  /** Transactions that subscribers have not received yet. */
  readonly #queue: (readonly Committed[])[] = [];
  readonly #durable: () => Promise<void> | undefined;
  readonly #onError: (error: unknown) => void;
  // Transaction counts: queued, durable, delivered.
  #queued = 0;
  #due = 0;
  #told = 0;
  #telling = false;

  /**
   * @param durable as `Store.durable`. @param onError called with what a listener threw; the change is made, and the
   * other listeners are still called.
   */
  constructor(durable: () => Promise<void> | undefined, onError: (error: unknown) => void) {
    this.#durable = durable;
    this.#onError = onError;
  }

  /** @returns unsubscribe. */
  subscribe(listener: Listener): () => void {
    return this.#add(this.#subscribers, listener);
  }

  /** @returns unsubscribe. */
  watch(listener: Listener): () => void {
    return this.#add(this.#watchers, listener);
  }

  /** @param first the number of the first change. */
  publish(first: number, changes: readonly Change[]): void {
    if (this.#watchers.size + this.#subscribers.size === 0) return;
    const committed = changes.map((change, place) => ({ seq: first + place, change }));
    this.#tell(this.#watchers, committed);
    if (this.#subscribers.size === 0) return;
    this.#queue.push(committed);
    this.#queued += 1;
    this.release();
  }

  /**
   * Delivers everything so far to subscribers once it is durable. What the disk rejected stays in the queue until a
   * later document file holds it, and must then be released.
   */
  release(): void {
    const upTo = this.#queued;
    const durable = this.#durable();
    if (durable === undefined) this.#tellUpTo(upTo);
    else
      durable.then(
        () => this.#tellUpTo(upTo),
        () => undefined,
      );
  }

  #add(listeners: Set<Listener>, listener: Listener): () => void {
    // A separate object per call, because the same function can subscribe twice.
    const entry: Listener = (changes) => listener(changes);
    listeners.add(entry);
    return () => void listeners.delete(entry);
  }

  #tellUpTo(upTo: number): void {
    this.#due = Math.max(this.#due, upTo);
    if (this.#telling) return;
    this.#telling = true;
    while (this.#told < this.#due) {
      const next = this.#queue.shift();
      this.#told += 1;
      if (next !== undefined) this.#tell(this.#subscribers, next);
    }
    this.#telling = false;
  }

  #tell(listeners: ReadonlySet<Listener>, changes: readonly Committed[]): void {
    for (const listener of listeners) {
      try {
        listener(changes);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

/** Up to this many changes are always one journal line. */
const FEW = 1_000;

/** Where changes are stored before they are applied. */
export interface Keeper {
  /** Stores one transaction. @returns the problem if it failed. */
  append(first: number, changes: readonly Change[]): Problem | undefined;
  /** Replaces the document. @returns the problem if it failed. */
  replace(document: StoreDocument): Problem | undefined;
  /** @see Store.durable */
  durable(): Promise<void> | undefined;
}

const withNotes = <O extends object>(outcome: O, notes: Notes | undefined): O & { notes?: Notes } =>
  notes === undefined ? outcome : { ...outcome, notes };

const outcomeOf = <T>(decision: Decision<T>, disk: Problem | undefined): Outcome<T> => {
  if (disk !== undefined) return withNotes({ ok: false, problem: disk } as const, decision.notes);
  if ("problem" in decision) return withNotes({ ok: false, problem: decision.problem } as const, decision.notes);
  return withNotes({ ok: true, value: decision.value } as const, decision.notes);
};

/** @see Store */
export class Transactions {
  readonly #low: Low<StoreDocument>;
  readonly #index: WorldIndex;
  readonly #keeper: Keeper;
  readonly #onChanged: () => void;
  readonly #publisher: Publisher;
  #ended = false;

  /** @param index the world of `low.data`. @param onChanged called after each transaction that changed something. */
  constructor(
    low: Low<StoreDocument>,
    index: WorldIndex,
    keeper: Keeper,
    onChanged: () => void,
    onNotice: (text: string) => void,
  ) {
    this.#low = low;
    this.#index = index;
    this.#keeper = keeper;
    this.#onChanged = onChanged;
    this.#publisher = new Publisher(
      () => keeper.durable(),
      (error) => onNotice(`a listener of the store failed: ${errorText(error)}`),
    );
  }

  /** @see Store.transact */
  transact<T>(rule: (world: World) => Decision<T>): Outcome<T> {
    return this.#settle(stepped(this.#index, rule(this.#index)));
  }

  /** @see Store.transactBulk */
  transactBulk<T>(rule: (world: World) => Decision<T>, fixtures?: readonly string[]): Outcome<T> {
    const decision = stepped(this.#index, rule(this.#index));
    const { changes = [] } = decision;
    if ("problem" in decision || (changes.length === 0 && fixtures === undefined)) return this.#settle(decision);
    // A journal line costs as much as the changes, the document file as much as the whole world. A smaller world may
    // fit on the disk where the line does not.
    const isFew = changes.length <= FEW || changes.length * 4 < referencesOf(this.#index);
    if (isFew && fixtures === undefined) {
      const settled = this.#settle(decision);
      if (settled.ok) return settled;
    }
    return outcomeOf(decision, this.#replace(changes, fixtures));
  }

  /** Delivers what the disk had rejected, once a new document file holds it. */
  release(): void {
    this.#publisher.release();
  }

  /** Stops accepting changes. */
  end(): void {
    this.#ended = true;
  }

  /** @returns the methods that this class contributes to the store, bound. */
  port(): Pick<Store, "world" | "transact" | "transactBulk" | "subscribe" | "watch"> {
    return {
      world: this.#index,
      transact: (rule) => this.transact(rule),
      transactBulk: (rule, fixtures) => this.transactBulk(rule, fixtures),
      subscribe: (listener) => this.#publisher.subscribe(listener),
      watch: (listener) => this.#publisher.watch(listener),
    };
  }

  #settle<T>(decision: Decision<T>): Outcome<T> {
    const { changes } = decision;
    const problem = changes === undefined || changes.length === 0 ? undefined : this.#commit(changes);
    return outcomeOf(decision, problem);
  }

  #commit(changes: readonly Change[]): Problem | undefined {
    if (this.#ended) return { code: "disk_failed", instruction: "Stagedoor is stopping: nothing was changed." };
    preflight(this.#index, changes);
    const first = this.#index.seq + 1;
    const problem = this.#keeper.append(first, changes);
    if (problem !== undefined) return problem;
    this.#index.applyAll(changes, first);
    this.#onChanged();
    this.#publisher.publish(first, changes);
    return undefined;
  }

  /** Builds the new world beside the old one, which stays untouched until the new one is stored. */
  #replace(changes: readonly Change[], fixtures: readonly string[] | undefined): Problem | undefined {
    if (this.#ended) return { code: "disk_failed", instruction: "Stagedoor is stopping: nothing was changed." };
    preflight(this.#index, changes);
    const first = this.#index.seq + 1;
    const next = new WorldIndex(copyOf(this.#index.document));
    next.applyAll(changes, first);
    if (fixtures !== undefined) next.document.fixtures = [...fixtures];
    const flaw = next.flaw();
    if (flaw !== undefined) throw new Error(`A rule made a world that does not hold together: ${flaw.message}`);
    const problem = this.#keeper.replace(next.document);
    if (problem !== undefined) return problem;
    this.#index.become(next);
    this.#low.data = next.document;
    this.#onChanged();
    this.#publisher.publish(first, changes);
    return undefined;
  }
}

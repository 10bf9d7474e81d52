/**
 * The way of a change: the rule decides, the keeper writes, the world follows, those who listen hear of it.
 */
import type { Low } from "lowdb";
import type { Problem } from "#contract/problems.ts";
import type { JsonObject } from "#contract/scalars.ts";
import type { Change, Decision, Notes } from "#domain/decision.ts";
import { stepped } from "#domain/deterministic.ts";
import { restoreChanges, secretTaken } from "#domain/restore.ts";
import { Undo } from "#domain/undo.ts";
import type { World } from "#domain/world.ts";
import { momentOf, type StoreDocument } from "./document.ts";
import { errorText } from "./failure.ts";
import { type LiveWorld, WorldIndex } from "./indexes.ts";
import type { NamedSnapshots, SavedSnapshot } from "./named-snapshots.ts";
import { preflight } from "./preflight.ts";
import { type Listener, Publisher } from "./publisher.ts";
import { SnapshotUnreadable } from "./spilled-undo.ts";

/** So many changes are one line of the journal, however they are asked for. */
const FEW = 1_000;

/** What came of a transaction. A problem of the disk is a problem like others: nothing was changed. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly notes?: Notes }
  | { readonly ok: false; readonly problem: Problem; readonly notes?: Notes };

/** Where changes are kept before they are applied. */
export interface Keeper {
  /** Keeps one transaction. @returns the problem, if it could not. */
  append(first: number, changes: readonly Change[]): Problem | undefined;
  /** Keeps a whole new document in the place of the old one. @returns the problem, if it could not. */
  replace(document: StoreDocument): Problem | undefined;
}

/** The part of the store that is the same wherever it is kept. */
export interface TransactionsPort {
  readonly world: World;
  readonly key: JsonObject;
  transact<T>(rule: (world: World) => Decision<T>): Outcome<T>;
  transactBulk<T>(rule: (world: World) => Decision<T>, fixtures?: readonly string[]): Outcome<T>;
  restore(name: string, appId: string | null): Promise<Outcome<Restored>>;
  readonly snapshots: NamedSnapshots;
  subscribe(listener: Listener): () => void;
}

/** What going back to a snapshot came to. */
export interface Restored {
  readonly saved: SavedSnapshot;
  readonly changes: number;
}

const withNotes = <O extends object>(outcome: O, notes: Notes | undefined): O & { notes?: Notes } =>
  notes === undefined ? outcome : { ...outcome, notes };

const outcomeOf = <T>(decision: Decision<T>, disk: Problem | undefined): Outcome<T> => {
  if (disk !== undefined) return withNotes({ ok: false, problem: disk } as const, decision.notes);
  if ("problem" in decision) return withNotes({ ok: false, problem: decision.problem } as const, decision.notes);
  return withNotes({ ok: true, value: decision.value } as const, decision.notes);
};

/** @see TransactionsPort */
export class Transactions {
  readonly #low: Low<StoreDocument>;
  readonly #live: LiveWorld;
  readonly #keeper: Keeper;
  readonly #onChanged: () => void;
  readonly #publisher: Publisher;
  readonly #snapshots: NamedSnapshots;
  #ended = false;

  /** @param live the world of `low.data`. @param onChanged called after each transaction that changed something. */
  constructor(
    low: Low<StoreDocument>,
    live: LiveWorld,
    keeper: Keeper,
    snapshots: NamedSnapshots,
    onChanged: () => void,
    onNotice: (text: string) => void,
  ) {
    this.#low = low;
    this.#live = live;
    this.#keeper = keeper;
    this.#snapshots = snapshots;
    this.#onChanged = onChanged;
    this.#publisher = new Publisher((error) => onNotice(`a listener of the store failed: ${errorText(error)}`));
  }

  /** @see Store.transact */
  transact<T>(rule: (world: World) => Decision<T>): Outcome<T> {
    return this.#settle(stepped(this.#live, rule(this.#live)));
  }

  /** @see Store.transactBulk */
  transactBulk<T>(rule: (world: World) => Decision<T>, fixtures?: readonly string[]): Outcome<T> {
    const decision = stepped(this.#live, rule(this.#live));
    const { changes = [] } = decision;
    if ("problem" in decision || (changes.length === 0 && fixtures === undefined)) return this.#settle(decision);
    // What fits a line well is one: resets and imports of tests are small, and a snapshot costs what is stored. Where there
    // is no room for the line there may be for the snapshot of a smaller world.
    if (changes.length <= FEW && fixtures === undefined) {
      const settled = this.#settle(decision);
      if (settled.ok) return settled;
    }
    return outcomeOf(decision, this.#replace(changes, fixtures));
  }

  /** @see Store.restore */
  async restore(name: string, appId: string | null): Promise<Outcome<Restored>> {
    try {
      return await this.#snapshots.whenLoaded(this.#live, name, appId, (saved, undo) => this.#restore(saved, undo));
    } catch (error) {
      if (error instanceof SnapshotUnreadable) return { ok: false, problem: error.problem };
      throw error;
    }
  }

  #restore(saved: SavedSnapshot | undefined, undo: Undo | undefined): Outcome<Restored> {
    if (saved === undefined || undo === undefined) return { ok: false, problem: { code: "unknown_record" } };
    if (secretTaken(this.#live, undo)) return { ok: false, problem: { code: "secret_taken" } };
    const changes = restoreChanges(this.#live, undo);
    const value: Restored = { saved, changes: changes.length };
    // A line of the journal costs what has changed; only where that is most of what is stored is a new snapshot less.
    const isFew = changes.length <= FEW || changes.length * 4 < this.#stored();
    if (changes.length > 0 && (!isFew || this.#commit(changes, true) !== undefined)) {
      const problem = this.#replace(changes, undefined, true);
      if (problem !== undefined) return { ok: false, problem };
    }
    return { ok: true, value };
  }

  /** Accepts no more changes. */
  end(): void {
    this.#ended = true;
  }

  /** @returns the members of the store that this one has, bound. */
  port(): TransactionsPort {
    return {
      world: this.#live,
      key: this.#low.data.key,
      transact: (rule) => this.transact(rule),
      transactBulk: (rule, fixtures) => this.transactBulk(rule, fixtures),
      restore: (name, appId) => this.restore(name, appId),
      snapshots: this.#snapshots,
      subscribe: (listener) => this.#publisher.subscribe(listener),
    };
  }

  #settle<T>(decision: Decision<T>): Outcome<T> {
    const { changes } = decision;
    const problem = changes === undefined || changes.length === 0 ? undefined : this.#commit(changes);
    return outcomeOf(decision, problem);
  }

  #stored(): number {
    let count = 0;
    for (const { profiles, passcodes, sessions, connections } of this.#live.apps)
      count += profiles.length + passcodes.length + sessions.length + connections.length;
    return count;
  }

  /** @param isRestore records come back with the numbers that they had. */
  #commit(changes: readonly Change[], isRestore = false): Problem | undefined {
    if (this.#ended) return { code: "disk_failed", instruction: "Stagedoor is stopping: nothing was changed." };
    const { index } = this.#live;
    if (!isRestore) preflight(index, changes);
    const first = index.seq + 1;
    const problem = this.#keeper.append(first, changes);
    if (problem !== undefined) return problem;
    index.applyAll(changes, first, (change) => this.#snapshots.note(index, change));
    this.#snapshots.settle(index, changes);
    this.#onChanged();
    this.#publisher.publish(first, changes);
    return undefined;
  }

  /** Builds the new world beside the old one, which stays untouched until the new one is kept. */
  #replace(
    changes: readonly Change[],
    fixtures: readonly string[] | undefined,
    isRestore = false,
  ): Problem | undefined {
    if (this.#ended) return { code: "disk_failed", instruction: "Stagedoor is stopping: nothing was changed." };
    const before = this.#live.index;
    if (!isRestore) preflight(before, changes);
    const first = before.seq + 1;
    const next = new WorldIndex(momentOf(before.document));
    const noted = new Undo();
    next.applyAll(changes, first, (change) => this.#snapshots.note(next, change, noted));
    if (fixtures !== undefined) next.document.fixtures = [...fixtures];
    const fault = next.fault();
    if (fault !== undefined) throw new Error(`A rule made a world that does not hold together: ${fault.message}`);
    const problem = this.#keeper.replace(next.document);
    if (problem !== undefined) return problem;
    this.#live.index = next;
    this.#low.data = next.document;
    this.#snapshots.settle(next, changes, noted);
    this.#onChanged();
    this.#publisher.publish(first, changes);
    return undefined;
  }
}

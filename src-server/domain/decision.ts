/** The result of a rule: a value and the changes to make, or a problem. Rules themselves change nothing. */
import type { Problem } from "#contract/service/problems.ts";
import type { AppRecord, ClockRecord, Collection, RecordsOfApp } from "#contract/service/records.ts";
import { isDeterministic, stepped, withSteps, withStepsOf } from "./deterministic.ts";
import type { World } from "./world.ts";

/** Stores a record of an app: replaces the one with the same id, or appends it to its list. */
export type PutRecord = {
  [C in Collection]: { readonly put: C; readonly appId: string; readonly record: RecordsOfApp[C] };
}[Collection];

/** One change of the world, with a number (`seq`) of its own. Changes are idempotent. */
export type Change =
  | PutRecord
  /** Removes records of an app. Unknown ids are ignored. */
  | { readonly remove: Collection; readonly appId: string; readonly ids: readonly string[] }
  | { readonly put: "app"; readonly record: AppRecord }
  /** Removes an app and all its data. */
  | { readonly remove: "app"; readonly appId: string }
  /** Sets the clock of one app (null: follow the global clock), or the global clock if `appId` is null. */
  | { readonly put: "clock"; readonly appId: string | null; readonly record: ClockRecord | null };

/** What the request log notes about a request, even if it succeeded. */
export interface Notes {
  /** Paths of ignored fields in the body (D10). */
  readonly ignoredFields?: readonly string[];
  /** Sentences, for example about metadata keys that collided (D4), or values that a lenient app accepted. */
  readonly warnings?: readonly string[];
  /** The user of the request, whatever its result. */
  readonly userId?: string;
}

/** @see Decision */
export interface Decided<T> {
  readonly value: T;
  readonly changes: readonly Change[];
  /**
   * What becomes wholly as it was: an app, or all of them (null). Its transaction counts come back with it, so this
   * transaction is not counted.
   */
  readonly restores?: string | null;
  /** For a rewind: the number of the change that it returns to. */
  readonly rewoundTo?: number;
  /** For an undo: the number of the transaction. */
  readonly undoes?: number;
  readonly notes?: Notes;
}

/** The result of a rule. A refusal can still have changes: a wrong passcode is counted (D24). */
export type Decision<T> =
  | Decided<T>
  | { readonly problem: Problem; readonly changes?: readonly Change[]; readonly notes?: Notes };

/** What changes are decided on. */
type Ground = Pick<World, "seq" | "app">;

/** Collects the changes of one decision. Counts the transactions of deterministic apps, so that no rule has to. */
export class Changes {
  readonly list: Change[] = [];
  readonly #after: number;
  readonly #world: Ground;

  /** @param world the world whose `seq` the numbering continues. */
  constructor(world: Ground) {
    this.#after = world.seq;
    this.#world = world;
  }

  /** The `seq` of the next change; a new record stores it. */
  get seq(): number {
    return this.#after + this.list.length + 1;
  }

  put<C extends Collection>(collection: C, appId: string, record: RecordsOfApp[C]): RecordsOfApp[C] {
    // A union of all collections: TypeScript cannot tell that `collection` and `record` match.
    this.list.push({ put: collection, appId, record } as Change);
    return record;
  }

  putApp(record: AppRecord): AppRecord {
    this.list.push({ put: "app", record });
    return record;
  }

  /** Stores another state of an app, which continues its transaction count unless it starts over. */
  changeApp(now: AppRecord, next: AppRecord): AppRecord {
    return this.putApp(withSteps(now, next));
  }

  /** Returns an app to the transaction count of an earlier state; for decisions that restore the app. */
  returnCount(then: AppRecord | undefined, now: AppRecord): void {
    const back = withStepsOf(then, now);
    if (back !== undefined) this.putApp(back);
  }

  putClock(appId: string | null, record: ClockRecord | null): void {
    this.list.push({ put: "clock", appId, record });
  }

  /** Removes records of an app; does nothing without ids. */
  remove(collection: Collection, appId: string, ids: readonly string[]): void {
    if (ids.length > 0) this.list.push({ remove: collection, appId, ids });
  }

  /** Removes an app and all its data. */
  removeApp(appId: string): void {
    this.list.push({ remove: "app", appId });
  }

  decided<T>(value: T, notes?: Notes): Decided<T> {
    return { value, changes: this.#counted(), ...(notes && { notes }) };
  }

  /** A refusal that has changes. */
  refused(refusal: { readonly problem: Problem }, notes: Notes): Decision<never> {
    return { ...refusal, changes: this.#counted(), notes };
  }

  /** @param restores as in `Decided`. */
  restored<T>(value: T, restores: string | null): Decided<T> {
    return { value, changes: this.list, restores };
  }

  /** @returns the changes, which count the transaction for each deterministic app that they affect. */
  #counted(): readonly Change[] {
    // Nearly always there is none.
    const concerns = (change: Change): boolean =>
      "put" in change && change.put === "app"
        ? isDeterministic(change.record)
        : change.appId !== null && isDeterministic(this.#world.app(change.appId)?.app);
    if (!this.list.some(concerns)) return this.list;
    /** The affected apps after the changes, and the index of the change that stores one, if any. */
    const touched = new Map<string, { readonly record: AppRecord | undefined; readonly at?: number }>();
    for (const [at, change] of this.list.entries()) {
      if ("put" in change && change.put === "app") touched.set(change.record.appId, { record: change.record, at });
      else if ("remove" in change && change.remove === "app") touched.set(change.appId, { record: undefined });
      else if (change.appId !== null && !touched.has(change.appId))
        touched.set(change.appId, { record: this.#world.app(change.appId)?.app });
    }
    const all = [...this.list];
    for (const { record, at = all.length } of touched.values())
      if (record !== undefined && isDeterministic(record)) all[at] = { put: "app", record: stepped(record) };
    return all;
  }
}

/** @returns the decision that stores one record of an app, and gives it. */
export const stored = <C extends Collection>(
  world: Ground,
  collection: C,
  appId: string,
  record: RecordsOfApp[C],
): Decided<RecordsOfApp[C]> => {
  const changes = new Changes(world);
  return changes.decided(changes.put(collection, appId, record));
};

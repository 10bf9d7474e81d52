/** The result of a rule: a value and the changes to make, or a problem. Rules themselves change nothing. */
import type { Problem } from "#contract/problems.ts";
import {
  type AppRecord,
  type ClockRecord,
  type Collection,
  idOf,
  type Lists,
  type RecordsOfApp,
} from "#contract/records.ts";

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

/** Collects the changes of one decision. */
export class Changes {
  readonly list: Change[] = [];
  readonly #after: number;

  /** @param world the world whose `seq` the numbering continues. */
  constructor(world: { readonly seq: number }) {
    this.#after = world.seq;
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

  putClock(appId: string | null, record: ClockRecord | null): void {
    this.list.push({ put: "clock", appId, record });
  }

  /** Removes records of an app; does nothing without ids. */
  remove(collection: Collection, appId: string, ids: readonly string[]): void {
    if (ids.length > 0) this.list.push({ remove: collection, appId, ids });
  }

  /** Removes the oldest records of a list, so that after one more insert it holds at most `most`. */
  makeRoom(noun: "passcodes" | "sessions", app: { readonly app: AppRecord } & Lists, most: number): void {
    const excess = Math.max(0, app[noun].length + 1 - most);
    this.remove(noun, app.app.appId, app[noun].slice(0, excess).map(idOf));
  }

  /** Removes an app and all its data. */
  removeApp(appId: string): void {
    this.list.push({ remove: "app", appId });
  }

  decided<T>(value: T, notes?: Notes): Decided<T> {
    return { value, changes: this.list, ...(notes && { notes }) };
  }
}

/** @returns the decision that stores one record of an app, and gives it. */
export const stored = <C extends Collection>(
  world: { readonly seq: number },
  collection: C,
  appId: string,
  record: RecordsOfApp[C],
): Decided<RecordsOfApp[C]> => {
  const changes = new Changes(world);
  return changes.decided(changes.put(collection, appId, record));
};

/**
 * The changes of one decision, as they are collected; each is given its number.
 */
import type { AppRecord, ClockRecord, Collection, RecordsOfApp } from "#contract/records.ts";
import type { Change, Decided, Notes } from "./decision.ts";

/** Collects the changes of one decision. */
export class Changes {
  readonly list: Change[] = [];
  readonly #after: number;

  /** @param world whose changes are numbered on. */
  constructor(world: { readonly seq: number }) {
    this.#after = world.seq;
  }

  /** The number that the next change gets; a record that is new carries it. */
  get seq(): number {
    return this.#after + this.list.length + 1;
  }

  /** Puts a record under an app. @returns the record. */
  put<C extends Collection>(collection: C, appId: string, record: RecordsOfApp[C]): RecordsOfApp[C] {
    // The union of all four kinds: TypeScript cannot see that collection and record go together by C.
    this.list.push({ put: collection, appId, record } as Change);
    return record;
  }

  /** Puts an app. @returns the app. */
  putApp(record: AppRecord): AppRecord {
    this.list.push({ put: "app", record });
    return record;
  }

  /** Sets a clock. */
  putClock(appId: string | null, record: ClockRecord | null): void {
    this.list.push({ put: "clock", appId, record });
  }

  /** Removes records of an app; nothing when there are no ids. */
  remove(collection: Collection, appId: string, ids: readonly string[]): void {
    if (ids.length > 0) this.list.push({ remove: collection, appId, ids });
  }

  /** Removes an app with all that belongs to it. */
  removeApp(appId: string): void {
    this.list.push({ remove: "app", appId });
  }

  /** @returns the decision with these changes. */
  decided<T>(value: T, notes?: Notes): Decided<T> {
    return notes === undefined ? { value, changes: this.list } : { value, changes: this.list, notes };
  }
}

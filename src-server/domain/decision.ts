/** What a rule decides: a value and the changes that bring it about, or a problem. A rule changes nothing itself. */
import type { Problem } from "#contract/problems.ts";
import {
  type AppRecord,
  type ClockRecord,
  type Collection,
  idOf,
  type Lists,
  type RecordsOfApp,
} from "#contract/records.ts";

/** Puts a record under an app, in the place of the one with the same id, or at the end of its list. */
export type PutRecord = {
  [C in Collection]: { readonly put: C; readonly appId: string; readonly record: RecordsOfApp[C] };
}[Collection];

/** Takes records from under an app. An id that is not there is passed over. */
interface RemoveRecords {
  readonly remove: Collection;
  readonly appId: string;
  readonly ids: readonly string[];
}

/** One change of the world. Each has a number of its own (`seq`); applying one twice is the same as once. */
export type Change =
  | PutRecord
  | RemoveRecords
  | { readonly put: "app"; readonly record: AppRecord }
  /** Removes an app with all that belongs to it. */
  | { readonly remove: "app"; readonly appId: string }
  /** Sets the clock of one app (null: back to the clock of all), or, with `appId` null, the clock of all. */
  | { readonly put: "clock"; readonly appId: string | null; readonly record: ClockRecord | null };

/** What the request log says of a request that was accepted all the same. */
export interface Notes {
  /** Fields of the body that nothing reads (D10), with their path. */
  readonly ignoredFields?: readonly string[];
  /** Sentences, such as two metadata keys that met (D4) or what a lenient app let pass. */
  readonly warnings?: readonly string[];
  /** The user that the request was about, whatever came of it. */
  readonly userId?: string;
}

/** @see Decision */
export interface Decided<T> {
  readonly value: T;
  readonly changes: readonly Change[];
  /** The changes bring the counts of deterministic apps back: this transaction is not counted. */
  readonly keepsSteps?: true;
  readonly notes?: Notes;
}

/** A refusal. It may carry changes all the same: a wrong passcode is counted (D24). */
interface Refused {
  readonly problem: Problem;
  readonly changes?: readonly Change[];
  readonly notes?: Notes;
}

/** What a rule decides. */
export type Decision<T> = Decided<T> | Refused;

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

  /** Removes the oldest records of a list, so that with one more it has no more than `most`. */
  makeRoom(
    noun: "passcodes" | "sessions",
    { app, [noun]: list }: { readonly app: AppRecord } & Lists,
    most: number,
  ): void {
    const excess = Math.max(0, list.length + 1 - most);
    this.remove(noun, app.appId, list.slice(0, excess).map(idOf));
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

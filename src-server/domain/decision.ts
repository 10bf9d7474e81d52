/**
 * What a rule decides: a value and the changes that bring it about, or a problem. A rule changes nothing itself.
 */
import type { Problem } from "#contract/problems.ts";
import type { AppRecord, ClockRecord, Collection, RecordsOfApp } from "#contract/records.ts";

/** Puts a record under an app, in the place of the one with the same id, or at the end of its list. */
export type PutRecord = {
  [C in Collection]: { readonly put: C; readonly appId: string; readonly record: RecordsOfApp[C] };
}[Collection];

/** Takes records from under an app. An id that is not there is passed over. */
export interface RemoveRecords {
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
  readonly notes?: Notes;
}

/** A refusal. It may carry changes all the same: a wrong passcode is counted (D24). */
export interface Refused {
  readonly problem: Problem;
  readonly changes?: readonly Change[];
  readonly notes?: Notes;
}

/** What a rule decides. */
export type Decision<T> = Decided<T> | Refused;

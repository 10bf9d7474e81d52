/**
 * The differences between two states of the world: by identity first, because unchanged records are the same objects; the rest by
 * id.
 */
import {
  type AppRecord,
  type ClockRecord,
  type Collection,
  idOf,
  type RecordsOfApp,
} from "#contract/service/records.ts";
import type { AppData } from "../world.ts";

const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b));

/**
 * @param but fields to ignore: an import assigns new numbers (`seq`), which users do not regard as changes.
 * @returns whether two records have the same fields with the same values; an undefined field counts as absent.
 */
export const sameRecord = (a: object | null, b: object | null, ...but: readonly string[]): boolean => {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const theirs = new Map(Object.entries(b));
  for (const [name, value] of Object.entries(a)) {
    if (!isSameValue(value, theirs.get(name)) && !but.includes(name)) return false;
    theirs.delete(name);
  }
  return [...theirs].every(([name, value]) => value === undefined || but.includes(name));
};

/** @returns whether two states of an app are the same, apart from its transaction count (`steps`). */
export const sameApp = (a: AppRecord | undefined, b: AppRecord | undefined): boolean =>
  sameRecord(a ?? null, b ?? null, "steps");

/** A record before and after; undefined: it did not exist. The two can still be equal. */
export type RecordDifference = {
  [C in Collection]: {
    readonly noun: C;
    readonly appId: string;
    readonly before: RecordsOfApp[C] | undefined;
    readonly after: RecordsOfApp[C] | undefined;
  };
}[Collection];

/** A record, an app or a clock before and after. */
export type Difference =
  | RecordDifference
  /** `data`: everything of an app that a transaction removed. */
  | {
      readonly noun: "apps";
      readonly appId: string;
      readonly before: AppRecord | undefined;
      readonly after: AppRecord | undefined;
      readonly data?: AppData;
    }
  /** `appId` null: the global clock. A clock of null follows the global one. */
  | {
      readonly noun: "clocks";
      readonly appId: string | null;
      readonly before: ClockRecord | null;
      readonly after: ClockRecord | null;
    };

/**
 * Compares two lists that ascend by `seq`. A record whose number has changed, for example in an import, is found by id.
 * @returns pairs that are not the same object; an empty one after a step without a result, so that the caller can pause.
 */
export function* unequal<R extends RecordsOfApp[Collection]>(
  before: readonly R[],
  after: readonly R[],
): Generator<readonly [R | undefined, R | undefined] | readonly []> {
  const gone = new Map<string, R>();
  const came: R[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    const was = before[i];
    const is = after[j];
    const isPair = was === is || (was !== undefined && was.seq === is?.seq && idOf(was) === idOf(is));
    const isGone = was !== undefined && (is === undefined || was.seq <= is.seq);
    if (isPair || isGone) i++;
    if (isPair || !isGone) j++;
    if (was === is) continue;
    if (isPair) yield [was, is];
    else {
      if (isGone) gone.set(idOf(was), was);
      else if (is !== undefined) came.push(is);
      yield [];
    }
  }
  for (const is of came) {
    const was = gone.get(idOf(is));
    gone.delete(idOf(is));
    yield [was, is];
  }
  for (const was of gone.values()) yield [was, undefined];
}

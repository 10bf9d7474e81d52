/**
 * The differences between two moments: by identity first, because unchanged records are the same objects; the rest by
 * id.
 */
import {
  type AppRecord,
  type ClockRecord,
  COLLECTIONS,
  type Collection,
  idOf,
  type Lists,
  type RecordsOfApp,
} from "#contract/records.ts";
import type { Moment } from "./moment.ts";

const isSame = (a: unknown, b: unknown): boolean =>
  a === b ||
  (typeof a === "object" &&
    typeof b === "object" &&
    a !== null &&
    b !== null &&
    JSON.stringify(a) === JSON.stringify(b));

/** Fields that are undefined count as absent. */
const fieldsOf = (record: object, but: readonly string[]): Map<string, unknown> =>
  new Map(Object.entries(record).filter(([name, value]) => value !== undefined && !but.includes(name)));

const sameFields = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean =>
  a.size === b.size && [...a].every(([name, value]) => b.has(name) && isSame(value, b.get(name)));

/**
 * @param but fields to ignore: an import assigns new numbers (`seq`), and a deterministic app counts its transactions
 * (`steps`), which users do not regard as changes.
 * @returns whether two records have the same fields with the same values.
 */
export const sameRecord = (a: object | null, b: object | null, ...but: readonly string[]): boolean => {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const [names, theirNames] = [Object.keys(a), Object.keys(b)];
  const [values, theirs] = [Object.values(a), Object.values(b)];
  // Nearly always both have the same fields in the same order, which needs no look-up.
  for (const [place, name] of names.entries()) {
    if (name !== theirNames[place] || theirNames.length !== names.length)
      return sameFields(fieldsOf(a, but), fieldsOf(b, but));
    if (!isSame(values[place], theirs[place]) && !but.includes(name)) return false;
  }
  return names.length === theirNames.length;
};

/** A record at both moments; undefined where it did not exist. The two can still be equal. */
type Difference = {
  [C in Collection]: {
    readonly noun: C;
    readonly appId: string;
    readonly before: RecordsOfApp[C] | undefined;
    readonly after: RecordsOfApp[C] | undefined;
  };
}[Collection];

/** An app at both moments. */
interface AppDifference {
  readonly noun: "apps";
  readonly appId: string;
  readonly before: AppRecord | undefined;
  readonly after: AppRecord | undefined;
}

/** The global clock (`appId` null) or an app's at both moments; null: the app follows the global clock. */
interface ClockDifference {
  readonly noun: "clocks";
  readonly appId: string | null;
  readonly before: ClockRecord | null;
  readonly after: ClockRecord | null;
}

/** @see Difference @see AppDifference @see ClockDifference */
export type AnyDifference = Difference | AppDifference | ClockDifference;

/**
 * Compares two lists that ascend by `seq`. A record whose number has changed, for example in an import, is found by id.
 * @returns pairs that are not the same object; undefined after a step without a result, so that the caller can pause.
 */
export function* unequal<R extends RecordsOfApp[Collection]>(
  before: readonly R[],
  after: readonly R[],
): Generator<readonly [R | undefined, R | undefined] | undefined> {
  const gone = new Map<string, R>();
  const came: R[] = [];
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    const was = before[i];
    const is = after[j];
    if (was === is) {
      i++;
      j++;
    } else if (was !== undefined && is !== undefined && was.seq === is.seq && idOf(was) === idOf(is)) {
      i++;
      j++;
      yield [was, is];
    } else if (was !== undefined && (is === undefined || was.seq <= is.seq)) {
      i++;
      gone.set(idOf(was), was);
      yield undefined;
    } else if (is !== undefined) {
      j++;
      came.push(is);
      yield undefined;
    }
  }
  for (const is of came) {
    const was = gone.get(idOf(is));
    gone.delete(idOf(is));
    yield [was, is];
  }
  for (const was of gone.values()) yield [was, undefined];
}

function* ofList<C extends Collection>(
  noun: C,
  appId: string,
  before: Lists | undefined,
  after: Lists | undefined,
): Generator<AnyDifference | undefined> {
  // A union of all collections: TypeScript cannot tell that `noun` and the records match.
  for (const pair of unequal(before?.[noun] ?? [], after?.[noun] ?? []))
    yield pair && ({ noun, appId, before: pair[0], after: pair[1] } as Difference);
}

/** @see unequal @returns the differences; the global clock comes first if both moments cover all apps. */
export function* differences(before: Moment, after: Moment, isOfAll: boolean): Generator<AnyDifference | undefined> {
  if (isOfAll) yield { noun: "clocks", appId: null, before: before.clock, after: after.clock };
  const now = new Map(after.apps.map((app) => [app.app.appId, app]));
  const then = new Map(before.apps.map((app) => [app.app.appId, app]));
  for (const appId of new Set([...then.keys(), ...now.keys()])) {
    const [was, is] = [then.get(appId), now.get(appId)];
    yield { noun: "apps", appId, before: was?.app, after: is?.app };
    if (was !== undefined && is !== undefined) yield { noun: "clocks", appId, before: was.clock, after: is.clock };
    for (const noun of COLLECTIONS) yield* ofList(noun, appId, was, is);
  }
}

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
} from "#contract/service/records.ts";
import type { WorldMoment } from "./moment.ts";

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

/** Something at both moments; `None` where it did not exist. The two can still be equal. */
interface Pair<N extends string, T, None = undefined, Id = string> {
  readonly noun: N;
  readonly appId: Id;
  readonly before: T | None;
  readonly after: T | None;
}

/** A record, an app, the clock of an app (null: it follows the global clock), or the global clock (`appId` null). */
export type AnyDifference =
  | { [C in Collection]: Pair<C, RecordsOfApp[C]> }[Collection]
  | Pair<"apps", AppRecord>
  | Pair<"clocks", ClockRecord, null, string | null>;

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

function* ofList<C extends Collection>(
  noun: C,
  appId: string,
  was: Lists | undefined,
  is: Lists | undefined,
): Generator<AnyDifference | undefined> {
  // A union of all collections: TypeScript cannot tell that `noun` and the records match.
  for (const [before, after] of unequal(was?.[noun] ?? [], is?.[noun] ?? []))
    yield before === after ? undefined : ({ noun, appId, before, after } as AnyDifference);
}

/** @returns the differences, and undefined as `unequal` does. @param isOfAll compares the global clock too, first. */
export function* differences(
  before: WorldMoment,
  after: WorldMoment,
  isOfAll: boolean,
): Generator<AnyDifference | undefined> {
  if (isOfAll) yield { noun: "clocks", appId: null, before: before.clock, after: after.clock };
  const now = new Map(after.apps.map((app) => [app.app.appId, app]));
  const then = new Map(before.apps.map((app) => [app.app.appId, app]));
  for (const appId of new Set([...then.keys(), ...now.keys()])) {
    const was = then.get(appId);
    const is = now.get(appId);
    yield { noun: "apps", appId, before: was?.app, after: is?.app };
    if (was !== undefined && is !== undefined) yield { noun: "clocks", appId, before: was.clock, after: is.clock };
    for (const noun of COLLECTIONS) yield* ofList(noun, appId, was, is);
  }
}

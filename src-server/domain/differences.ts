/**
 * What is otherwise than it was at a moment, by what was noted since (past.ts): lazily, so that no step costs more than
 * one record, or the reading of one part.
 */
import type { AppRecord, ClockRecord, Collection, RecordsOfApp } from "#contract/records.ts";
import { type AppPast, type Entries, type Past, pastsOfApp } from "./past.ts";
import type { World } from "./world.ts";

const COLLECTIONS = ["profiles", "passcodes", "sessions", "connections"] as const satisfies readonly Collection[];

/** A record as it was and as it is: undefined where it was, or is, not there. */
export type Difference = {
  [C in Collection]: {
    readonly noun: C;
    readonly appId: string;
    readonly before: RecordsOfApp[C] | undefined;
    readonly after: RecordsOfApp[C] | undefined;
  };
}[Collection];

/** An app as it was and as it is. */
export interface AppDifference {
  readonly noun: "apps";
  readonly appId: string;
  readonly before: AppRecord | undefined;
  readonly after: AppRecord | undefined;
}

/** The clock of all (`appId` null) or of an app that was there then and is there now; null: it goes by that of all. */
export interface ClockDifference {
  readonly noun: "clocks";
  readonly appId: string | null;
  readonly before: ClockRecord | null;
  readonly after: ClockRecord | null;
}

/** @see Difference @see AppDifference @see ClockDifference */
export type AnyDifference = Difference | AppDifference | ClockDifference;

const firstOf = <T>(pasts: readonly { app: AppPast }[], pick: (app: AppPast) => T | undefined): T | undefined => {
  for (const { app } of pasts) {
    const found = pick(app);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** One kind of record of one app. */
class Comparison<C extends Collection> {
  readonly #world: World;
  readonly #appId: string;
  readonly #noun: C;
  readonly #seen = new Set<string>();

  constructor(world: World, appId: string, noun: C) {
    this.#world = world;
    this.#appId = appId;
    this.#noun = noun;
  }

  /** Those that were noted, as they are now. */
  *noted(entries: Entries<C>): Generator<AnyDifference> {
    for (const [id, before] of entries) {
      if (this.#seen.has(id)) continue;
      this.#seen.add(id);
      yield this.#difference(before, this.#world.app(this.#appId)?.find(this.#noun, id));
    }
  }

  /** Those that are there and were not noted: of an app that was not there then. */
  *others(): Generator<AnyDifference> {
    // As in undo.ts, the list of this collection; a copy, since others may write between two steps.
    const listed = [...(this.#world.app(this.#appId)?.[this.#noun] ?? [])] as readonly RecordsOfApp[C][];
    for (const record of listed) {
      const id = "id" in record ? record.id : record.userId;
      if (!this.#seen.has(id)) yield this.#difference(undefined, record);
    }
  }

  #difference(before: RecordsOfApp[C] | undefined, after: RecordsOfApp[C] | undefined): AnyDifference {
    // The union of all four kinds: TypeScript cannot see that noun and records go together.
    return { noun: this.#noun, appId: this.#appId, before, after } as Difference;
  }
}

async function* ofApp(world: World, appId: string, all: readonly Past[]): AsyncGenerator<Iterable<AnyDifference>> {
  const pasts = pastsOfApp(all, appId);
  const now = world.app(appId);
  const isNew = pasts[0]?.app.born === true;
  const gone = pasts.at(-1)?.app.gone;
  const before = isNew ? undefined : (firstOf(pasts, (past) => past.app) ?? gone?.app ?? now?.app);
  yield [{ noun: "apps", appId, before, after: now?.app }];
  if (before !== undefined && now !== undefined) {
    const clock = firstOf(pasts, (past) => (past.clock === undefined ? undefined : { was: past.clock }));
    const was = clock === undefined ? (gone ?? now).clock : clock.was;
    yield [{ noun: "clocks", appId, before: was, after: now.clock }];
  }
  for (const noun of COLLECTIONS) {
    const comparison = new Comparison(world, appId, noun);
    for (const { past } of isNew ? [] : pasts)
      for await (const entries of past.chunks(appId, noun)) yield comparison.noted(entries);
    if (isNew || gone !== undefined) yield comparison.others();
  }
}

/**
 * In parts to be gone through at once or bit by bit; between two steps others may be answered: what they write meanwhile
 * may or may not be in it.
 * @param pasts what was noted since the moment, oldest first. @param only of one app; null: of all, with their clock.
 * @returns each record that was touched, as it was and as it is: there no more, new, another, or the same again.
 * @throws what reading a past throws.
 */
export async function* differences(
  world: World,
  pasts: readonly Past[],
  only: string | null,
): AsyncGenerator<Iterable<AnyDifference>> {
  const clock = pasts.find((past) => past.clock !== undefined)?.clock;
  if (only === null && clock !== undefined) yield [{ noun: "clocks", appId: null, before: clock, after: world.clock }];
  const appIds = new Set(only === null ? pasts.flatMap((past) => [...past.apps.keys()]) : [only]);
  for (const appId of appIds) if (pasts.some((past) => past.apps.has(appId))) yield* ofApp(world, appId, pasts);
}

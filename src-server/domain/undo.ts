/**
 * What it takes to go back: of each record that changed since some moment, what it was before. It grows with what has
 * changed, not with what is stored, and a record that came and went leaves nothing.
 */
import type { AppRecord, ClockRecord, Collection, RecordsOfApp } from "#contract/records.ts";
import type { Change } from "./decision.ts";
import type { AppWorld, World } from "./world.ts";

/** Records by id as they were; undefined: not there. */
export type Before<C extends Collection> = Map<string, RecordsOfApp[C] | undefined>;

/** What one app was before. */
export interface AppUndo {
  /** It was not there: what is under it now is new, and not noted. */
  born: boolean;
  /** It has been removed; what it then was. An app of the same id that came after it is not noted. */
  gone: AppWorld | undefined;
  app: AppRecord | undefined;
  /** Undefined: its clock was not set. */
  clock: ClockRecord | null | undefined;
  readonly records: { readonly [C in Collection]: Before<C> };
}

const COLLECTIONS = ["profiles", "passcodes", "sessions", "connections"] as const satisfies readonly Collection[];

const newAppUndo = (born = false): AppUndo => ({
  born,
  gone: undefined,
  app: undefined,
  clock: undefined,
  records: { profiles: new Map(), passcodes: new Map(), sessions: new Map(), connections: new Map() },
});

const addOlder = <K, V>(into: Map<K, V>, newer: ReadonlyMap<K, V>): void => {
  for (const [key, value] of newer) if (!into.has(key)) into.set(key, value);
};

/** Notes what changes replace. */
export class Undo {
  readonly apps = new Map<string, AppUndo>();
  /** Of all apps, before it was set. */
  clock: ClockRecord | undefined;

  /** Notes what a change is about to replace. @param world as it is before the change. */
  note(world: World, change: Change): void {
    if ("remove" in change) {
      const app = world.app(change.appId);
      if (app === undefined) return;
      if (change.remove === "app") this.#noteRemoval(app);
      else this.#noteRecords(app, change.remove, change.ids);
      return;
    }
    if (change.put === "app") {
      const app = world.app(change.record.appId);
      if (app !== undefined) {
        const undo = this.#watched(app.app.appId);
        if (undo !== undefined) undo.app ??= app.app;
      } else if (!this.apps.has(change.record.appId)) this.apps.set(change.record.appId, newAppUndo(true));
      return;
    }
    if (change.put === "clock") {
      if (change.appId === null) this.clock ??= world.clock;
      else this.#noteClock(world.app(change.appId));
      return;
    }
    const undo = this.#watched(change.appId);
    const app = world.app(change.appId);
    if (undo === undefined || app === undefined) return;
    const id = change.put === "profiles" ? change.record.userId : change.record.id;
    const before: Before<Collection> = undo.records[change.put];
    if (!before.has(id)) before.set(id, app.find(change.put, id));
  }

  /** Takes in what was noted after this, so that this leads back from there. */
  append(newer: Undo): void {
    this.clock ??= newer.clock;
    for (const [appId, after] of newer.apps) {
      const mine = this.apps.get(appId) ?? newAppUndo(after.born);
      this.apps.set(appId, mine);
      if (mine.born || mine.gone !== undefined) continue;
      mine.app ??= after.app;
      if (mine.clock === undefined) mine.clock = after.clock;
      for (const collection of COLLECTIONS)
        addOlder<string, unknown>(mine.records[collection], after.records[collection]);
      mine.gone = after.gone;
    }
  }

  /** @returns what is noted of an app that was there then and is there still; undefined: nothing needs to be noted. */
  #watched(appId: string): AppUndo | undefined {
    let undo = this.apps.get(appId);
    if (undo === undefined) {
      undo = newAppUndo();
      this.apps.set(appId, undo);
    }
    return undo.born || undo.gone !== undefined ? undefined : undo;
  }

  #noteRemoval(app: AppWorld): void {
    const { appId } = app.app;
    if (this.apps.get(appId)?.born === true) this.apps.delete(appId);
    else {
      const undo = this.#watched(appId);
      if (undo !== undefined) undo.gone = app;
    }
  }

  #noteRecords(app: AppWorld, collection: Collection, ids: readonly string[]): void {
    const undo = this.#watched(app.app.appId);
    if (undo === undefined) return;
    const before: Before<Collection> = undo.records[collection];
    for (const id of ids) {
      const record = app.find(collection, id);
      if (record === undefined) continue;
      if (!before.has(id)) before.set(id, record);
      else if (before.get(id) === undefined) before.delete(id);
    }
  }

  #noteClock(app: AppWorld | undefined): void {
    const undo = app === undefined ? undefined : this.#watched(app.app.appId);
    if (app !== undefined && undo !== undefined && undo.clock === undefined) undo.clock = app.clock;
  }
}

/** @returns what is noted of one app alone; not a copy. */
const partOf = (undo: Undo, appId: string): Undo => {
  const part = new Undo();
  const app = undo.apps.get(appId);
  if (app !== undefined) part.apps.set(appId, app);
  return part;
};

/** @returns one undo that leads back over all of these, to be read at once. @param undos oldest first. @param only one app. */
export const joined = (undos: readonly Undo[], only?: string): Undo => {
  const parts = only === undefined ? undos : undos.map((undo) => partOf(undo, only));
  const [first, second] = parts;
  if (first !== undefined && second === undefined) return first;
  const all = new Undo();
  for (const part of parts) all.append(part);
  return all;
};

/** @returns the records that an app had which is gone since, in order. */
export const originals = <C extends Collection>(undo: AppUndo, gone: AppWorld, collection: C): RecordsOfApp[C][] => {
  const before: Before<C> = undo.records[collection];
  // Of the four lists the one of this collection: TypeScript cannot see that they go together by C.
  const last = gone[collection] as readonly RecordsOfApp[C][];
  const idOf = (record: RecordsOfApp[C]): string => ("id" in record ? record.id : record.userId);
  const kept = last.filter((record) => !before.has(idOf(record)));
  const changed = [...before.values()].filter((record) => record !== undefined);
  return changed.length === 0 ? kept : [...kept, ...changed].sort((a, b) => a.seq - b.seq);
};

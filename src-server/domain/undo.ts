/**
 * What it takes to go back: of each record that changed since some moment, what it was before. It grows with what has
 * changed, not with what is stored, and a record that came and went leaves nothing.
 */
import type { AppRecord, ClockRecord, Collection, RecordsOfApp } from "#contract/records.ts";
import type { Change } from "./decision.ts";
import type { Entries, Past } from "./past.ts";
import { listSize, recordSize } from "./record-size.ts";
import type { AppWorld, World } from "./world.ts";

/** Records by id as they were; undefined: not there. */
export type Before<C extends Collection> = Map<string, RecordsOfApp[C] | undefined>;

/** An app that was removed, with all that it last had. */
export type GoneApp = Pick<AppWorld, "app" | "clock" | Collection>;

/** What one app was before. */
export interface AppUndo {
  /** It was not there: what is under it now is new, and not noted. */
  born: boolean;
  /** It has been removed; what it then was. An app of the same id that came after it is not noted. */
  gone: GoneApp | undefined;
  app: AppRecord | undefined;
  /** Undefined: its clock was not set. */
  clock: ClockRecord | null | undefined;
  readonly records: { readonly [C in Collection]: Before<C> };
  /** About how many bytes of memory it takes. */
  size: number;
}

const COLLECTIONS = ["profiles", "passcodes", "sessions", "connections"] as const satisfies readonly Collection[];

/** Bytes of an id and its place in a map. */
const KEY = 100;
/** Bytes of what is kept of an app apart from its records. */
const APP = 1_000;

const sizeOf = (record: object | undefined): number => KEY + (record === undefined ? 0 : recordSize(record));

/** @returns nothing noted of an app yet. @param born it was not there. */
export const newAppUndo = (born = false): AppUndo => ({
  born,
  gone: undefined,
  app: undefined,
  clock: undefined,
  records: { profiles: new Map(), passcodes: new Map(), sessions: new Map(), connections: new Map() },
  size: APP,
});

/** @returns how many bytes it took. */
const addOlder = <K, V extends object | undefined>(into: Map<K, V>, newer: ReadonlyMap<K, V>): number => {
  let size = 0;
  for (const [key, value] of newer) {
    if (into.has(key)) continue;
    into.set(key, value);
    size += sizeOf(value);
  }
  return size;
};

/** Notes what changes replace. */
export class Undo implements Past {
  readonly apps = new Map<string, AppUndo>();
  /** Of all apps, before it was set. */
  clock: ClockRecord | undefined;

  #size = 0;

  /** About how many bytes of memory it takes. */
  get size(): number {
    return this.#size;
  }

  /** Lets go of an app that nobody will ask for. */
  forget(appId: string): void {
    this.#size -= this.apps.get(appId)?.size ?? 0;
    this.apps.delete(appId);
  }

  /** @see Past */
  chunks<C extends Collection>(appId: string, collection: C): readonly Entries<C>[] {
    const app = this.apps.get(appId);
    if (app === undefined) return [];
    const before: Before<C> = app.records[collection];
    return app.gone === undefined ? [before] : [before, lastOf(app.gone, collection)];
  }

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
      } else if (!this.apps.has(change.record.appId)) this.#add(change.record.appId, newAppUndo(true));
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
    if (before.has(id)) return;
    const record = app.find(change.put, id);
    before.set(id, record);
    this.#grow(undo, sizeOf(record));
  }

  /** Takes in what was noted after this, so that this leads back from there. */
  append(newer: Undo): void {
    this.clock ??= newer.clock;
    for (const [appId, after] of newer.apps) {
      const mine = this.apps.get(appId) ?? this.#add(appId, newAppUndo(after.born));
      if (mine.born || mine.gone !== undefined) continue;
      mine.app ??= after.app;
      if (mine.clock === undefined) mine.clock = after.clock;
      for (const collection of COLLECTIONS)
        this.#grow(mine, addOlder<string, object | undefined>(mine.records[collection], after.records[collection]));
      if (after.gone !== undefined) this.#setGone(mine, after.gone);
    }
  }

  /** @returns what is noted of an app that was there then and is there still; undefined: nothing needs to be noted. */
  #watched(appId: string): AppUndo | undefined {
    const undo = this.apps.get(appId) ?? this.#add(appId, newAppUndo());
    return undo.born || undo.gone !== undefined ? undefined : undo;
  }

  #noteRemoval(app: AppWorld): void {
    const { appId } = app.app;
    if (this.apps.get(appId)?.born === true) this.forget(appId);
    else {
      const undo = this.#watched(appId);
      if (undo !== undefined) {
        // Not the app itself: its look-ups would stay in memory with it.
        const { app: record, clock, profiles, passcodes, sessions, connections } = app;
        this.#setGone(undo, { app: record, clock, profiles, passcodes, sessions, connections });
      }
    }
  }

  #setGone(undo: AppUndo, gone: GoneApp): void {
    undo.gone = gone;
    for (const collection of COLLECTIONS) this.#grow(undo, listSize(gone[collection]));
  }

  #add(appId: string, app: AppUndo): AppUndo {
    this.apps.set(appId, app);
    this.#size += app.size;
    return app;
  }

  #grow(app: AppUndo, bytes: number): void {
    app.size += bytes;
    this.#size += bytes;
  }

  #noteRecords(app: AppWorld, collection: Collection, ids: readonly string[]): void {
    const undo = this.#watched(app.app.appId);
    if (undo === undefined) return;
    const before: Before<Collection> = undo.records[collection];
    for (const id of ids) {
      const record = app.find(collection, id);
      if (record === undefined) continue;
      if (!before.has(id)) {
        before.set(id, record);
        this.#grow(undo, sizeOf(record));
      } else if (before.get(id) === undefined) {
        before.delete(id);
        this.#grow(undo, -sizeOf(undefined));
      }
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

const idOf = (record: RecordsOfApp[Collection]): string => ("id" in record ? record.id : record.userId);

/** Of a list the records by id, without a copy. */
function* lastOf<C extends Collection>(gone: GoneApp, collection: C): Entries<C> & Generator {
  // As in `originals`: the list of this collection.
  for (const record of gone[collection] as readonly RecordsOfApp[C][]) yield [idOf(record), record];
}

/** @returns the records that an app had which is gone since, in order. */
export const originals = <C extends Collection>(undo: AppUndo, gone: GoneApp, collection: C): RecordsOfApp[C][] => {
  const before: Before<C> = undo.records[collection];
  // Of the four lists the one of this collection: TypeScript cannot see that they go together by C.
  const last = gone[collection] as readonly RecordsOfApp[C][];
  const kept = last.filter((record) => !before.has(idOf(record)));
  const changed = [...before.values()].filter((record) => record !== undefined);
  return changed.length === 0 ? kept : [...kept, ...changed].sort((a, b) => a.seq - b.seq);
};

/**
 * The document with its look-ups: what the rules see as `World`, and the one place where a change is applied.
 */
import type { AppRecord, ClockRecord } from "#contract/records.ts";
import type { Change, PutRecord } from "#domain/decision.ts";
import type { World } from "#domain/world.ts";
import { AppIndex } from "./app-index.ts";
import type { StoreDocument } from "./document.ts";
import type { Fault } from "./failure.ts";
import { MANY, placeOf } from "./record-table.ts";

/** The index of one document. */
export class WorldIndex implements World {
  /** From now on changed through `apply` alone. */
  readonly document: StoreDocument;
  readonly apps: AppIndex[];
  readonly #byAppId = new Map<string, AppIndex>();
  readonly #bySecret = new Map<string, AppIndex>();

  /** @param document checked as to its shape; see `fault` for the rest. */
  constructor(document: StoreDocument) {
    this.document = document;
    this.apps = document.apps.map((entry) => new AppIndex(entry));
    for (const app of this.apps) {
      this.#byAppId.set(app.app.appId, app);
      this.#bySecret.set(app.app.secret, app);
    }
  }

  get seq(): number {
    return this.document.seq;
  }

  get clock(): ClockRecord {
    return this.document.clock;
  }

  app(appId: string): AppIndex | undefined {
    return this.#byAppId.get(appId);
  }

  appBySecret(secret: string): AppIndex | undefined {
    return this.#bySecret.get(secret);
  }

  /**
   * Applies one change. Doing so twice is the same as once.
   * @param seq the number of the change. @returns false if it belongs to an app that is not there: nothing was done.
   */
  apply(change: Change, seq: number): boolean {
    const done = this.#apply(change);
    if (done) this.document.seq = seq;
    return done;
  }

  /**
   * Applies the changes of one transaction; many records of one kind in a row cost one pass over their list.
   * @param first the number of the first. @param note told of each change before it is applied.
   * @returns false if one belongs to an app that is not there.
   */
  applyAll(changes: readonly Change[], first: number, note?: (change: Change) => void): boolean {
    for (let place = 0; place < changes.length; ) {
      const run = this.#runAt(changes, place);
      if (run === undefined) {
        const change = changes[place];
        if (change === undefined) break;
        note?.(change);
        if (!this.apply(change, first + place)) return false;
        place += 1;
        continue;
      }
      if (note !== undefined) for (const change of run.changes) note(change);
      const app = this.app(run.appId);
      if (app === undefined) return false;
      app.putMany(run.changes);
      place += run.changes.length;
      this.document.seq = first + place - 1;
    }
    return true;
  }

  /** @returns the records of one list that are put in a row here, if they are many. */
  #runAt(
    changes: readonly Change[],
    from: number,
  ): { readonly appId: string; readonly changes: readonly PutRecord[] } | undefined {
    const head = changes.length - from < MANY ? undefined : changes[from];
    if (head === undefined || !("put" in head) || head.put === "app" || head.put === "clock") return undefined;
    const run: PutRecord[] = [];
    for (let place = from; place < changes.length; place += 1) {
      const change = changes[place];
      if (change === undefined || !("put" in change) || change.put !== head.put || change.appId !== head.appId) break;
      run.push(change);
    }
    return run.length < MANY ? undefined : { appId: head.appId, changes: run };
  }

  /** @returns what two records must not share, but do: ids, secrets, usernames. */
  fault(): Fault | undefined {
    for (const [place, app] of this.apps.entries()) {
      if (this.app(app.app.appId) !== app)
        return { path: ["apps", place, "app", "appId"], message: "is that of another app too" };
      if (this.appBySecret(app.app.secret) !== app) {
        return { path: ["apps", place, "app", "secret"], message: "is that of another app too" };
      }
      const fault = app.fault();
      if (fault !== undefined) return { path: ["apps", place, ...fault.path], message: fault.message };
    }
    return undefined;
  }

  #apply(change: Change): boolean {
    if ("remove" in change) {
      if (change.remove === "app") this.#removeApp(change.appId);
      else this.app(change.appId)?.remove(change.remove, change.ids);
      return true;
    }
    if (change.put === "app") return this.#putApp(change.record);
    if (change.put === "clock") return this.#putClock(change.appId, change.record);
    const app = this.app(change.appId);
    app?.put(change);
    return app !== undefined;
  }

  #putApp(record: AppRecord): boolean {
    const known = this.app(record.appId);
    if (known === undefined) {
      const entry = { app: record, clock: null, profiles: [], passcodes: [], sessions: [], connections: [] };
      const app = new AppIndex(entry);
      // Nearly always at the end; one that comes back to its old place by its number.
      const place = placeOf(
        this.apps.map((other) => other.app),
        record.seq,
      );
      this.document.apps.splice(place, 0, entry);
      this.apps.splice(place, 0, app);
      this.#byAppId.set(record.appId, app);
      this.#bySecret.set(record.secret, app);
      return true;
    }
    if (known.app.secret !== record.secret) this.#forgetSecret(known);
    known.putApp(record);
    this.#bySecret.set(record.secret, known);
    return true;
  }

  #removeApp(appId: string): void {
    const app = this.app(appId);
    if (app === undefined) return;
    this.#byAppId.delete(appId);
    this.#forgetSecret(app);
    const place = this.apps.indexOf(app);
    this.apps.splice(place, 1);
    this.document.apps.splice(place, 1);
  }

  // Secrets may move from app to app within a transaction: one that has moved on is left alone.
  #forgetSecret(app: AppIndex): void {
    if (this.#bySecret.get(app.app.secret) === app) this.#bySecret.delete(app.app.secret);
  }

  #putClock(appId: string | null, record: ClockRecord | null): boolean {
    if (appId === null) {
      this.document.clock = record ?? { offsetMs: 0, frozenAtMs: null };
      return true;
    }
    const app = this.app(appId);
    app?.putClock(record);
    return app !== undefined;
  }
}

/** The world as the handlers hold it for good, whichever index is the present one. */
export class LiveWorld implements World {
  /** The present index. */
  index: WorldIndex;

  /** @param index to begin with. */
  constructor(index: WorldIndex) {
    this.index = index;
  }

  get seq(): number {
    return this.index.seq;
  }

  get apps(): readonly AppIndex[] {
    return this.index.apps;
  }

  get clock(): ClockRecord {
    return this.index.clock;
  }

  app(appId: string): AppIndex | undefined {
    return this.index.app(appId);
  }

  appBySecret(secret: string): AppIndex | undefined {
    return this.index.appBySecret(secret);
  }
}

/**
 * The document with its look-ups: what the rules see as `World`, and the one place where a change is applied.
 */
import type { AppRecord, ClockRecord } from "#contract/records.ts";
import type { Change } from "#domain/decision.ts";
import type { World } from "#domain/world.ts";
import { AppIndex } from "./app-index.ts";
import type { StoreDocument } from "./document.ts";
import type { Fault } from "./failure.ts";

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
      this.document.apps.push(entry);
      this.apps.push(app);
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

/** The document with its look-ups: what the rules see as `World`, and the one place where a change is applied. */
import { hash, randomBytes } from "node:crypto";
import type { AppRecord, ClockRecord } from "#contract/records.ts";
import type { Change, PutRecord } from "#domain/decision.ts";
import { sameText } from "#domain/passcodes.ts";
import type { World } from "#domain/world.ts";
import type { StoreDocument } from "../document/document.ts";
import type { Flaw } from "../failure.ts";
import { AppIndex, usernameKey } from "./app-index.ts";
import { MANY, placeOf } from "./record-table.ts";

const KEY = randomBytes(32).toString("base64");

/**
 * @returns what a secret is looked up by. How long the comparison of two digests takes tells nothing of a secret: nobody
 * outside this process can compute them.
 */
const digest = (secret: string): string => hash("sha256", KEY + secret, "base64");

/** The index of one document. */
export class WorldIndex implements World {
  /** From now on changed through `apply` alone. */
  document: StoreDocument;
  apps: AppIndex[];
  #byAppId = new Map<string, AppIndex>();
  /** By the digests of the secrets. */
  #bySecret = new Map<string, AppIndex>();
  /** The app whose secret came last: most come again, and to compare costs less than a digest. */
  #latest: AppIndex | undefined;

  /** @param document checked as to its shape; see `flaw` for the rest. */
  constructor(document: StoreDocument) {
    this.document = document;
    this.apps = document.apps.map((entry) => new AppIndex(entry));
    for (const app of this.apps) {
      this.#byAppId.set(app.app.appId, app);
      this.#bySecret.set(digest(app.app.secret), app);
    }
  }

  /** Shows another document from now on, to all who hold this. @param next its index, not used any more. */
  become(next: WorldIndex): void {
    this.document = next.document;
    this.apps = next.apps;
    this.#byAppId = next.#byAppId;
    this.#bySecret = next.#bySecret;
    this.#latest = undefined;
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
    if (this.#latest === undefined || !sameText(secret, this.#latest.app.secret))
      this.#latest = this.#bySecret.get(digest(secret));
    return this.#latest;
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
   * @param first the number of the first. @returns false if one belongs to an app that is not there.
   */
  applyAll(changes: readonly Change[], first: number): boolean {
    for (let place = 0; place < changes.length; ) {
      const run = this.#runAt(changes, place);
      if (run === undefined) {
        const change = changes[place];
        if (change === undefined) break;
        if (!this.apply(change, first + place)) return false;
        place += 1;
        continue;
      }
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
  flaw(): Flaw | undefined {
    for (const [place, app] of this.apps.entries()) {
      if (this.app(app.app.appId) !== app)
        return { path: ["apps", place, "app", "appId"], message: "is that of another app too" };
      if (this.appBySecret(app.app.secret) !== app) {
        return { path: ["apps", place, "app", "secret"], message: "is that of another app too" };
      }
      const flaw = app.flaw();
      if (flaw !== undefined) return { path: ["apps", place, ...flaw.path], message: flaw.message };
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
      this.#bySecret.set(digest(record.secret), app);
      return true;
    }
    if (known.app.secret !== record.secret) this.#forgetSecret(known);
    known.putApp(record);
    this.#bySecret.set(digest(record.secret), known);
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
    this.#latest = undefined;
    const secret = digest(app.app.secret);
    if (this.#bySecret.get(secret) === app) this.#bySecret.delete(secret);
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

/** @returns the profiles that changes put or remove, each as app and user. */
const touchedProfiles = (changes: readonly Change[]): ReadonlySet<string> => {
  const touched = new Set<string>();
  for (const change of changes) {
    if ("put" in change && change.put === "profiles") touched.add(`${change.appId} ${change.record.userId}`);
    else if ("remove" in change && change.remove === "profiles")
      for (const id of change.ids) touched.add(`${change.appId} ${id}`);
  }
  return touched;
};

/** @returns the apps whose usernames are others after the changes: removed, or given another strategy. */
const renamedApps = (index: WorldIndex, changes: readonly Change[]): ReadonlySet<string> => {
  const renamed = new Set<string>();
  for (const change of changes) {
    if ("remove" in change) {
      if (change.remove === "app") renamed.add(change.appId);
    } else if (change.put === "app" && index.app(change.record.appId)?.app.strategy !== change.record.strategy)
      renamed.add(change.record.appId);
  }
  return renamed;
};

/**
 * The last look at changes before they are written: what it finds is a defect of a rule, and would keep the next start from
 * reading the file. @param changes numbered from `index.seq + 1` on.
 * @throws Error for a change of an app that is not there, a record with a number that was never given, or a username that
 * another profile has.
 */
export const preflight = (index: WorldIndex, changes: readonly Change[]): void => {
  /** Apps that this very transaction makes or removes. */
  const apps = new Map<string, boolean>();
  const renamed = renamedApps(index, changes);
  let touched: ReadonlySet<string> | undefined;
  let number = index.seq;
  for (const change of changes) {
    number += 1;
    if ("remove" in change) {
      if (change.remove === "app") apps.set(change.appId, false);
      continue;
    }
    if (change.put === "app") {
      const { appId, seq } = change.record;
      const known = apps.has(appId) ? undefined : index.app(appId);
      if (known === undefined ? seq > number : seq !== known.app.seq)
        throw new Error("A rule gave an app a number that is not its own.");
      apps.set(appId, true);
      continue;
    }
    if (change.appId === null) continue;
    const app = index.app(change.appId);
    if (!(apps.get(change.appId) ?? app !== undefined)) throw new Error("A rule changed an app that is not there.");
    if (change.put === "clock") continue;
    // A lower number is that of a record that comes back.
    if (change.record.seq > number) throw new Error("A rule gave a record a number that is not its own.");
    if (app === undefined || change.put !== "profiles" || renamed.has(change.appId)) continue;
    const key = usernameKey(app.app, change.record);
    const owner = key === undefined ? undefined : app.profileByUsername(key);
    if (owner === undefined || owner.userId === change.record.userId) continue;
    // Usernames may move about within one transaction, but not from a profile that stays as it is.
    touched ??= touchedProfiles(changes);
    if (!touched.has(`${change.appId} ${owner.userId}`))
      throw new Error("A rule gave a username that another profile has.");
  }
};

/** The document with its indexes: the `World` that the rules see, and the only place that applies changes. */
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
 * @returns the look-up key of a secret. Comparing digests leaks no timing, because nobody outside this process can
 * compute them.
 */
const digest = (secret: string): string => hash("sha256", KEY + secret, "base64");

/** The index of one document. */
export class WorldIndex implements World {
  /** From now on only `apply` and `applyAll` change it. */
  document: StoreDocument;
  apps: AppIndex[];
  #byAppId = new Map<string, AppIndex>();
  /** By digest of the secret. */
  #bySecret = new Map<string, AppIndex>();
  /** The app whose secret was looked up last: usually it is next too, and comparing is cheaper than a digest. */
  #latest: AppIndex | undefined;

  /** @param document with a valid shape; `flaw` checks the rest. */
  constructor(document: StoreDocument) {
    this.document = document;
    this.apps = document.apps.map((entry) => new AppIndex(entry));
    for (const app of this.apps) {
      this.#byAppId.set(app.app.appId, app);
      this.#bySecret.set(digest(app.app.secret), app);
    }
  }

  /** Switches everyone who holds this index to another document. @param next its index; do not use it afterwards. */
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
   * Applies one change. Idempotent.
   * @param seq the number of the change. @returns false, without doing anything, if its app does not exist.
   */
  apply(change: Change, seq: number): boolean {
    const done = this.#apply(change);
    if (done) this.document.seq = seq;
    return done;
  }

  /**
   * Applies the changes of one transaction; a run of records of one list costs one pass over that list.
   * @param first the number of the first change. @returns false if one belongs to an app that does not exist.
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

  /** @returns a run of stored records of one list that starts here, if it is long. */
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

  /** @returns ids, secrets or usernames that two records share. */
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
      // Nearly always at the end; a restored app returns to its old position by its `seq`.
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

  // Secrets can move between apps within a transaction, so one that another app has taken is kept.
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

/** @returns the profiles that changes store or remove, each as app and user. */
const touchedProfiles = (changes: readonly Change[]): ReadonlySet<string> => {
  const touched = new Set<string>();
  for (const change of changes) {
    if ("put" in change && change.put === "profiles") touched.add(`${change.appId} ${change.record.userId}`);
    else if ("remove" in change && change.remove === "profiles")
      for (const id of change.ids) touched.add(`${change.appId} ${id}`);
  }
  return touched;
};

/** @returns the apps whose usernames differ after the changes: removed, or with another strategy. */
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
 * Final check of changes before they are written. A failure is a bug in a rule, and would make the file unreadable at
 * the next start. @param changes numbered from `index.seq + 1` on.
 * @throws Error for a change to an unknown app, a record with a number never assigned, or a username that is taken.
 */
export const preflight = (index: WorldIndex, changes: readonly Change[]): void => {
  /** Apps that this transaction itself creates or removes. */
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
    // A lower number belongs to a restored record.
    if (change.record.seq > number) throw new Error("A rule gave a record a number that is not its own.");
    if (app === undefined || change.put !== "profiles" || renamed.has(change.appId)) continue;
    const key = usernameKey(app.app, change.record);
    const owner = key === undefined ? undefined : app.profileByUsername(key);
    if (owner === undefined || owner.userId === change.record.userId) continue;
    // Usernames can move within one transaction, but not away from an unchanged profile.
    touched ??= touchedProfiles(changes);
    if (!touched.has(`${change.appId} ${owner.userId}`))
      throw new Error("A rule gave a username that another profile has.");
  }
};

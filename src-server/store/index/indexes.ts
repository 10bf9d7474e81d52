/** The document with its indexes: the `World` that the rules see, and the only place that applies changes. */
import { hash, randomBytes } from "node:crypto";
import type { AppRecord, ClockRecord } from "#contract/service/records.ts";
import { REAL_CLOCK } from "#domain/clock.ts";
import type { Change, PutRecord } from "#domain/decision.ts";
import { sameText } from "#domain/passcodes.ts";
import type { World } from "#domain/world.ts";
import { emptyApp, type StoreDocument } from "../document/document.ts";
import type { Flaw } from "../failure.ts";
import { AppIndex, usernameKey } from "./app-index.ts";
import { positionOf } from "./record-table.ts";

const KEY = randomBytes(32).toString("base64");

/** @returns the look-up key of a secret: comparing digests leaks no timing, because only this process can compute them. */
const digest = (secret: string): string => hash("sha256", KEY + secret, "base64");

/** The index of one document. */
export class WorldIndex implements World {
  /** From now on only `applyAll` changes it. */
  readonly document: StoreDocument;
  readonly apps: AppIndex[];
  readonly #byAppId = new Map<string, AppIndex>();
  /** By digest of the secret. */
  readonly #bySecret = new Map<string, AppIndex>();
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

  /** Applies one transaction. Idempotent. @param first its first number. @returns false if a change has no app. */
  applyAll(changes: readonly Change[], first: number): boolean {
    const touched = new Set<AppIndex>();
    const isWhole = changes.every((change) => this.#apply(change, touched));
    for (const app of touched) app.settle();
    this.document.seq = first + changes.length - 1;
    return isWhole;
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

  #apply(change: Change, touched: Set<AppIndex>): boolean {
    if ("remove" in change) {
      if (change.remove === "app") this.#removeApp(change.appId);
      else this.app(change.appId)?.remove(change.remove, change.ids);
      return true;
    }
    if (change.put === "app") {
      this.#putApp(change.record);
      return true;
    }
    if (change.put === "clock" && change.appId === null) {
      this.document.clock = change.record ?? REAL_CLOCK;
      return true;
    }
    const app = this.app(change.appId ?? "");
    if (app === undefined) return false;
    if (change.put === "clock") app.entry.clock = change.record;
    else {
      app.put(change);
      touched.add(app);
    }
    return true;
  }

  #putApp(record: AppRecord): void {
    const known = this.app(record.appId);
    const app = known ?? new AppIndex(emptyApp(record));
    if (known === undefined) {
      // Nearly always at the end; a restored app returns to its old position by its `seq`.
      const records = this.document.apps.map((other) => other.app);
      const place = positionOf(records, record.seq);
      this.document.apps.splice(place, 0, app.entry);
      this.apps.splice(place, 0, app);
      this.#byAppId.set(record.appId, app);
    } else {
      if (known.app.secret !== record.secret) this.#forgetSecret(known);
      known.putApp(record);
    }
    this.#bySecret.set(digest(record.secret), app);
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
}

/**
 * @returns what gives up a username in these changes: apps (by id) that are removed or get another strategy, and
 * profiles (by app and user) that are stored or removed.
 */
const freedBy = (changes: readonly Change[], index: WorldIndex): ReadonlySet<string> => {
  const freed = new Set<string>();
  for (const change of changes) {
    if ("remove" in change) {
      if (change.remove === "app") freed.add(change.appId);
      else if (change.remove === "profiles") for (const id of change.ids) freed.add(`${change.appId} ${id}`);
    } else if (change.put === "profiles") freed.add(`${change.appId} ${change.record.userId}`);
    else if (change.put === "app" && index.app(change.record.appId)?.app.strategy !== change.record.strategy)
      freed.add(change.record.appId);
  }
  return freed;
};

/** @throws Error for an app with a number that is not its own. @param number of the change. */
const checkApp = ({ seq }: AppRecord, known: AppIndex | undefined, number: number): void => {
  if (known === undefined ? seq > number : seq !== known.app.seq)
    throw new Error("A rule gave an app a number that is not its own.");
};

/** @throws Error for a username that another profile has. @param freed what gives one up: they can move. */
const checkUsername = (
  app: AppIndex,
  { appId, record }: Extract<PutRecord, { put: "profiles" }>,
  freed: () => ReadonlySet<string>,
): void => {
  const key = usernameKey(app.app, record);
  const owner = key === undefined ? undefined : app.profileByUsername(key);
  if (owner === undefined || owner.userId === record.userId) return;
  if (!freed().has(appId) && !freed().has(`${appId} ${owner.userId}`))
    throw new Error("A rule gave a username that another profile has.");
};

/**
 * Final check of changes before they are written. A failure is a bug in a rule, and would make the file unreadable at
 * the next start. @param changes numbered from `index.seq + 1` on.
 * @returns the check of one of them, for all in order. It throws an Error for a change to an unknown app, a record with
 * a number never assigned, or a username that is taken.
 */
export const preflightOf = (
  index: WorldIndex,
  changes: readonly Change[],
): ((change: Change, place: number) => void) => {
  /** Apps that this transaction itself creates or removes. */
  const apps = new Map<string, boolean>();
  let freed: ReadonlySet<string> | undefined;
  const freedOnce = (): ReadonlySet<string> => {
    freed ??= freedBy(changes, index);
    return freed;
  };
  const checkPut = (change: PutRecord | Extract<Change, { put: "clock" }>, number: number): void => {
    if (change.appId === null) return;
    const app = index.app(change.appId);
    if (!(apps.get(change.appId) ?? app !== undefined)) throw new Error("A rule changed an app that is not there.");
    if (change.put === "clock") return;
    // A lower number belongs to a restored record.
    if (change.record.seq > number) throw new Error("A rule gave a record a number that is not its own.");
    if (app !== undefined && change.put === "profiles") checkUsername(app, change, freedOnce);
  };
  return (change, place) => {
    const number = index.seq + 1 + place;
    if ("remove" in change) {
      if (change.remove === "app") apps.set(change.appId, false);
    } else if (change.put !== "app") checkPut(change, number);
    else {
      const { appId } = change.record;
      checkApp(change.record, apps.has(appId) ? undefined : index.app(appId), number);
      apps.set(appId, true);
    }
  };
};

/**
 * One app of the document with its look-ups: what the rules see as `AppWorld`.
 */
import type {
  AppRecord,
  ClockRecord,
  Collection,
  ConnectionRecord,
  PasscodeRecord,
  ProfileRecord,
  RecordsOfApp,
  SessionRecord,
} from "#contract/records.ts";
import { foldUsername } from "#contract/scalars.ts";
import type { PutRecord } from "#domain/decision.ts";
import type { AppWorld } from "#domain/world.ts";
import { type AppDocument, COLLECTIONS } from "./document.ts";
import type { Fault } from "./failure.ts";
import { RecordTable } from "./record-table.ts";

const idOf = (record: { readonly id: string }): string => record.id;
const userOf = (record: { readonly userId: string }): string => record.userId;

/** @returns what another profile of the app must not have too, or undefined if it has no username. */
export const usernameKey = (app: AppRecord, profile: ProfileRecord): string | undefined => {
  const username = profile[app.strategy];
  return username === null ? undefined : foldUsername(username);
};

/** Made once for each app; `app` and `clock` follow the document. */
export class AppIndex implements AppWorld {
  /** The part of the document that this shows. */
  readonly entry: AppDocument;
  readonly profiles: readonly ProfileRecord[];
  readonly passcodes: readonly PasscodeRecord[];
  readonly sessions: readonly SessionRecord[];
  readonly connections: readonly ConnectionRecord[];
  readonly #tables: { readonly [C in Collection]: RecordTable<RecordsOfApp[C]> };
  #byUsername = new Map<string, ProfileRecord>();

  /** @param entry of the document; from now on changed through here alone. */
  constructor(entry: AppDocument) {
    this.entry = entry;
    this.profiles = entry.profiles;
    this.passcodes = entry.passcodes;
    this.sessions = entry.sessions;
    this.connections = entry.connections;
    this.#tables = {
      profiles: new RecordTable(entry.profiles, userOf),
      passcodes: new RecordTable(entry.passcodes, idOf, userOf),
      sessions: new RecordTable(entry.sessions, idOf, userOf),
      connections: new RecordTable(entry.connections, idOf, userOf),
    };
    this.#indexUsernames();
  }

  get app(): AppRecord {
    return this.entry.app;
  }

  get clock(): ClockRecord | null {
    return this.entry.clock;
  }

  find<C extends Collection>(collection: C, id: string): RecordsOfApp[C] | undefined {
    return this.#tables[collection].find(id);
  }

  profileByUsername(username: string): ProfileRecord | undefined {
    return this.#byUsername.get(foldUsername(username));
  }

  of<C extends "passcodes" | "sessions" | "connections">(collection: C, userId: string): readonly RecordsOfApp[C][] {
    return this.#tables[collection].of(userId);
  }

  /** Puts the app's own record; another strategy means other usernames. */
  putApp(record: AppRecord): void {
    const before = this.entry.app;
    this.entry.app = record;
    if (before.strategy !== record.strategy) this.#indexUsernames();
  }

  /** Sets the app's clock. */
  putClock(record: ClockRecord | null): void {
    this.entry.clock = record;
  }

  /** Puts one record. */
  put(change: PutRecord): void {
    switch (change.put) {
      case "profiles":
        this.#name(change.record, this.#tables.profiles.put(change.record));
        break;
      case "passcodes":
        this.#tables.passcodes.put(change.record);
        break;
      case "sessions":
        this.#tables.sessions.put(change.record);
        break;
      case "connections":
        this.#tables.connections.put(change.record);
        break;
    }
  }

  /** Takes records out. */
  remove(collection: Collection, ids: readonly string[]): void {
    if (collection !== "profiles") this.#tables[collection].remove(ids);
    else for (const profile of this.#tables.profiles.remove(ids)) this.#unname(profile);
  }

  /** @returns what is wrong with the lists taken together: an id or a username that two records have. */
  fault(): Fault | undefined {
    for (const collection of COLLECTIONS) {
      const place = this.#tables[collection].doubled();
      if (place !== undefined) {
        return {
          path: [collection, place],
          message: "has the id of another record: give it one of its own, or take it out",
        };
      }
    }
    for (const [place, profile] of this.profiles.entries()) {
      const key = usernameKey(this.app, profile);
      if (key === undefined || this.#byUsername.get(key) === profile) continue;
      const message = `${JSON.stringify(key)} is the username of another profile too: change one of them`;
      return { path: ["profiles", place, this.app.strategy], message };
    }
    return undefined;
  }

  #indexUsernames(): void {
    this.#byUsername = new Map();
    for (const profile of this.profiles) this.#name(profile, undefined);
  }

  #name(profile: ProfileRecord, before: ProfileRecord | undefined): void {
    const key = usernameKey(this.app, profile);
    if (before !== undefined && usernameKey(this.app, before) !== key) this.#unname(before);
    if (key !== undefined) this.#byUsername.set(key, profile);
  }

  // Two profiles may exchange their usernames within a transaction: a name that has moved on is left alone.
  #unname(profile: ProfileRecord): void {
    const key = usernameKey(this.app, profile);
    if (key !== undefined && this.#byUsername.get(key)?.userId === profile.userId) this.#byUsername.delete(key);
  }
}

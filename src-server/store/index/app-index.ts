/** One app of the document with its indexes: the `AppWorld` that the rules see. */
import { foldUsername } from "#contract/scalars.ts";
import {
  type AppRecord,
  type ClockRecord,
  COLLECTIONS,
  type Collection,
  type ConnectionRecord,
  idOf,
  type PasscodeRecord,
  type ProfileRecord,
  type RecordsOfApp,
  type SessionRecord,
} from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import type { PutRecord } from "#domain/decision.ts";
import { memoryOfRecord } from "#domain/history/memory.ts";
import type { AppWorld } from "#domain/world.ts";
import type { AppDocument } from "../document/document.ts";
import type { Flaw } from "../failure.ts";
import { RecordTable } from "./record-table.ts";

const userOf = (record: { readonly userId: string }): string => record.userId;

/** @returns the key that must be unique in the app; undefined if the profile has no username. */
export const usernameKey = (app: AppRecord, profile: ProfileRecord): string | undefined => {
  const username = profile[usernameField(app)];
  return username === null ? undefined : foldUsername(username);
};

/** Created once per app; `app` and `clock` follow the document. */
export class AppIndex implements AppWorld {
  /** The app's part of the document. */
  readonly entry: AppDocument;
  readonly profiles: readonly ProfileRecord[];
  readonly passcodes: readonly PasscodeRecord[];
  readonly sessions: readonly SessionRecord[];
  readonly connections: readonly ConnectionRecord[];
  readonly #tables: { readonly [C in Collection]: RecordTable<RecordsOfApp[C]> };
  #byUsername = new Map<string, ProfileRecord>();

  /** @param entry of the document; from now on only this class changes it. */
  constructor(entry: AppDocument) {
    this.entry = entry;
    this.profiles = entry.profiles;
    this.passcodes = entry.passcodes;
    this.sessions = entry.sessions;
    this.connections = entry.connections;
    this.#tables = {
      profiles: new RecordTable(entry.profiles, idOf, (one) => memoryOfRecord("profiles", one)),
      passcodes: new RecordTable(entry.passcodes, idOf, (one) => memoryOfRecord("passcodes", one), userOf),
      sessions: new RecordTable(entry.sessions, idOf, (one) => memoryOfRecord("sessions", one), userOf),
      connections: new RecordTable(entry.connections, idOf, (one) => memoryOfRecord("connections", one), userOf),
    };
    this.#indexUsernames();
  }

  get app(): AppRecord {
    return this.entry.app;
  }

  get clock(): ClockRecord | null {
    return this.entry.clock;
  }

  /** @returns the estimated memory of a list in bytes; scans it only when it is first asked. */
  bytesOf(collection: Collection): number {
    return this.#tables[collection].bytes;
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

  /** Stores the app's own record; another strategy changes the usernames. */
  putApp(record: AppRecord): void {
    const { strategy } = this.entry.app;
    this.entry.app = record;
    if (strategy === record.strategy) return;
    this.settle();
    this.#indexUsernames();
  }

  /** Stores one record; `settle` must follow. */
  put({ put, record }: PutRecord): void {
    if (put === "profiles") this.#name(record, this.#tables.profiles.put(record));
    else this.#putIn(put, record);
  }

  #putIn<C extends Collection>(collection: C, record: RecordsOfApp[C]): void {
    this.#tables[collection].put(record);
  }

  /** Completes the lists after some `put`. */
  settle(): void {
    for (const collection of COLLECTIONS) this.#tables[collection].settle();
  }

  /** Removes records. */
  remove(collection: Collection, ids: readonly string[]): void {
    if (collection !== "profiles") this.#tables[collection].remove(ids);
    else for (const profile of this.#tables.profiles.remove(ids)) this.#unname(profile);
  }

  /** @returns a flaw across the lists: an id or a username that two records share. */
  flaw(): Flaw | undefined {
    for (const collection of COLLECTIONS) {
      const duplicate = this.#tables[collection].duplicate();
      if (duplicate === undefined) continue;
      const name = collection === "profiles" ? "userId" : "id";
      const message = `${JSON.stringify(duplicate.id)} is the id of another record too: give one of them another`;
      return { path: [collection, duplicate.place, name], message };
    }
    return this.#usernameFlaw();
  }

  #usernameFlaw(): Flaw | undefined {
    const field = usernameField(this.app);
    // With as many names as profiles that have one, none is shared.
    const named = this.profiles.filter((profile) => profile[field] !== null);
    if (named.length === this.#byUsername.size) return undefined;
    const hidden = this.profiles.find((profile) => {
      const key = usernameKey(this.app, profile);
      return key !== undefined && this.#byUsername.get(key) !== profile;
    });
    const username = hidden?.[field];
    if (username === null || username === undefined) return undefined;
    const place = this.profiles.findLastIndex((profile) => usernameKey(this.app, profile) === foldUsername(username));
    const message = `${JSON.stringify(username)} is the username of another profile too: change one of them`;
    return { path: ["profiles", place, field], message };
  }

  #indexUsernames(): void {
    this.#byUsername = new Map();
    const field = usernameField(this.app);
    for (const profile of this.profiles) {
      const username = profile[field];
      if (username !== null) this.#byUsername.set(foldUsername(username), profile);
    }
  }

  #name(profile: ProfileRecord, before: ProfileRecord | undefined): void {
    const field = usernameField(this.app);
    const key = usernameKey(this.app, profile);
    const isRenamed = before !== undefined && before[field] !== profile[field];
    if (isRenamed && usernameKey(this.app, before) !== key) this.#unname(before);
    if (key !== undefined) this.#byUsername.set(key, profile);
  }

  // Two profiles can swap usernames within a transaction, so a name that another profile has taken is kept.
  #unname(profile: ProfileRecord): void {
    const key = usernameKey(this.app, profile);
    if (key !== undefined && this.#byUsername.get(key)?.userId === profile.userId) this.#byUsername.delete(key);
  }
}

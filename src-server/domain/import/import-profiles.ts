/**
 * Imports profiles: found by `userId`, or else by username; validated by the rules of their app (CONTRACT 6, state).
 */
import type { ProfileRecord } from "#contract/records.ts";
import { foldUsername, isoInstant, type JsonObject } from "#contract/scalars.ts";
import type { FixtureProfile } from "#contract/state.ts";
import { drawId } from "../deterministic.ts";
import { extrasOf, readProfileFields } from "../profile-fields.ts";
import { type AppImport, type Import, importedTime, importTime, refuse } from "./import-context.ts";

const importProfile = (
  into: Import,
  of: AppImport,
  stored: ProfileRecord | undefined,
  sent: FixtureProfile,
  path: string,
  entryKey: string,
): ProfileRecord | undefined => {
  const { app, isTaken } = of;
  const { userId, testPasscode: _, scenario: _2, createdAt: _3, updatedAt: _4, ...attributes } = sent;
  const read = readProfileFields(app, attributes as JsonObject, stored?.metadata ?? null);
  if ("errors" in read) {
    for (const [field, list] of Object.entries(read.errors))
      for (const text of list) refuse(into, `${path}.${field}`, text);
    return undefined;
  }
  const now = isoInstant(importTime(into, of));
  const createdAt = importedTime(into, of, sent, "createdAt", path);
  const { fields } = read;
  return {
    // Keyed by the position in the app, which is the same whether or not other apps are in the file.
    userId: stored?.userId ?? userId ?? drawId(into.env, app, entryKey, isTaken),
    seq: stored?.seq ?? into.changes.seq,
    name: fields.name === undefined ? (stored?.name ?? null) : fields.name,
    phone: fields.phone === undefined ? (stored?.phone ?? null) : fields.phone,
    email: fields.email === undefined ? (stored?.email ?? null) : fields.email,
    metadata: fields.metadata === undefined ? (stored?.metadata ?? null) : fields.metadata,
    createdAt: createdAt ?? stored?.createdAt ?? now,
    updatedAt: importedTime(into, of, sent, "updatedAt", path) ?? createdAt ?? now,
    ...extrasOf(sent, stored),
  };
};

/** Tracks usernames after the import; they can move between profiles within one import. */
class Usernames {
  readonly #claimed = new Map<string, string>();
  readonly #touched = new Set<string>();
  readonly #holderOf: AppImport["holderOf"];

  constructor(holderOf: AppImport["holderOf"]) {
    this.#holderOf = holderOf;
  }

  /** @returns whether this import has already included the profile. */
  seen(userId: string): boolean {
    return this.#touched.has(userId);
  }

  /** Records the profile's username after the import. @returns false if another entry has claimed it. */
  claim(userId: string, username: string | null): boolean {
    this.#touched.add(userId);
    if (username === null) return true;
    const folded = foldUsername(username);
    if (this.#claimed.has(folded)) return false;
    this.#claimed.set(folded, userId);
    return true;
  }

  /** @returns whether a profile outside the import has this username. */
  heldByOther(username: string): boolean {
    const holder = this.#holderOf(username);
    return holder !== undefined && !this.#touched.has(holder.userId);
  }
}

/** Finds the profile for a userId or username in the import; undefined if there is none. */
export interface ImportedUsers {
  byId(userId: string): string | undefined;
  byUsername(username: string): string | undefined;
}

/**
 * Imports the profiles of one app. @param written how many entries come from the input; the rest are generated.
 * @returns a look-up of them for the app's other entries.
 */
export const importProfiles = (
  into: Import,
  of: AppImport,
  sent: readonly FixtureProfile[],
  written: number,
): ImportedUsers => {
  const { app, before, holderOf } = of;
  const usernames = new Usernames(holderOf);
  const named = new Set(sent.map((entry) => entry.userId));
  const find = (entry: FixtureProfile): ProfileRecord | undefined => {
    const stored = entry.userId === undefined ? undefined : before?.find("profiles", entry.userId);
    if (stored !== undefined) return stored;
    const username = entry[app.strategy];
    const holder = typeof username === "string" ? holderOf(username) : undefined;
    // A profile with an entry of its own is not matched, because that entry may change its username.
    return holder !== undefined && named.has(holder.userId) ? undefined : holder;
  };

  const imported: { readonly profile: ProfileRecord; readonly at: string }[] = [];
  const ids = new Map<string, string>();
  const byName = new Map<string, string>();
  for (const [i, entry] of sent.entries()) {
    const entryKey = `profiles[${i}]`;
    const at = i < written ? `${of.path}.${entryKey}` : `${of.path}.generate`;
    const profile = importProfile(into, of, find(entry), entry, at, entryKey);
    if (profile === undefined) {
      // Entries that refer to a rejected profile are not errors themselves.
      const username = entry[app.strategy];
      if (entry.userId !== undefined) ids.set(entry.userId, entry.userId);
      if (typeof username !== "string") continue;
      if (!usernames.claim(entryKey, username)) refuse(into, `${at}.${app.strategy}`, "has already been taken");
      byName.set(foldUsername(username), entryKey);
      continue;
    }
    if (usernames.seen(profile.userId)) {
      refuse(into, `${at}.userId`, "stands twice in this app");
      continue;
    }
    if (!usernames.claim(profile.userId, profile[app.strategy]))
      refuse(into, `${at}.${app.strategy}`, "has already been taken");
    into.changes.put("profiles", app.appId, profile);
    imported.push({ profile, at });
    ids.set(entry.userId ?? profile.userId, profile.userId);
  }
  for (const { profile, at } of imported) {
    const username = profile[app.strategy];
    if (username === null) continue;
    byName.set(foldUsername(username), profile.userId);
    if (usernames.heldByOther(username)) refuse(into, `${at}.${app.strategy}`, "has already been taken");
  }
  return {
    byId: (userId) => ids.get(userId) ?? before?.find("profiles", userId)?.userId,
    byUsername: (username) => byName.get(foldUsername(username)) ?? holderOf(username)?.userId,
  };
};

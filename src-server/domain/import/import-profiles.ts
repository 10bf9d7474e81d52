/**
 * Imports profiles: found by `userId`, or else by username; validated by the rules of their app (CONTRACT 6, state).
 */
import type { ProfileRecord } from "#contract/records.ts";
import { foldUsername, isoInstant, type JsonObject } from "#contract/scalars.ts";
import type { FixtureProfile } from "#contract/state.ts";
import { usernameField } from "#contract/strategies.ts";
import { drawId } from "../deterministic.ts";
import { extrasOf, readProfileFields } from "../profile-fields.ts";
import { profileRecord } from "../profiles.ts";
import { type AppImport, type Import, importedTime, importTime, refuse, refuseAll } from "./import-context.ts";

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
    refuseAll(into, path, read.errors);
    return undefined;
  }
  const now = isoInstant(importTime(into, of));
  const createdAt = importedTime(into, of, sent.createdAt, `${path}.createdAt`);
  const own = {
    // Keyed by the position in the app, which is the same whether or not other apps are in the file.
    userId: stored?.userId ?? userId ?? drawId(into.env, app, entryKey, isTaken),
    seq: stored?.seq ?? into.changes.seq,
    createdAt: createdAt ?? stored?.createdAt ?? now,
    updatedAt: importedTime(into, of, sent.updatedAt, `${path}.updatedAt`) ?? createdAt ?? now,
  };
  return profileRecord(own, { ...stored, ...read.fields }, extrasOf(sent, stored));
};

/** Finds the profile for a userId or username in the import; undefined if there is none. */
export interface ImportedUsers {
  byId(userId: string): string | undefined;
  byUsername(username: string): string | undefined;
}

/** Imports the profiles of one app. @param written how many come from the input; the rest are generated. */
export const importProfiles = (
  into: Import,
  of: AppImport,
  sent: readonly FixtureProfile[],
  written: number,
): ImportedUsers => {
  const { app, before, holderOf } = of;
  const field = usernameField(app);
  const named = new Set(sent.map((entry) => entry.userId));
  /** Profiles included so far, and their usernames after the import, which can move between profiles within it. */
  const touched = new Set<string>();
  const claimed = new Set<string>();
  const claim = (userId: string, username: string | null, at: string): void => {
    touched.add(userId);
    if (username === null) return;
    if (claimed.has(foldUsername(username))) refuse(into, `${at}.${field}`, "has already been taken");
    claimed.add(foldUsername(username));
  };
  const find = (entry: FixtureProfile): ProfileRecord | undefined => {
    const stored = entry.userId === undefined ? undefined : before?.find("profiles", entry.userId);
    if (stored !== undefined) return stored;
    const username = entry[field];
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
      const username = entry[field];
      if (entry.userId !== undefined) ids.set(entry.userId, entry.userId);
      if (typeof username !== "string") continue;
      claim(entryKey, username, at);
      byName.set(foldUsername(username), entryKey);
      continue;
    }
    if (touched.has(profile.userId)) {
      refuse(into, `${at}.userId`, "stands twice in this app");
      continue;
    }
    claim(profile.userId, profile[field], at);
    into.changes.put("profiles", app.appId, profile);
    imported.push({ profile, at });
    ids.set(entry.userId ?? profile.userId, profile.userId);
  }
  for (const { profile, at } of imported) {
    const username = profile[field];
    if (username === null) continue;
    byName.set(foldUsername(username), profile.userId);
    const holder = holderOf(username);
    if (holder !== undefined && !touched.has(holder.userId)) refuse(into, `${at}.${field}`, "has already been taken");
  }
  return {
    byId: (userId) => ids.get(userId) ?? before?.find("profiles", userId)?.userId,
    byUsername: (username) => byName.get(foldUsername(username)) ?? holderOf(username)?.userId,
  };
};

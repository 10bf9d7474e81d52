/**
 * Imports profiles: found by `userId`, or else by username; validated by the rules of their app.
 */

import type { FixtureProfile } from "#contract/control/state.ts";
import { foldUsername, isoInstant, type JsonObject } from "#contract/scalars.ts";
import type { ProfileRecord } from "#contract/service/records.ts";
import { USERNAMES, type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { extrasOf, fittedBeside, readMetadata, readProfileFields } from "../profile-fields.ts";
import { profileRecord } from "../profiles.ts";
import { lockedOut, testPasscodeError } from "../setting-clashes.ts";
import type { AppWorld } from "../world.ts";
import { type AppImport, importedTime } from "./import-context.ts";

/** @returns whether an import leaves a profile as it is: then its `updatedAt` stays, too. */
const isUnchanged = (stored: ProfileRecord, next: ProfileRecord, sent: FixtureProfile): boolean =>
  (sent.updatedAt === undefined || stored.updatedAt === next.updatedAt) &&
  JSON.stringify({ ...stored, updatedAt: "" }) === JSON.stringify({ ...next, updatedAt: "" });

/** Finds profiles that have no username in the input by their other field, each of them once. */
const byOtherField = (before: AppWorld, field: UsernameField, sent: readonly FixtureProfile[]) => {
  const [other = field] = USERNAMES[field].others;
  const named = new Set(
    sent.map((entry) => (typeof entry[field] === "string" ? foldUsername(entry[field]) : undefined)),
  );
  const known = new Map<string, ProfileRecord[]>();
  // Those without a username go first; those whose username has its own entry are meant by that.
  const others = before.profiles.filter(
    (profile) => profile[field] !== null && !named.has(foldUsername(profile[field])),
  );
  for (const profile of [...before.profiles.filter((one) => one[field] === null), ...others]) {
    const value = profile[other];
    if (value === null) continue;
    const list = known.get(foldUsername(value));
    if (list === undefined) known.set(foldUsername(value), [profile]);
    else list.push(profile);
  }
  return (entry: FixtureProfile, isFree: (profile: ProfileRecord) => boolean): ProfileRecord | undefined => {
    const value = entry[other];
    const found = typeof value === "string" ? known.get(foldUsername(value))?.filter(isFree) : undefined;
    return found?.find(({ name }) => name === (entry.name ?? null)) ?? found?.[0];
  };
};

/** The ids of profiles that the input gives none: by their app and username, else by name and place. */
const idsByName = ({ env, app, isTaken }: AppImport) => {
  const counts = new Map<string, number>();
  const idOf = (name: string): string => env.nameId(`${app.appId}/${name}`);
  return {
    /** Of a username. One that another profile has by now, who has changed theirs, is passed over. */
    of: (username: string): string => {
      const name = foldUsername(username);
      let id = idOf(name);
      for (let again = 2; isTaken(id); again++) id = idOf(`${name}/${again}`);
      return id;
    },
    /** Of someone without a username, by their place among those with the same name: met again by it. */
    ofNameless: (name: string | null | undefined): string => {
      const key = `/${name ?? ""}`;
      const place = (counts.get(key) ?? 0) + 1;
      counts.set(key, place);
      return idOf(`${key}/${place}`);
    },
  };
};

/** @returns the metadata of an entry, as much of it as fits with what the user has if it is a row of people. */
const metadataOf = (of: AppImport, stored: ProfileRecord | undefined, metadata: JsonObject, path: string) => {
  const before = stored?.metadata;
  if (!of.fit || !before) return metadata;
  const { extension } = before;
  if (extension !== undefined && metadata["extension"] !== undefined && metadata["extension"] !== extension)
    of.errors.add(`${path}.phone`, `is that of ${stored.name ?? "somebody"} with the extension ${String(extension)}`);
  const fit = fittedBeside(of.app, before, metadata);
  if (fit !== undefined) of.users.cut = (of.users.cut ?? 0) + 1;
  return fit ?? metadata;
};

/** @param entry its path in the input, its new id if it gives none, and whether its formats are known to be valid. */
const importProfile = (
  of: AppImport,
  stored: ProfileRecord | undefined,
  sent: FixtureProfile,
  entry: { readonly path: string; readonly newId: () => string; readonly isStrict: boolean },
): ProfileRecord | undefined => {
  const { app, errors, changes } = of;
  const { path } = entry;
  const { userId, testPasscode: _, scenario: _2, createdAt: _3, updatedAt: _4, ...rest } = sent;
  const { signedIn: _5, sessions: _6, passcode: _7, ...fields } = rest;
  if (fields.metadata) fields.metadata = metadataOf(of, stored, fields.metadata, path);
  const before = stored?.metadata ?? null;
  const read = entry.isStrict
    ? readMetadata(app, { data: fields, warnings: [] }, [], before)
    : readProfileFields(app, fields as JsonObject, before);
  if ("errors" in read) {
    errors.addAll(read.errors, path);
    return undefined;
  }
  const now = isoInstant(of.nowMs);
  const createdAt = importedTime(of, sent.createdAt, `${path}.createdAt`);
  const own = {
    userId: stored?.userId ?? userId ?? entry.newId(),
    seq: stored?.seq ?? changes.seq,
    createdAt: createdAt ?? stored?.createdAt ?? now,
    updatedAt: importedTime(of, sent.updatedAt, `${path}.updatedAt`) ?? createdAt ?? now,
  };
  return profileRecord(own, { ...stored, ...read.fields }, extrasOf(sent, stored));
};

const TAKEN = "has already been taken";

/** Finds the profile for a userId or username in the import; undefined if there is none. */
export interface ImportedUsers {
  byId(userId: string): string | undefined;
  byUsername(username: string): string | undefined;
}

/** Imports the profiles of one app. @param written how many come from the input; the rest are generated. */
export function* importProfiles(
  of: AppImport,
  sent: readonly FixtureProfile[],
  written: { readonly count: number; readonly areStrict: boolean },
): Steps<ImportedUsers> {
  const { app, before, holderOf, errors, changes, users } = of;
  const field = usernameField(app);
  let named: ReadonlySet<string | undefined> | undefined;
  /** The position of each profile included so far. */
  const touched = new Map<string, number>();
  const imported: ProfileRecord[] = [];
  /** The usernames after the import, which can move between profiles within it, and whose they are. */
  const claimed = new Map<string, string>();
  /** Profiles that were rejected, or that have another id than the input gives them. */
  const otherwise = new Map<string, string>();
  const pathOf = (place: number): string =>
    place < written.count ? `${of.path}.profiles[${place}]` : `${of.path}.generate`;
  const namesUser = (userId: string): boolean => {
    named ??= new Set(sent.map((entry) => entry.userId));
    return named.has(userId);
  };
  const isFree = ({ userId }: ProfileRecord): boolean => !touched.has(userId) && !namesUser(userId);
  let others: ReturnType<typeof byOtherField> | undefined;
  const claim = (userId: string, username: string | null, place: number): void => {
    if (username === null) return;
    const folded = foldUsername(username);
    if (claimed.has(folded)) errors.add(`${pathOf(place)}.${field}`, TAKEN);
    claimed.set(folded, userId);
  };
  const ids = idsByName(of);
  /** @param nameless the id of someone with neither id nor username. */
  const find = (entry: FixtureProfile, nameless: string | undefined): ProfileRecord | undefined => {
    const stored = entry.userId === undefined ? undefined : before?.find("profiles", entry.userId);
    if (stored !== undefined || before === undefined) return stored;
    const username = entry[field];
    if (typeof username === "string") {
      const holder = holderOf(username);
      // A profile with its own entry is not matched, because that entry may change its username.
      return holder === undefined || namesUser(holder.userId) ? undefined : holder;
    }
    if (nameless === undefined) return undefined;
    others ??= byOtherField(before, field, sent);
    const same = before.find("profiles", nameless);
    return others(entry, isFree) ?? (same !== undefined && isFree(same) ? same : undefined);
  };

  /** Takes the profile of an entry, each once. */
  const take = (profile: ProfileRecord, stored: ProfileRecord | undefined, entry: FixtureProfile, place: number) => {
    if (touched.has(profile.userId)) {
      // Two entries that found one profile by its username name no userId, or another.
      const [twice, text] = entry.userId === profile.userId ? ["userId", "appears twice in this app"] : [field, TAKEN];
      errors.add(`${pathOf(place)}.${twice}`, text);
      return;
    }
    touched.set(profile.userId, place);
    claim(profile.userId, profile[field], place);
    const isKept = stored !== undefined && isUnchanged(stored, profile, entry);
    users[stored === undefined ? "new" : isKept ? "same" : "changed"] += 1;
    imported.push(isKept ? stored : changes.put("profiles", app.appId, profile));
    if (entry.userId !== undefined && entry.userId !== profile.userId) otherwise.set(entry.userId, profile.userId);
  };

  yield* inSteps(sent, (entry, place) => {
    const isStrict = written.areStrict && place < written.count;
    const username = entry[field];
    const isNameless = typeof username !== "string" && entry.userId === undefined;
    const nameless = isNameless ? ids.ofNameless(entry.name) : undefined;
    const stored = find(entry, nameless);
    const newId = (): string => nameless ?? ids.of(username ?? "");
    const clash = testPasscodeError(app, entry.testPasscode);
    if (clash !== undefined) errors.add(`${pathOf(place)}.testPasscode`, clash);
    const profile = importProfile(of, stored, entry, { path: pathOf(place), newId, isStrict });
    if (profile !== undefined) take(profile, stored, entry, place);
    else {
      // Entries that refer to a rejected profile are not errors themselves.
      if (entry.userId !== undefined) otherwise.set(entry.userId, entry.userId);
      claim(`profiles[${place}]`, username ?? null, place);
    }
  });
  const untouched = (): ProfileRecord[] => before?.profiles.filter(({ userId }) => !touched.has(userId)) ?? [];
  const locked = before === undefined ? undefined : lockedOut(before.app, app, [...imported, ...untouched()]);
  if (locked !== undefined) errors.add(`${of.path}.settings.passcode.length`, locked);
  if (before !== undefined)
    yield* inSteps(imported, ({ userId, [field]: username }) => {
      const holder = username === null ? undefined : holderOf(username);
      if (holder !== undefined && !touched.has(holder.userId))
        errors.add(`${pathOf(touched.get(userId) ?? 0)}.${field}`, TAKEN);
    });
  return {
    byId: (userId) =>
      otherwise.get(userId) ?? (touched.has(userId) ? userId : before?.find("profiles", userId)?.userId),
    byUsername: (username) => claimed.get(foldUsername(username)) ?? holderOf(username)?.userId,
  };
}

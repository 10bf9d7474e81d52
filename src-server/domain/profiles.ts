/** What the administration interface does with profiles (SPEC 4.1, D1 to D15). */
import { effectiveSettings } from "#contract/effective-settings.ts";
import { invalid } from "#contract/problems.ts";
import {
  type ProfileChangeExtras,
  type ProfileItem,
  profileChangeExtras,
  profileExtras,
  profileFields,
  profileItem as profileItemShape,
} from "#contract/profiles.ts";
import { idOf, type ProfileRecord } from "#contract/records.ts";
import { isoInstant, type JsonObject } from "#contract/scalars.ts";
import { type FieldErrors, fieldErrors, mergeErrors, namesIn, unknownNames } from "#contract/validation.ts";
import { Changes, type Decision } from "./decision.ts";
import { newId } from "./deterministic.ts";
import { extrasOf, type ReadFields, readProfileFields } from "./profile-fields.ts";
import { isUntouched, PROFILE_FIELDS, ruleErrors, takenError, withoutIgnoredNulls } from "./profile-rules.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** Reads the attributes, by the fields' own rules and by those of the app: all errors at once. */
const readByRules = (app: AppWorld, raw: JsonObject, metadata: JsonObject | null, isNew: boolean): ReadFields => {
  const read = readProfileFields(app.app, raw, metadata);
  const errors = ruleErrors(app.app, raw, isNew);
  if (Object.keys(errors).length === 0) return read;
  return { errors: mergeErrors("errors" in read ? read.errors : {}, errors) };
};

/**
 * Creates a profile with the attributes given (SPEC 4.1.1).
 * @param raw the body; unknown fields, and those that the service makes itself, are passed over (D10).
 */
export const createProfile = (
  world: World,
  app: AppWorld,
  raw: JsonObject,
  env: Env,
  extras: ProfileChangeExtras = {},
): Decision<ProfileRecord> => {
  const read = readByRules(app, raw, null, true);
  if ("errors" in read) return invalid(read.errors);
  const taken = takenError(app, read.fields);
  if (taken !== undefined) return invalid(taken);

  const changes = new Changes(world);
  const { name = null, phone = null, email = null, metadata = null } = read.fields;
  const now = isoInstant(env.now(app.app.appId));
  const profile = changes.put("profiles", app.app.appId, {
    userId: newId(env, app, "profile"),
    seq: changes.seq,
    name,
    phone,
    email,
    metadata,
    createdAt: now,
    updatedAt: now,
    ...extrasOf(extras),
  });
  return changes.decided(profile, read.notes);
};

/**
 * Changes the fields that are present; `null` clears; metadata is merged, unless the control API asks to replace it
 * (SPEC 2.1.2, D2, D3). @param stored the profile as it is now.
 */
export const updateProfile = (
  world: World,
  app: AppWorld,
  stored: ProfileRecord,
  raw: JsonObject,
  env: Env,
  extras: ProfileChangeExtras = {},
): Decision<ProfileRecord> => {
  const sent = withoutIgnoredNulls(app.app, raw);
  const read = readByRules(app, sent, extras.metadataMode === "replace" ? null : stored.metadata, false);
  if ("errors" in read) return invalid(read.errors);
  const taken = takenError(app, read.fields, stored.userId);
  if (taken !== undefined) return invalid(taken);

  const changes = new Changes(world);
  const { testPasscode: _, scenario: _2, ...rest } = stored;
  const changed: ProfileRecord = {
    ...rest,
    ...read.fields,
    updatedAt: isoInstant(env.now(app.app.appId)),
    ...extrasOf(extras, stored),
  };
  if (isUntouched(app.app, stored, changed)) return changes.decided(stored, read.notes);
  return changes.decided(changes.put("profiles", app.app.appId, changed), read.notes);
};

/**
 * Deletes profiles with their sessions and passcodes. Connections that the service manages stay listed as disabled; the
 * others go (SPEC 1, 4.1.2, D14). An id that is not there is passed over.
 * @returns how many there were.
 */
export const deleteProfiles = (world: World, app: AppWorld, userIds: readonly string[], env: Env): Decision<number> => {
  const changes = new Changes(world);
  const { appId } = app.app;
  const found = [...new Set(userIds)].filter((userId) => app.find("profiles", userId) !== undefined);
  const disabledAt = isoInstant(env.now(appId));
  const connections = found.flatMap((userId) => app.of("connections", userId));
  for (const connection of connections) {
    if (connection.managed && connection.status === "connected") {
      changes.put("connections", appId, { ...connection, status: "disabled", disabledAt });
    }
  }
  const idsOf = (noun: "sessions" | "passcodes") => found.flatMap((userId) => app.of(noun, userId).map(idOf));
  const loose = connections.filter((connection) => !connection.managed);
  changes.remove("connections", appId, loose.map(idOf));
  changes.remove("sessions", appId, idsOf("sessions"));
  changes.remove("passcodes", appId, idsOf("passcodes"));
  changes.remove("profiles", appId, found);
  return changes.decided(found.length);
};

/** @returns what the control API refuses, where admin and auth ignore it (D10): keys that no profile has. */
const strangersIn = (attributes: JsonObject, extras: readonly string[]): FieldErrors | undefined => {
  const strangers = Object.keys(attributes).filter((key) => !Object.hasOwn(profileItemShape.shape, key));
  return strangers.length === 0 ? undefined : unknownNames(strangers, [...Object.keys(profileFields.shape), ...extras]);
};

/** Reads what only the control API may set; the rest are attributes. All errors at once. */
const withExtras = (
  app: AppWorld,
  raw: JsonObject,
  schema: typeof profileExtras | typeof profileChangeExtras,
  metadata: JsonObject | null,
  decide: (attributes: JsonObject, extras: ProfileChangeExtras) => Decision<ProfileRecord>,
): Decision<ProfileRecord> => {
  const isExtra = ([key]: [string, unknown]): boolean => Object.hasOwn(schema.shape, key);
  const entries = Object.entries(raw);
  const others = Object.fromEntries(entries.filter((entry) => !isExtra(entry)));
  const extras = schema.safeParse(Object.fromEntries(entries.filter(isExtra)), { reportInput: true });
  const strangers = strangersIn(others, Object.keys(schema.shape));
  const attributes = Object.fromEntries(Object.entries(others).filter(([key]) => PROFILE_FIELDS.has(key)));
  if (extras.success && strangers === undefined) return decide(attributes, extras.data);
  const fields = readProfileFields(app.app, attributes, metadata);
  const found = extras.success ? {} : fieldErrors(extras.error, { known: namesIn(schema) });
  return invalid(mergeErrors("errors" in fields ? fields.errors : {}, found, strangers ?? {}));
};

/** As `createProfile`, for the control API, which may set `testPasscode` and `scenario` too. */
export const addProfile = (world: World, app: AppWorld, raw: JsonObject, env: Env): Decision<ProfileRecord> =>
  withExtras(app, raw, profileExtras, null, (attributes, extras) => createProfile(world, app, attributes, env, extras));

/** As `updateProfile`, for the control API, which may set `testPasscode` and `scenario`, and replace the metadata too. */
export const changeProfile = (
  world: World,
  app: AppWorld,
  stored: ProfileRecord,
  raw: JsonObject,
  env: Env,
): Decision<ProfileRecord> =>
  withExtras(app, raw, profileChangeExtras, stored.metadata, (attributes, extras) =>
    updateProfile(world, app, stored, attributes, env, extras),
  );

/** User Profile as create, retrieve and list show it, keys in the order of SPEC (D15). */
export const profileAnswer = (profile: ProfileRecord) => ({
  userId: profile.userId,
  name: profile.name,
  phone: profile.phone,
  email: profile.email,
  metadata: profile.metadata,
  createdAt: profile.createdAt,
  updatedAt: profile.updatedAt,
});

/** User Profile as update shows it: `id`, and `phone` as null when the request carried one (SPEC 2.1.3, 2.1.4, D11). */
export const profileUpdateAnswer = (app: AppWorld, profile: ProfileRecord, raw: JsonObject) => {
  const { userId, ...shown } = profileAnswer(profile);
  const hidden = Object.hasOwn(raw, "phone") && effectiveSettings(app.app.settings).updateResponsePhone === "null";
  return { id: userId, ...shown, phone: hidden ? null : shown.phone };
};

/** A profile as the control API shows it. */
export const profileItem = (appId: string, profile: ProfileRecord): ProfileItem => {
  const { userId, ...shown } = profileAnswer(profile);
  return { userId, appId, ...shown, testPasscode: profile.testPasscode ?? null, scenario: profile.scenario ?? null };
};

/** Profile operations of the admin interface (service.md 4.1, D1 to D15). */
import { foldUsername, isoInstant, type JsonObject } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { invalid } from "#contract/service/problems.ts";
import {
  type ProfileChangeExtras,
  type ProfileFields,
  type ProfileItem,
  profileChangeExtras,
  profileExtras,
  profileFields,
  profileItem as profileItemShape,
} from "#contract/service/profiles.ts";
import { idOf, type ProfileRecord } from "#contract/service/records.ts";
import { USERNAMES, usernameField } from "#contract/service/strategies.ts";
import { type FieldErrors, fieldErrors, mergeErrors, namesIn, unknownNames } from "#contract/validation.ts";
import { Changes, type Decision } from "./decision.ts";
import { newId } from "./new-ids.ts";
import { extrasOf, type ReadFields, readProfileFields } from "./profile-fields.ts";
import { isUntouched, PROFILE_FIELDS, ruleErrors, takenError, withoutIgnoredNulls } from "./profile-rules.ts";
import { testPasscodeError } from "./setting-clashes.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** Reads the attributes with the rules of the fields and of the app; reports all errors at once. */
const readByRules = (app: AppWorld, raw: JsonObject, metadata: JsonObject | null, isNew: boolean): ReadFields => {
  const read = readProfileFields(app.app, raw, metadata);
  const errors = ruleErrors(app.app, raw, isNew);
  if (Object.keys(errors).length === 0) return read;
  return { errors: mergeErrors("errors" in read ? read.errors : {}, errors) };
};

/** @returns a record; attributes not given are null (D1). Named one by one, so that V8 gives all records one shape. */
export const profileRecord = (
  { userId, seq, createdAt, updatedAt }: Pick<ProfileRecord, "userId" | "seq" | "createdAt" | "updatedAt">,
  { name = null, phone = null, email = null, metadata = null }: ProfileFields,
  extras: ReturnType<typeof extrasOf>,
): ProfileRecord => ({ userId, seq, name, phone, email, metadata, createdAt, updatedAt, ...extras });

/** Stores a new profile. @param fields valid and free. */
export const putProfile = (
  changes: Changes,
  app: AppWorld,
  fields: ProfileFields,
  env: Env,
  extras: ReturnType<typeof extrasOf> = {},
): ProfileRecord => {
  const { appId } = app.app;
  const userId = newId(env, app, "profile");
  const now = isoInstant(env.now(appId));
  const own = { userId, seq: changes.seq, createdAt: now, updatedAt: now };
  return changes.put("profiles", appId, profileRecord(own, fields, extras));
};

/**
 * Creates a profile (service.md 4.1.1). @param raw a body; unknown fields, and those of the service, are ignored (D10).
 * @param changes of a decision that goes on.
 */
export const createProfile = (
  world: World,
  app: AppWorld,
  raw: JsonObject,
  env: Env,
  extras: ProfileChangeExtras = {},
  changes: Changes = new Changes(world),
): Decision<ProfileRecord> => {
  const read = readByRules(app, raw, null, true);
  if ("errors" in read) return invalid(read.errors);
  const taken = takenError(app, read.fields);
  if (taken !== undefined) return invalid(taken);
  return changes.decided(putProfile(changes, app, read.fields, env, extrasOf(extras)), read.notes);
};

/** Updates the fields that are present: `null` clears, metadata is merged or replaced (service.md 2.1.2, D2, D3). */
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

const deleteFrom = (changes: Changes, app: AppWorld, userIds: readonly string[], env: Env): number => {
  const { appId } = app.app;
  const found = [...new Set(userIds)].filter((userId) => app.find("profiles", userId) !== undefined);
  const disabledAt = isoInstant(env.now(appId));
  const connections = found.flatMap((userId) => app.of("connections", userId));
  for (const connection of connections)
    if (connection.managed && connection.status === "connected")
      changes.put("connections", appId, { ...connection, status: "disabled", disabledAt });
  const loose = connections.filter((connection) => !connection.managed);
  changes.remove("connections", appId, loose.map(idOf));
  for (const noun of ["sessions", "passcodes"] as const) {
    const ids = found.flatMap((userId) => app.of(noun, userId).map(idOf));
    changes.remove(noun, appId, ids);
  }
  changes.remove("profiles", appId, found);
  return found.length;
};

/**
 * Deletes profiles with their sessions and passcodes. Connections managed by the service stay listed as disabled; the
 * others are deleted (service.md 1, 4.1.2, D14). Unknown ids are ignored.
 * @returns how many were deleted.
 */
export const deleteProfiles = (
  world: World,
  of: readonly (readonly [app: AppWorld, userIds: readonly string[]])[],
  env: Env,
): Decision<number> => {
  const changes = new Changes(world);
  const counts = of.map(([app, userIds]) => deleteFrom(changes, app, userIds, env));
  return changes.decided(counts.reduce((sum, count) => sum + count, 0));
};

/** @returns errors for unknown keys, which the control API rejects although admin and auth ignore them (D10). */
const unknownKeysIn = (attributes: JsonObject, extras: readonly string[]): FieldErrors | undefined => {
  const unknown = Object.keys(attributes).filter((key) => !Object.hasOwn(profileItemShape.shape, key));
  return unknown.length === 0 ? undefined : unknownNames(unknown, [...Object.keys(profileFields.shape), ...extras]);
};

/** Splits off the fields that only the control API can set; the rest are attributes. Reports all errors at once. */
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
  const unknown = unknownKeysIn(others, Object.keys(schema.shape));
  const attributes = Object.fromEntries(Object.entries(others).filter(([key]) => PROFILE_FIELDS.has(key)));
  const clash = extras.success ? testPasscodeError(app.app, extras.data.testPasscode) : undefined;
  if (extras.success && clash === undefined && unknown === undefined) return decide(attributes, extras.data);
  const fields = readProfileFields(app.app, attributes, metadata);
  const found = extras.success
    ? { ...(clash !== undefined && { testPasscode: [clash] }) }
    : fieldErrors(extras.error, { known: namesIn(schema) });
  return invalid(mergeErrors("errors" in fields ? fields.errors : {}, found, unknown ?? {}));
};

/** Like `createProfile`, for the control API, which can also set `testPasscode` and `scenario`. */
export const addProfile = (world: World, app: AppWorld, raw: JsonObject, env: Env): Decision<ProfileRecord> =>
  withExtras(app, raw, profileExtras, null, (attributes, extras) => createProfile(world, app, attributes, env, extras));

/** Like `updateProfile`, for the control API, which can also set `testPasscode` and `scenario` and replace metadata. */
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

/** @returns the profile that a phone or email means: by username or, if that is not given, by the other field. */
export const profileOfContact = (app: AppWorld, raw: JsonObject): ProfileRecord | undefined => {
  const field = usernameField(app.app);
  if (typeof raw[field] === "string") return app.profileByUsername(raw[field]);
  const [other] = USERNAMES[field].others.filter((name) => typeof raw[name] === "string");
  const contact = other === undefined ? undefined : foldUsername(String(raw[other]));
  return other && app.profiles.find((profile) => foldUsername(profile[other] ?? "") === contact);
};

/** Updates the profile that a phone or email means, or creates it: one transaction, so that it is always one profile. */
export const provideProfile = (world: World, app: AppWorld, raw: JsonObject, env: Env): Decision<ProfileRecord> => {
  const known = profileOfContact(app, raw);
  if (known === undefined) return addProfile(world, app, raw, env);
  const current: Readonly<Record<string, unknown>> = profileItem(app.app.appId, known);
  const isSame = Object.entries(raw).every(([name, value]) => current[name] === value);
  return isSame ? new Changes(world).decided(known) : changeProfile(world, app, known, raw, env);
};

/** User Profile in the responses of create, retrieve and list, with keys in the order of service.md 2.1 (D15). */
export const profileAnswer = ({ userId, name, phone, email, metadata, createdAt, updatedAt }: ProfileRecord) => ({
  userId,
  name,
  phone,
  email,
  metadata,
  createdAt,
  updatedAt,
});

/** User Profile in the response of update: `id`, and `phone` null if the request set it (service.md 2.1.3, 2.1.4, D11). */
export const profileUpdateAnswer = (app: AppWorld, profile: ProfileRecord, raw: JsonObject) => {
  const { userId, ...shown } = profileAnswer(profile);
  const hidden = Object.hasOwn(raw, "phone") && effectiveSettings(app.app.settings).updateResponsePhone === "null";
  return { id: userId, ...shown, phone: hidden ? null : shown.phone };
};

/** @returns a profile in the form of the control API. */
export const profileItem = (appId: string, profile: ProfileRecord): ProfileItem => {
  const { userId, ...shown } = profileAnswer(profile);
  const { testPasscode = null, scenario = null } = profile;
  return { userId, appId, ...shown, testPasscode, scenario };
};

/**
 * What the administration interface does with profiles (SPEC 4.1, D1 to D15).
 */
import { invalid, problem } from "#contract/problems.ts";
import { type ProfileItem, profileExtras } from "#contract/profiles.ts";
import type { ProfileRecord } from "#contract/records.ts";
import { isoInstant, type JsonObject } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/settings.ts";
import { fieldErrors } from "#contract/validation.ts";
import { Changes } from "./changes.ts";
import type { Decision } from "./decision.ts";
import { newId } from "./deterministic.ts";
import type { Env } from "./env.ts";
import { allErrors, readProfileFields, takenError } from "./profile-fields.ts";
import type { AppWorld, World } from "./world.ts";

/** What only the control API may set. */
export interface ProfileExtras {
  readonly testPasscode?: string | null;
}

/**
 * Creates a profile with the attributes given (SPEC 4.1.1).
 * @param raw the body; unknown fields, and those that the service makes itself, are passed over (D10).
 */
export const createProfile = (
  world: World,
  app: AppWorld,
  raw: JsonObject,
  env: Env,
  extras: ProfileExtras = {},
): Decision<ProfileRecord> => {
  const read = readProfileFields(app.app, raw, null);
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
    ...(typeof extras.testPasscode === "string" ? { testPasscode: extras.testPasscode } : {}),
  });
  return changes.decided(profile, read.notes);
};

/** Changes the fields that are present; `null` clears; metadata is merged (SPEC 2.1.2, D2, D3). */
export const updateProfile = (
  world: World,
  app: AppWorld,
  userId: string,
  raw: JsonObject,
  env: Env,
  extras: ProfileExtras = {},
): Decision<ProfileRecord> => {
  const stored = app.find("profiles", userId);
  if (stored === undefined) return problem("unknown_profile");
  const read = readProfileFields(app.app, raw, stored.metadata);
  if ("errors" in read) return invalid(read.errors);
  const taken = takenError(app, read.fields, userId);
  if (taken !== undefined) return invalid(taken);

  const changes = new Changes(world);
  const { testPasscode, ...rest } = stored;
  const code = extras.testPasscode === undefined ? testPasscode : extras.testPasscode;
  const profile = changes.put("profiles", app.app.appId, {
    ...rest,
    ...read.fields,
    updatedAt: isoInstant(env.now(app.app.appId)),
    ...(typeof code === "string" ? { testPasscode: code } : {}),
  });
  return changes.decided(profile, read.notes);
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
  changes.remove(
    "connections",
    appId,
    connections.filter((c) => !c.managed).map((c) => c.id),
  );
  changes.remove(
    "sessions",
    appId,
    found.flatMap((userId) => app.of("sessions", userId).map((s) => s.id)),
  );
  changes.remove(
    "passcodes",
    appId,
    found.flatMap((userId) => app.of("passcodes", userId).map((p) => p.id)),
  );
  changes.remove("profiles", appId, found);
  return changes.decided(found.length);
};

/** Deletes one profile; it must be there (D14). */
export const deleteProfile = (world: World, app: AppWorld, userId: string, env: Env): Decision<number> =>
  app.find("profiles", userId) === undefined ? problem("unknown_profile") : deleteProfiles(world, app, [userId], env);

const readExtras = (raw: JsonObject) => {
  const parsed = profileExtras.safeParse(raw, { reportInput: true });
  return parsed.success ? { extras: parsed.data } : { errors: fieldErrors(parsed.error) };
};

const withExtras = (
  app: AppWorld,
  raw: JsonObject,
  stored: JsonObject | null,
  decide: (attributes: JsonObject, extras: ProfileExtras) => Decision<ProfileRecord>,
): Decision<ProfileRecord> => {
  const { testPasscode, ...attributes } = raw;
  const read = readExtras(testPasscode === undefined ? {} : { testPasscode });
  if ("extras" in read) return decide(attributes, read.extras);
  const fields = readProfileFields(app.app, attributes, stored);
  return invalid(allErrors("errors" in fields ? fields.errors : undefined, read.errors) ?? read.errors);
};

/** As `createProfile`, for the control API, which may set `testPasscode` too. */
export const addProfile = (world: World, app: AppWorld, raw: JsonObject, env: Env): Decision<ProfileRecord> =>
  withExtras(app, raw, null, (attributes, extras) => createProfile(world, app, attributes, env, extras));

/** As `updateProfile`, for the control API, which may set `testPasscode` too. */
export const changeProfile = (
  world: World,
  app: AppWorld,
  userId: string,
  raw: JsonObject,
  env: Env,
): Decision<ProfileRecord> => {
  const stored = app.find("profiles", userId);
  if (stored === undefined) return problem("unknown_profile");
  return withExtras(app, raw, stored.metadata, (attributes, extras) =>
    updateProfile(world, app, userId, attributes, env, extras),
  );
};

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
  return { userId, appId, ...shown, testPasscode: profile.testPasscode ?? null };
};

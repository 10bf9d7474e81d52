/** Rules from the app's settings: which profile fields are required, unique, or nullable. */
import { foldUsername, isJsonObject, type JsonDraft, type JsonObject, setKey } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { type ProfileFields, profileFields } from "#contract/service/profiles.ts";
import type { AppRecord, ProfileRecord } from "#contract/service/records.ts";
import { USERNAMES, type UsernameField, usernameField } from "#contract/service/strategies.ts";
import type { FieldErrors } from "#contract/validation.ts";
import type { AppWorld } from "./world.ts";

/** The attributes of a profile in a body. */
export const PROFILE_FIELDS: ReadonlySet<string> = new Set(Object.keys(profileFields.shape));

const BLANK = ["can't be blank"] as const;
const UNKNOWN = ["is unknown"] as const;
/** The error of a username that another profile has. */
export const TAKEN = ["has already been taken"] as const;

/** @param raw a body, or the user of one who signs up. @returns errors for required fields that are missing (D1). */
export const requiredErrors = ({ settings }: AppRecord, raw: JsonObject, isNew: boolean): FieldErrors => {
  const { profile, update } = effectiveSettings(settings);
  const errors: FieldErrors = {};
  for (const field of profile.required) {
    const value = raw[field];
    const isLeftOut = isNew ? value === undefined || value === null : value === null && update.null !== "ignore";
    if (isLeftOut) errors[field] = BLANK;
  }
  return errors;
};

/** @param raw a body. @returns errors for fields that are missing, null or unknown (D1, D2, D10). */
export const ruleErrors = (app: AppRecord, raw: JsonObject, isNew: boolean): FieldErrors => {
  const { update, unknownFields } = effectiveSettings(app.settings);
  const errors = requiredErrors(app, raw, isNew);
  if (!isNew && update.null === "refuse")
    for (const [field, value] of Object.entries(raw))
      if (value === null && PROFILE_FIELDS.has(field)) errors[field] = BLANK;
  if (unknownFields === "refuse")
    for (const field of Object.keys(raw)) if (!PROFILE_FIELDS.has(field)) setKey(errors, field, UNKNOWN);
  return errors;
};

/** @returns the body of an update without the nulls that the app ignores (D2). */
export const withoutIgnoredNulls = ({ settings }: AppRecord, raw: JsonObject): JsonObject =>
  effectiveSettings(settings).update.null === "ignore"
    ? Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null))
    : raw;

const mergeDeep = (stored: JsonObject, sent: JsonObject, isDeep: boolean, removes: boolean): JsonObject => {
  const merged: JsonDraft = { ...stored };
  for (const [key, value] of Object.entries(sent)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (value === null && removes) delete merged[key];
    else if (isDeep && isJsonObject(value))
      merged[key] = mergeDeep(isJsonObject(before) ? before : {}, value, isDeep, removes);
    else merged[key] = value;
  }
  return merged;
};

/** Merges, by default at the top level (service.md 2.1.2, D3). @param sent with converted keys, none `__proto__`. */
export const mergeMetadata = ({ settings }: AppRecord, stored: JsonObject | null, sent: JsonObject): JsonObject => {
  const { merge, null: nulls } = effectiveSettings(settings).metadata;
  if (merge === "shallow" && nulls === "keep") return { ...stored, ...sent };
  return mergeDeep(stored ?? {}, sent, merge === "deep", nulls === "remove");
};

/** @returns the profile with this value in the field that is not the username. Scans all profiles: few apps need it. */
const otherHolder = ({ profiles }: AppWorld, field: UsernameField, value: string): ProfileRecord | undefined => {
  const folded = foldUsername(value);
  return profiles.find((profile) => profile[field] !== null && foldUsername(profile[field]) === folded);
};

/** @returns errors for values that another profile has; undefined if they are free (D9). */
export const takenError = (
  app: AppWorld,
  fields: Pick<ProfileFields, UsernameField>,
  self?: string,
): FieldErrors | undefined => {
  const field = usernameField(app.app);
  const username = fields[field];
  const errors: FieldErrors = {};
  const isTaken = (holder: ProfileRecord | undefined): boolean => holder !== undefined && holder.userId !== self;
  if (typeof username === "string" && isTaken(app.profileByUsername(username))) errors[field] = TAKEN;
  if (effectiveSettings(app.app.settings).profile.unique === "both")
    for (const other of USERNAMES[field].others) {
      const value = fields[other];
      if (typeof value === "string" && isTaken(otherHolder(app, other, value))) errors[other] = TAKEN;
    }
  return Object.keys(errors).length === 0 ? undefined : errors;
};

/** @returns whether an update changes nothing but `updatedAt`, in an app that then keeps `updatedAt` (D2). */
export const isUntouched = ({ settings }: AppRecord, before: ProfileRecord, after: ProfileRecord): boolean => {
  if (effectiveSettings(settings).update.touch === "always") return false;
  const told = ({ updatedAt: _, ...others }: ProfileRecord): string =>
    JSON.stringify(Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1)));
  return told(before) === told(after);
};

/** @returns a user's display name. */
export const nameOf = ({ name, phone, email, userId }: ProfileRecord): string => name ?? phone ?? email ?? userId;

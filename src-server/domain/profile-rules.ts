/** What an app's settings ask of a profile beyond its fields (CONTRACT 12): what is required, unique, or may be null. */
import { effectiveSettings } from "#contract/effective-settings.ts";
import { type ProfileFields, profileFields } from "#contract/profiles.ts";
import type { AppRecord, ProfileRecord } from "#contract/records.ts";
import { foldUsername, isJsonObject, type JsonObject, setKey } from "#contract/scalars.ts";
import type { FieldErrors } from "#contract/validation.ts";

/** The fields of a body that a profile has. */
export const PROFILE_FIELDS: ReadonlySet<string> = new Set(Object.keys(profileFields.shape));

const BLANK = ["can't be blank"];
const UNKNOWN = ["is unknown"];
const TAKEN = ["has already been taken"];

/**
 * @param raw the body as sent. @param isNew whether it makes a profile; otherwise it changes one.
 * @returns what the app does not accept: fields that are required, null or unknown (D1, D2, D10); `{}` if nothing.
 */
export const ruleErrors = ({ settings }: AppRecord, raw: JsonObject, isNew: boolean): FieldErrors => {
  const { profile, update, unknownFields } = effectiveSettings(settings);
  const errors: FieldErrors = {};
  for (const field of profile.required) {
    const value = raw[field];
    const isLeftOut = isNew ? value === undefined || value === null : value === null && update.null !== "ignore";
    if (isLeftOut) errors[field] = BLANK;
  }
  if (!isNew && update.null === "refuse")
    for (const [field, value] of Object.entries(raw))
      if (value === null && PROFILE_FIELDS.has(field)) errors[field] = BLANK;
  if (unknownFields === "refuse")
    for (const field of Object.keys(raw)) if (!PROFILE_FIELDS.has(field)) setKey(errors, field, UNKNOWN);
  return errors;
};

/** @returns the body of an update without the nulls that the app ignores (D2); others as they are. */
export const withoutIgnoredNulls = ({ settings }: AppRecord, raw: JsonObject): JsonObject =>
  effectiveSettings(settings).update.null === "ignore"
    ? Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null))
    : raw;

const mergeDeep = (stored: JsonObject, sent: JsonObject, isDeep: boolean, removes: boolean): JsonObject => {
  const merged: JsonObject = { ...stored };
  for (const [key, value] of Object.entries(sent)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (value === null && removes) delete merged[key];
    else if (isDeep && isJsonObject(value))
      merged[key] = mergeDeep(isJsonObject(before) ? before : {}, value, isDeep, removes);
    else merged[key] = value;
  }
  return merged;
};

/**
 * @param stored null on create. @param sent its keys are converted, and none is `__proto__`.
 * @returns both, by default merged at the top level: stored keys that are absent from the request are kept (SPEC 2.1.2, D3).
 */
export const mergeMetadata = ({ settings }: AppRecord, stored: JsonObject | null, sent: JsonObject): JsonObject => {
  const { merge, null: nulls } = effectiveSettings(settings).metadata;
  if (merge === "shallow" && nulls === "keep") return { ...stored, ...sent };
  return mergeDeep(stored ?? {}, sent, merge === "deep", nulls === "remove");
};

/** An app with its profiles. */
interface Profiles {
  readonly app: AppRecord;
  readonly profiles: readonly ProfileRecord[];
  profileByUsername(username: string): ProfileRecord | undefined;
}

/** @returns who has this value in the field that is not the username. Goes through all profiles: few apps ask for it. */
const otherHolder = ({ profiles }: Profiles, field: "phone" | "email", value: string): ProfileRecord | undefined => {
  const folded = foldUsername(value);
  return profiles.find((profile) => profile[field] !== null && foldUsername(profile[field]) === folded);
};

/** @returns the errors of values that another profile of the app has; undefined if they are free (D9). */
export const takenError = (
  app: Profiles,
  fields: Pick<ProfileFields, "phone" | "email">,
  self?: string,
): FieldErrors | undefined => {
  const { strategy, settings } = app.app;
  const other = strategy === "phone" ? "email" : "phone";
  const [username, second] = [fields[strategy], fields[other]];
  const errors: FieldErrors = {};
  const isTaken = (holder: ProfileRecord | undefined): boolean => holder !== undefined && holder.userId !== self;
  if (typeof username === "string" && isTaken(app.profileByUsername(username))) errors[strategy] = TAKEN;
  if (typeof second === "string" && effectiveSettings(settings).profile.unique === "both")
    if (isTaken(otherHolder(app, other, second))) errors[other] = TAKEN;
  return Object.keys(errors).length === 0 ? undefined : errors;
};

/** @returns whether a change alters nothing that a client sees but the time, and the app leaves that time alone (D2). */
export const isUntouched = ({ settings }: AppRecord, before: ProfileRecord, after: ProfileRecord): boolean => {
  if (effectiveSettings(settings).update.touch === "always") return false;
  const shown = ({ name, phone, email, metadata, testPasscode, scenario }: ProfileRecord): string =>
    JSON.stringify([name, phone, email, metadata, testPasscode, scenario]);
  return shown(before) === shown(after);
};

/** The attributes of a profile as sent: validated, converted, and checked against the limits (D4 to D10). */
import { isJsonArray, isJsonObject, type JsonDraft, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { metadataLimitErrors } from "#contract/service/metadata.ts";
import {
  type ProfileExtras,
  type ProfileFields,
  profileFields,
  profileFieldsLenient,
} from "#contract/service/profiles.ts";
import type { AppRecord, ProfileRecord } from "#contract/service/records.ts";
import { type FieldErrors, fieldErrors } from "#contract/validation.ts";
import { fitted } from "#people/fitted.ts";
import type { Notes } from "./decision.ts";
import { mergeMetadata, PROFILE_FIELDS } from "./profile-rules.ts";

const SNAKE_CASE = /^[a-z0-9]+(_[a-z0-9]+)+$/;

const UNDERSCORE = 0x5f;
const SMALL_A = 0x61;
/** How many characters are joined at a time: a key can be as long as a body. */
const AT_A_TIME = 4_096;

/** @param key a key as sent. @returns it in camelCase if it is strict snake_case, else unchanged (D4). */
const convertKey = (key: string): string => {
  if (!SNAKE_CASE.test(key)) return key;
  let converted = "";
  let codes: number[] = [];
  for (let at = 0; at < key.length; at++) {
    let code = key.charCodeAt(at);
    if (code === UNDERSCORE) {
      code = key.charCodeAt(++at);
      if (code >= SMALL_A) code -= 0x20;
    }
    codes.push(code);
    if (codes.length < AT_A_TIME) continue;
    converted += String.fromCharCode(...codes);
    codes = [];
  }
  return converted + String.fromCharCode(...codes);
};

const convertValue = (value: JsonValue, path: string, met: string[]): JsonValue => {
  if (isJsonArray(value)) return value.map((entry, i) => convertValue(entry, `${path}[${i}]`, met));
  return isJsonObject(value) ? convertObject(value, path, met) : value;
};

/**
 * Converts keys at every depth, also inside arrays.
 * @param object already validated: no `__proto__` key, no deeper than the body reader accepts.
 * @param met receives the paths where two keys of the request collided (the later one wins).
 */
const convertObject = (object: JsonObject, path: string, met: string[]): JsonObject => {
  const converted: JsonDraft = {};
  for (const [key, value] of Object.entries(object)) {
    const name = convertKey(key);
    if (Object.hasOwn(converted, name)) met.push(`${path}.${name}`);
    // Most values are scalars and need no path.
    converted[name] = typeof value === "object" && value !== null ? convertValue(value, `${path}.${key}`, met) : value;
  }
  return converted;
};

/** Valid attributes, or their errors. */
export type ReadFields =
  | { readonly fields: ProfileFields; readonly notes: Required<Pick<Notes, "ignoredFields" | "warnings">> }
  | { readonly errors: FieldErrors };

const sentences = (errors: FieldErrors): string[] =>
  Object.entries(errors).flatMap(([field, list]) => list.map((text) => `${field} ${text}`));

type Parsed<T> = { success: true; data: T } | { success: false; error: Parameters<typeof fieldErrors>[0] };
type Check<T> = { safeParse(raw: unknown, params: { reportInput: boolean }): Parsed<T> };
/** A schema and its lenient counterpart. */
export type Checks<T> = Readonly<Record<"strict" | "lenient", Check<T>>>;

/** Validates with the strict schema. A lenient app stores what that rejects, with warnings. */
export const checkFor = <T>(
  app: AppRecord,
  checks: Checks<T>,
  raw: unknown,
): { readonly data: T; readonly warnings: readonly string[] } | { readonly errors: FieldErrors } => {
  // `reportInput` tells a missing field from a wrong one.
  const strict = checks.strict.safeParse(raw, { reportInput: true });
  if (strict.success) return { data: strict.data, warnings: [] };
  const errors = fieldErrors(strict.error);
  if (effectiveSettings(app.settings).validation === "strict") return { errors };
  const lenient = checks.lenient.safeParse(raw, { reportInput: true });
  return lenient.success ? { data: lenient.data, warnings: sentences(errors) } : { errors: fieldErrors(lenient.error) };
};

const CHECKS: Checks<ProfileFields> = { strict: profileFields, lenient: profileFieldsLenient };

/** Reads attributes, all errors at once. @param stored the metadata to merge with; null for a create. */
export const readProfileFields = (app: AppRecord, raw: JsonObject, stored: JsonObject | null): ReadFields => {
  const checked = checkFor(app, CHECKS, raw);
  if ("errors" in checked) return checked;
  const ignoredFields = Object.keys(raw).filter((key) => !PROFILE_FIELDS.has(key));
  return readMetadata(app, checked, ignoredFields, stored);
};

/** Reads the metadata of valid attributes. @param stored as for `readProfileFields`. */
export const readMetadata = (
  app: AppRecord,
  checked: { readonly data: ProfileFields; readonly warnings: readonly string[] },
  ignoredFields: readonly string[],
  stored: JsonObject | null,
): ReadFields => {
  const warnings = new Set(checked.warnings);
  const sent = checked.data.metadata;
  if (sent === undefined || sent === null)
    return { fields: checked.data, notes: { ignoredFields, warnings: [...warnings] } };

  const met: string[] = [];
  const metadata = convertObject(sent, "metadata", met);
  for (const path of met) warnings.add(`${path}: two keys of the request are the same in camelCase; the later one won`);
  const merged = mergeMetadata(app, stored, metadata);
  const errors = metadataLimitErrors(merged);
  if (errors.length > 0 && effectiveSettings(app.settings).validation === "strict")
    return { errors: { metadata: errors } };
  for (const error of errors) warnings.add(`metadata ${error}`);
  return { fields: { ...checked.data, metadata: merged }, notes: { ignoredFields, warnings: [...warnings] } };
};

/**
 * @param sent the metadata of a row of people. @returns what the user has with as much of it as the limits allow;
 * undefined if all of it fits.
 */
export const fittedBeside = (app: AppRecord, stored: JsonObject, sent: JsonObject): JsonObject | undefined => {
  const isLenient = effectiveSettings(app.settings).validation === "lenient";
  const merged = mergeMetadata(app, stored, convertObject(sent, "metadata", []));
  if (isLenient || metadataLimitErrors(merged).length === 0) return undefined;
  const added = Object.keys(merged).filter((key) => !Object.hasOwn(stored, key));
  const cut: JsonDraft = { ...merged };
  fitted(cut, added);
  if (metadataLimitErrors(cut).length === 0) return cut;
  // What it changes is too large: then it only adds.
  const more: JsonDraft = { ...merged, ...stored };
  fitted(more, added);
  return metadataLimitErrors(more).length === 0 ? more : stored;
};

/** @returns the fields that only the control API sets, as stored: absent ones stay, `null` removes one. */
export const extrasOf = (given: ProfileExtras, stored: Pick<ProfileRecord, keyof ProfileExtras> = {}) => {
  const { testPasscode = stored.testPasscode, scenario = stored.scenario } = given;
  return { ...(testPasscode == null ? {} : { testPasscode }), ...(scenario == null ? {} : { scenario }) };
};

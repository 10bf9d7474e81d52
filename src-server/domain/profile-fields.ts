/**
 * The attributes of a profile as somebody sends them: checked, converted, and compared with what they may be (D4 to D10).
 */
import { metadataLimitFaults } from "#contract/metadata.ts";
import { type ProfileFields, profileFields, profileFieldsLenient } from "#contract/profiles.ts";
import type { AppRecord, ProfileRecord } from "#contract/records.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/settings.ts";
import { type FieldErrors, fieldErrors, mergeErrors } from "#contract/validation.ts";
import type { Notes } from "./decision.ts";
import { convertMetadata, mergeMetadata } from "./metadata.ts";

/** Attributes that may be stored, or what is wrong with them. */
export type ReadFields =
  | { readonly fields: ProfileFields; readonly notes: Required<Omit<Notes, "userId">> }
  | { readonly errors: FieldErrors };

const sentences = (errors: FieldErrors): string[] =>
  Object.entries(errors).flatMap(([field, list]) => list.map((text) => `${field} ${text}`));

/** A schema with its lenient twin. */
export interface Checks<T> {
  readonly strict: { safeParse(raw: unknown, params?: { reportInput: boolean }): Parsed<T> };
  readonly lenient: { safeParse(raw: unknown, params?: { reportInput: boolean }): Parsed<T> };
}
type Parsed<T> = { success: true; data: T } | { success: false; error: Parameters<typeof fieldErrors>[0] };

/**
 * Checks by the strict schema, or, where the app is lenient, stores what the strict one refuses and says so.
 * @returns the value and the warnings, or what is wrong by field.
 */
export const checkFor = <T>(
  app: AppRecord,
  checks: Checks<T>,
  raw: unknown,
): { readonly data: T; readonly warnings: readonly string[] } | { readonly errors: FieldErrors } => {
  const strict = checks.strict.safeParse(raw);
  if (strict.success) return { data: strict.data, warnings: [] };
  // Parsed again, now with the input kept, so that an absent field can be told from a wrong one.
  const again = checks.strict.safeParse(raw, { reportInput: true });
  const errors = again.success ? {} : fieldErrors(again.error);
  if (effectiveSettings(app.settings).validation === "strict") return { errors };
  const lenient = checks.lenient.safeParse(raw, { reportInput: true });
  return lenient.success ? { data: lenient.data, warnings: sentences(errors) } : { errors: fieldErrors(lenient.error) };
};

const CHECKS: Checks<ProfileFields> = { strict: profileFields, lenient: profileFieldsLenient };
const KNOWN = new Set(Object.keys(profileFields.shape));

/**
 * Reads the attributes of a create or an update.
 * @param raw the body as sent. @param stored the metadata that it is merged with; null on create.
 * @returns the fields that were present, metadata already merged; or every error at once.
 */
export const readProfileFields = (app: AppRecord, raw: JsonObject, stored: JsonObject | null): ReadFields => {
  const checked = checkFor(app, CHECKS, raw);
  const ignoredFields = Object.keys(raw).filter((key) => !KNOWN.has(key));
  if ("errors" in checked) return checked;
  const warnings = [...checked.warnings];
  const sent = checked.data.metadata;
  if (sent === undefined || sent === null) return { fields: checked.data, notes: { ignoredFields, warnings } };

  const { metadata, met } = convertMetadata(sent);
  for (const path of met)
    warnings.push(`${path}: two keys of the request are the same in camelCase; the later one won`);
  const merged = mergeMetadata(stored, metadata);
  const faults = metadataLimitFaults(merged);
  if (faults.length > 0 && effectiveSettings(app.settings).validation === "strict")
    return { errors: { metadata: faults } };
  warnings.push(...faults.map((fault) => `metadata ${fault}`));
  return { fields: { ...checked.data, metadata: merged }, notes: { ignoredFields, warnings } };
};

/** @returns the error of a username that another profile of the app has; undefined if it is free (D9). */
export const takenError = (
  app: { readonly app: AppRecord; profileByUsername(username: string): ProfileRecord | undefined },
  fields: ProfileFields,
  self?: string,
): FieldErrors | undefined => {
  const field = app.app.strategy;
  const username = fields[field];
  if (username === undefined || username === null) return undefined;
  const holder = app.profileByUsername(username);
  return holder === undefined || holder.userId === self ? undefined : { [field]: ["has already been taken"] };
};

/** Both kinds of error at once, so that a client sees all of them. */
export const allErrors = (...errors: readonly (FieldErrors | undefined)[]): FieldErrors | undefined => {
  const found = errors.filter((e) => e !== undefined);
  return found.length === 0 ? undefined : mergeErrors(...found);
};

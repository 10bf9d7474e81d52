/**
 * What is typed into the form of a profile.
 */
import type { Profile, ProfilePatch } from "#client/index.ts";
import { readJson } from "#contract/json-text.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { phoneValue, recipientText } from "../../ui/phone.ts";

/** The fields as they are typed. */
export interface Draft {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly testPasscode: string;
  readonly metadata: string;
}

/** @returns the fields of a profile, or empty ones, as they stand in the form before anything is typed. */
export const draftOf = (profile: Profile | null): Draft => ({
  name: profile?.name ?? "",
  phone: recipientText(profile?.phone ?? ""),
  email: profile?.email ?? "",
  testPasscode: profile?.testPasscode ?? "",
  metadata: profile?.metadata == null ? "" : JSON.stringify(profile.metadata, null, 2),
});

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @returns the metadata that a text says (null: none), or what is wrong with it. */
export const readMetadata = (
  text: string,
): { readonly value: JsonObject | null } | { readonly fault: string; readonly offset: number } => {
  if (text.trim() === "") return { value: null };
  const read = readJson(text);
  if ("value" in read)
    return isObject(read.value)
      ? { value: read.value }
      : { fault: "Metadata must be an object, in { and }", offset: 0 };
  const { line, column, message, offset } = read.error;
  return { fault: `Line ${line}, column ${column}: ${message}`, offset };
};

/** @returns what a draft changes, field by field; the metadata must be valid. If keys were removed, it replaces the metadata. */
export const changeOf = (base: Draft, draft: Draft): ProfilePatch => {
  const orNull = (text: string): string | null => (text === "" ? null : text);
  const [before, after] = [readMetadata(base.metadata), readMetadata(draft.metadata)];
  const [had, has] = ["value" in before ? before.value : null, "value" in after ? after.value : null];
  const dropsKeys = had !== null && has !== null && Object.keys(had).some((key) => !Object.hasOwn(has, key));
  return {
    ...(draft.name === base.name ? {} : { name: orNull(draft.name) }),
    ...(draft.phone === base.phone ? {} : { phone: orNull(phoneValue(draft.phone)) }),
    ...(draft.email === base.email ? {} : { email: orNull(draft.email.trim()) }),
    ...(draft.testPasscode === base.testPasscode ? {} : { testPasscode: orNull(draft.testPasscode.trim()) }),
    ...(draft.metadata === base.metadata ? {} : { metadata: has }),
    ...(dropsKeys ? { metadataMode: "replace" } : {}),
  };
};

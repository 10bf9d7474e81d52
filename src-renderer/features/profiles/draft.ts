/**
 * What is typed into the form. Drafts outlive a look at another profile or screen: nothing typed is lost but by choice.
 */
import { useEffect, useState } from "react";
import type { JsonObject } from "#contract/scalars.ts";
import type { ProfileChange } from "../../api/profile-actions.ts";
import type { Profile } from "../../api/records.ts";
import { jsonFault } from "../../ui/json-place.ts";
import { keepDrafts } from "../../ui/unsaved.ts";
import { phoneLook, phoneValue } from "./phone-typed.ts";

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
  phone: phoneLook(profile?.phone ?? ""),
  email: profile?.email ?? "",
  testPasscode: profile?.testPasscode ?? "",
  metadata: profile?.metadata == null ? "" : JSON.stringify(profile.metadata, null, 2),
});

/** @returns whether two drafts say the same. */
export const sameDraft = (a: Draft, b: Draft): boolean =>
  a.name === b.name &&
  a.phone === b.phone &&
  a.email === b.email &&
  a.testPasscode === b.testPasscode &&
  a.metadata === b.metadata;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @returns the metadata that a text says (null: none), or what is wrong with it. */
export const readMetadata = (
  text: string,
): { readonly value: JsonObject | null } | { readonly fault: string; readonly offset: number } => {
  if (text.trim() === "") return { value: null };
  const fault = jsonFault(text);
  if (fault !== undefined)
    return { fault: `Line ${fault.line}, column ${fault.column}: ${fault.words}`, offset: fault.offset };
  const value: unknown = JSON.parse(text);
  return isObject(value) ? { value } : { fault: "Metadata is an object, in { and }", offset: 0 };
};

/** @returns what a draft changes, field by field, and whether it drops keys of the metadata; the metadata must be valid. */
export const changeOf = (
  base: Draft,
  draft: Draft,
): { readonly change: ProfileChange; readonly dropsKeys: boolean } => {
  const orNull = (text: string): string | null => (text === "" ? null : text);
  const [before, after] = [readMetadata(base.metadata), readMetadata(draft.metadata)];
  const [had, has] = ["value" in before ? before.value : null, "value" in after ? after.value : null];
  return {
    change: {
      ...(draft.name === base.name ? {} : { name: orNull(draft.name) }),
      ...(draft.phone === base.phone ? {} : { phone: orNull(phoneValue(draft.phone)) }),
      ...(draft.email === base.email ? {} : { email: orNull(draft.email.trim()) }),
      ...(draft.testPasscode === base.testPasscode ? {} : { testPasscode: orNull(draft.testPasscode.trim()) }),
      ...(draft.metadata === base.metadata ? {} : { metadata: has }),
    },
    dropsKeys: had !== null && has !== null && Object.keys(had).some((key) => !Object.hasOwn(has, key)),
  };
};

interface Kept {
  /** What the form began with: what somebody else changes meanwhile is not taken for a change of the draft. */
  readonly base: Draft;
  readonly draft: Draft;
}

const kept = keepDrafts<Kept>();

/** The draft of a form. @param key names the profile, or the new one. */
export const useDraft = (key: string, profile: Profile | null) => {
  const [found] = useState(() => kept.get(key));
  const [{ base, draft }, set] = useState<Kept>(() => {
    const fields = draftOf(profile);
    return found ?? { base: fields, draft: fields };
  });
  const dirty = !sameDraft(base, draft);
  useEffect(() => {
    if (dirty) kept.keep(key, { base, draft });
    else kept.drop(key);
  }, [key, base, draft, dirty]);
  return {
    base,
    draft,
    dirty,
    /** It was typed before, and left. */
    found: found !== undefined,
    change: (part: Partial<Draft>) => set({ base, draft: { ...draft, ...part } }),
    /** Forgets what was typed. */
    drop: () => {
      kept.drop(key);
      set({ base, draft: base });
    },
    /** Begins anew with these fields. */
    restart: (fields: Draft) => {
      kept.drop(key);
      set({ base: fields, draft: fields });
    },
  };
};

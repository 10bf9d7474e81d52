/**
 * The input of the profile form, and the state in the URL: what is open, and the order of the list.
 *
 * Open is `new`, a user id, or `<app>~<user id>` while all apps are shown; a trailing `~edit` opens the form, `~sessions` a tab. App ids
 * never contain `~`. The order takes the place of the filter on other screens.
 */
import type { FieldErrors, Profile, ProfilePatch } from "#client/index.ts";
import type { JsonObject } from "#contract/scalars.ts";
import type { Attribute } from "#contract/service/attributes.ts";
import type { ProfileExtras, SortField } from "#contract/service/profiles.ts";
import { isObject } from "#contract/service/wire-body.ts";
import { readJson } from "#contract/words/json-text.ts";
import { phoneValue, recipientText } from "#contract/words/phone-words.ts";
import type { ProfileName, ProfileSort } from "../../api/profile-pages.ts";
import { SCENARIO_CHOICES } from "../../shared/fault/scenario-words.ts";

/** The fields as typed. */
export type ProfileDraft = Readonly<Record<Attribute | keyof ProfileExtras, string>>;

/** @returns the initial form values for a profile, or empty ones. */
export const profileDraftOf = (profile: Profile | null): ProfileDraft => ({
  name: profile?.name ?? "",
  phone: recipientText(profile?.phone ?? ""),
  email: profile?.email ?? "",
  testPasscode: profile?.testPasscode ?? "",
  scenario: typeof profile?.scenario === "object" && profile.scenario !== null ? "custom" : (profile?.scenario ?? ""),
  metadata: profile?.metadata == null ? "" : JSON.stringify(profile.metadata, null, 2),
});

/** @returns the metadata in a text (null: none), or its error. */
const readMetadata = (text: string): { readonly value: JsonObject | null } | { readonly fault: string } => {
  if (text.trim() === "") return { value: null };
  const read = readJson(text);
  if ("value" in read)
    return isObject(read.value) ? { value: read.value } : { fault: "Metadata must be an object, in { and }" };
  const { line, column, message } = read.error;
  return { fault: `Line ${line}, column ${column}: ${message}` };
};

/** @returns the errors of the metadata in a draft, by field. */
export const metadataErrors = ({ metadata }: Pick<ProfileDraft, "metadata">): FieldErrors => {
  const read = readMetadata(metadata);
  return "fault" in read ? { metadata: [read.fault] } : {};
};

const changedIn = (had: JsonObject, has: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(has).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(had[key])));

/** @returns the changed fields of a draft with valid metadata. If keys were removed, it replaces the metadata. */
export const changeOf = (base: ProfileDraft, draft: ProfileDraft): ProfilePatch => {
  const [had, has] = [base, draft].map(({ metadata }) => {
    const read = readMetadata(metadata);
    return "value" in read ? read.value : null;
  });
  const lost = had && has && Object.keys(had).some((key) => !Object.hasOwn(has, key));
  const scenario = SCENARIO_CHOICES.find(([name]) => name === draft.scenario)?.[0] ?? null;
  const values: Readonly<Record<keyof ProfileDraft, unknown>> = {
    name: draft.name || null,
    phone: phoneValue(draft.phone) || null,
    email: draft.email.trim() || null,
    testPasscode: draft.testPasscode.trim() || null,
    scenario,
    metadata: has === null || has === undefined || lost ? (has ?? null) : changedIn(had ?? {}, has),
  };
  const before = new Map(Object.entries(base));
  const after = new Map(Object.entries(draft));
  return {
    ...Object.fromEntries(Object.entries(values).filter(([field]) => after.get(field) !== before.get(field))),
    ...(lost && { metadataMode: "replace" }),
  };
};

/** The parts of a user that have a tab, and the form. */
const PARTS = ["sessions", "connections", "logins", "edit"] as const;
/** A tab, or the form. */
export type ProfilePart = (typeof PARTS)[number];

/** What is open; `part` null: the profile itself. */
type ProfilePlace =
  | { readonly kind: "none" | "new" }
  | {
      readonly kind: "profile";
      readonly appId: string | null;
      readonly userId: string;
      readonly part: ProfilePart | null;
    };

/** @returns what a URL opens. @param app the app in the URL. */
export const readPlace = (id: string | null, app: string | null): ProfilePlace => {
  if (id === null || id === "new") return { kind: id ?? "none" };
  const names = id.split("~");
  const part = (names.length > 1 && PARTS.find((known) => known === names.at(-1))) || null;
  const [first = "", second] = part === null ? names : names.slice(0, -1);
  return {
    kind: "profile",
    ...(second === undefined ? { appId: app, userId: first } : { appId: first, userId: second }),
    part,
  };
};

/** @returns the id of a profile in a URL. @param app the app in the URL. */
export const placeOf = ({ appId, userId }: ProfileName, app: string | null, part: ProfilePart | null = null): string =>
  [...(app === null ? [appId] : []), userId, ...(part === null ? [] : [part])].join("~");

const FIELDS = new Set<string>(["createdAt", "updatedAt", "name", "phone", "email"] satisfies readonly SortField[]);

const isField = (name: string): name is SortField => FIELDS.has(name);

/** @returns the order in a URL; oldest first by default. */
export const readSort = (show: string | null): ProfileSort => {
  const field = show?.replace(/^-/, "") ?? "";
  if (!isField(field)) return "createdAt";
  return show === field ? field : `-${field}`;
};

/** @returns the `aria-sort` value of a column. */
export const directionOf = (sort: ProfileSort, field: SortField): "ascending" | "descending" | "none" => {
  if (sort === field) return "ascending";
  return sort === `-${field}` ? "descending" : "none";
};

/** @returns the order after a click on a column: ascending, descending, ascending; null is the default order. */
export const nextSort = (sort: ProfileSort, field: SortField): ProfileSort | null => {
  const next: ProfileSort = sort === field ? `-${field}` : field;
  return next === "createdAt" ? null : next;
};

/**
 * What the address says of the profiles: what is open, and the order of the list.
 *
 * Open is `new`, a user id, or `<app>~<user id>` where all apps are shown; `~edit` at the end opens the form. An app id never
 * has a `~`. The order stands where other screens have their filter.
 */
import type { ProfileName, ProfileSort } from "../../api/profile-pages.ts";

/** What is open. */
export type ProfilePlace =
  | { readonly kind: "none" }
  | { readonly kind: "new" }
  | { readonly kind: "profile"; readonly appId: string | null; readonly userId: string; readonly editing: boolean };

const EDIT = "edit";

/** @returns what an address opens. @param app the app that the address names. */
export const readPlace = (id: string | null, app: string | null): ProfilePlace => {
  if (id === null) return { kind: "none" };
  if (id === "new") return { kind: "new" };
  const parts = id.split("~");
  const editing = parts.at(-1) === EDIT && parts.length > 1;
  const [first = "", second] = editing ? parts.slice(0, -1) : parts;
  return second === undefined
    ? { kind: "profile", appId: app, userId: first, editing }
    : { kind: "profile", appId: first, userId: second, editing };
};

/** @returns the id in the address of a profile. @param app the app that the address names. */
export const placeOf = ({ appId, userId }: ProfileName, app: string | null, editing = false): string =>
  [...(app === null ? [appId] : []), userId, ...(editing ? [EDIT] : [])].join("~");

/** @returns what tells profiles of all apps apart. */
export const keyOf = ({ appId, userId }: ProfileName): string => `${appId} ${userId}`;

/** What can be sorted by, with the words for it upwards and downwards. */
const FIELDS = {
  createdAt: ["Oldest first", "Newest first"],
  updatedAt: ["Least recently updated first", "Last updated first"],
  name: ["By name", "By name, descending"],
  phone: ["By phone", "By phone, descending"],
  email: ["By email", "By email, descending"],
} as const;
/** @see FIELDS */
export type SortField = keyof typeof FIELDS;

const SORTS: readonly { readonly sort: ProfileSort; readonly words: string }[] = (
  ["createdAt", "updatedAt", "name", "phone", "email"] as const
).flatMap((field) => [
  { sort: field, words: FIELDS[field][0] },
  { sort: `-${field}` as const, words: FIELDS[field][1] },
]);

/** @returns the order that an address names; oldest first if it names none. */
export const readSort = (show: string | null): ProfileSort =>
  SORTS.find(({ sort }) => sort === show)?.sort ?? "createdAt";

/** @returns how a list in this order is sorted by a field, in the words of `aria-sort`. */
export const directionOf = (sort: ProfileSort, field: SortField): "ascending" | "descending" | "none" => {
  if (sort === field) return "ascending";
  return sort === `-${field}` ? "descending" : "none";
};

/** @returns the order after a press on a column: up, down, up; null is the order that need not be named. */
export const nextSort = (sort: ProfileSort, field: SortField): ProfileSort | null => {
  const next: ProfileSort = sort === field ? `-${field}` : field;
  return next === "createdAt" ? null : next;
};

/** @returns the order in words. */
export const sortWords = (order: ProfileSort): string => SORTS.find(({ sort }) => sort === order)?.words ?? "";

/**
 * What is open of the profiles, as the address has it: `new`, a user id, or `<app>~<user id>` where all apps are shown;
 * `~edit` at the end opens the form. An app id never has a `~`.
 */
import type { ProfileName } from "../../api/profile-pages.ts";

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

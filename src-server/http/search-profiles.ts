/**
 * Search over profiles for the console: by text, sorted, by pages; in slices, so that requests are answered meanwhile.
 */
import type { ProfileItem } from "#contract/profiles.ts";
import type { ProfileRecord } from "#contract/records.ts";
import type { QueryOf } from "#contract/routes.ts";
import { profileItem } from "#domain/profiles.ts";
import type { World } from "#domain/world.ts";
import { appsOf } from "./select.ts";
import { filterInSlices, sortInSlices } from "./slices.ts";

interface Row {
  readonly appId: string;
  readonly profile: ProfileRecord;
}

/** A phone number, or a part of one, in groups as people write it: `202 555 0101`, `(202) 555-0101`. */
const isGrouped = (text: string): boolean => /^[+\d\s().-]+$/.test(text) && /\d/.test(text);

/** @param text in small letters. @returns whether name, phone, email, id or metadata has it. */
const matcher = (text: string) => {
  const phone = isGrouped(text) ? text.replaceAll(/[\s().-]/g, "") : text;
  return ({ profile }: Row): boolean =>
    (profile.name?.toLowerCase().includes(text) ?? false) ||
    (profile.phone?.includes(phone) ?? false) ||
    (profile.email?.toLowerCase().includes(text) ?? false) ||
    profile.userId.startsWith(text) ||
    (profile.metadata !== null && JSON.stringify(profile.metadata).toLowerCase().includes(text));
};

type SortField = "createdAt" | "updatedAt" | "name" | "phone" | "email";

/** Order is by `seq`: of creation always, of all else where two are the same. */
const comparer =
  (field: SortField, direction: 1 | -1) =>
  ({ profile: a }: Row, { profile: b }: Row): number => {
    const order = (a.seq - b.seq) * direction;
    if (field === "createdAt") return order;
    const [x, y] = [a[field], b[field]];
    if (x === y) return order;
    // Profiles without the field come last, whichever way.
    if (x === null) return 1;
    if (y === null) return -1;
    const [small, other] = [x.toLowerCase(), y.toLowerCase()];
    return small === other ? order : (small < other ? -1 : 1) * direction;
  };

/** @returns a page of the profiles that fit, as the control API shows them, and how many fit in all. */
export const searchProfiles = async (
  world: World,
  { appId, q = "", sort, page, limit }: QueryOf<"searchProfiles">,
): Promise<{ items: ProfileItem[]; total: number }> => {
  // An app without profiles has no part in the order of the others.
  const apps = appsOf(world, appId).filter((app) => app.profiles.length > 0);
  const text = q.trim().toLowerCase();
  const [from, to] = [(page - 1) * limit, page * limit];
  const [only, another] = apps;
  if (text === "" && sort === "createdAt" && only !== undefined && another === undefined) {
    const items = only.profiles.slice(from, to).map((profile) => profileItem(only.app.appId, profile));
    return { items, total: only.profiles.length };
  }
  const all = apps.flatMap((app) => app.profiles.map((profile): Row => ({ appId: app.app.appId, profile })));
  const found = text === "" ? all : await filterInSlices(all, matcher(text));
  const descending = sort.startsWith("-");
  const field = (descending ? sort.slice(1) : sort) as SortField;
  const sorted = await sortInSlices(found, comparer(field, descending ? -1 : 1));
  return { items: sorted.slice(from, to).map((row) => profileItem(row.appId, row.profile)), total: found.length };
};

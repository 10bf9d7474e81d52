/**
 * Profile search for the console: by text, sorted, paginated; in slices, so that other requests are served meanwhile.
 */
import { TEXTS, type TextAttribute } from "#contract/attributes.ts";
import { searchFold } from "#contract/fold.ts";
import { phoneValue } from "#contract/phone-words.ts";
import type { ProfileItem, SortField } from "#contract/profiles.ts";
import type { ProfileRecord } from "#contract/records.ts";
import type { QueryOf } from "#contract/routes.ts";
import { profileItem } from "#domain/profiles.ts";
import type { World } from "#domain/world.ts";
import { appsOf } from "./select.ts";
import { forEachInSlices, sortInSlices } from "./slices.ts";

interface FoundProfile {
  readonly appId: string;
  readonly profile: ProfileRecord;
}

/** @param text in lower case. @returns whether name, phone, email, id or metadata contains it. */
const matcher = (text: string) => {
  // A phone number, or part of one, as people write it: `202 555 0101`, `(202) 555-0101`, `+49 (0)171 1234567`.
  const number = phoneValue(text);
  const phone = /^\+?\d+$/.test(number) ? number : text;
  // The plus sign of an address, in a query that does not escape it.
  const email = text.includes("@") ? text.replaceAll(" ", "+") : text;
  // An apostrophe alone is sought as it is.
  const folded = searchFold(text) || text;
  const sought: Readonly<Record<TextAttribute, string>> = { name: folded, phone, email: searchFold(email) || email };
  return ({ profile }: FoundProfile): boolean =>
    TEXTS.some((field) => profile[field] !== null && searchFold(profile[field]).includes(sought[field])) ||
    profile.userId.startsWith(text) ||
    (profile.metadata !== null && searchFold(JSON.stringify(profile.metadata)).includes(folded));
};

/** Ties are ordered by `seq`, the order of creation. */
const comparer =
  (field: SortField, direction: 1 | -1) =>
  ({ profile: a }: FoundProfile, { profile: b }: FoundProfile): number => {
    const order = (a.seq - b.seq) * direction;
    if (field === "createdAt") return order;
    const x = a[field];
    const y = b[field];
    if (x === y) return order;
    // Profiles without the field come last in either direction.
    if (x === null) return 1;
    if (y === null) return -1;
    const small = x.toLowerCase();
    const other = y.toLowerCase();
    return small === other ? order : (small < other ? -1 : 1) * direction;
  };

/** @returns a page of matching profiles in the form of the control API, and the total number of matches. */
export const searchProfiles = async (
  world: World,
  { appId, q = "", sort, page, limit }: QueryOf<"searchProfiles">,
  monotonic: () => number,
): Promise<{ items: ProfileItem[]; total: number }> => {
  // Apps without profiles do not affect the order.
  const apps = appsOf(world, appId).filter((app) => app.profiles.length > 0);
  const text = q.trim().toLowerCase();
  const from = (page - 1) * limit;
  const to = page * limit;
  const [only, another] = apps;
  if (text === "" && sort === "createdAt" && only !== undefined && another === undefined) {
    const items = only.profiles.slice(from, to).map((profile) => profileItem(only.app.appId, profile));
    return { items, total: only.profiles.length };
  }
  const all = apps.flatMap((app) => app.profiles.map((profile): FoundProfile => ({ appId: app.app.appId, profile })));
  const found: FoundProfile[] = [];
  const matches = matcher(text);
  await forEachInSlices(all, monotonic, (row) => {
    if (matches(row)) found.push(row);
  });
  const field = sort.replace("-", "") as SortField;
  const sorted = await sortInSlices(found, comparer(field, sort.startsWith("-") ? -1 : 1));
  return { items: sorted.slice(from, to).map((row) => profileItem(row.appId, row.profile)), total: found.length };
};

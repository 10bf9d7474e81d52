/** Profile search for the console: by text, sorted, paginated, in slices. */

import { type QueryOf, routes } from "#contract/control/routes.ts";
import { TEXTS, type TextAttribute } from "#contract/service/attributes.ts";
import type { ProfileItem, SortField } from "#contract/service/profiles.ts";
import type { ProfileRecord } from "#contract/service/records.ts";
import { inSteps, type Steps, sortInSteps } from "#contract/steps.ts";
import { searchFold } from "#contract/words/fold.ts";
import { phoneValue } from "#contract/words/phone-words.ts";
import { profileItem } from "#domain/profiles.ts";
import type { World } from "#domain/world.ts";
import { answerInSlices, listPage } from "../answering/pages.ts";
import { finishInSlices } from "../answering/slices.ts";
import type { Deps } from "../deps.ts";
import { appsOf, recordNamed } from "./select.ts";

interface FoundProfile {
  readonly appId: string;
  readonly profile: ProfileRecord;
}

/** @param text in lower case. @returns whether name, phone, email, id or metadata contains it, or each of its words. */
const matcher = (text: string) => {
  const whole = textMatcher(text);
  const words = text.split(/\s+/);
  const each = words.length > 1 ? words.map(textMatcher) : [];
  return (row: FoundProfile): boolean => whole(row) || (each.length > 0 && each.every((matches) => matches(row)));
};

const textMatcher = (text: string) => {
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

/** @returns a text by which people sort: accents with their letter, 2 before 10. */
const sortKey = (text: string): string => searchFold(text).replaceAll(/\d+/g, (digits) => digits.padStart(12, "0"));

/** Ties are ordered by `seq`, the order of creation. */
const comparer = (field: SortField, direction: 1 | -1) => {
  const keys = new Map<string, string>();
  const keyOf = (text: string): string => {
    const key = keys.get(text) ?? sortKey(text);
    keys.set(text, key);
    return key;
  };
  return ({ profile: a }: FoundProfile, { profile: b }: FoundProfile): number => {
    const order = (a.seq - b.seq) * direction;
    if (field === "createdAt") return order;
    const x = a[field];
    const y = b[field];
    if (x === y) return order;
    // Profiles without the field come last in either direction.
    if (x === null) return 1;
    if (y === null) return -1;
    const small = keyOf(x);
    const other = keyOf(y);
    return small === other ? order : (small < other ? -1 : 1) * direction;
  };
};

interface FoundPage {
  readonly entries: readonly FoundProfile[];
  readonly total: number;
}

/** @returns the matching profiles from where the page begins, at most one more than `limit`. */
function* foundProfiles(
  world: World,
  { appId, q = "", sort, page, limit, after }: QueryOf<"searchProfiles">,
): Steps<FoundPage> {
  // Apps without profiles do not affect the order.
  const apps = appsOf(world, appId).filter((app) => app.profiles.length > 0);
  const text = q.trim().toLowerCase();
  const [only, another] = apps;
  const last = after === undefined ? undefined : recordNamed(world, "profiles", after, appId).record;
  if (text === "" && sort === "createdAt" && only !== undefined && another === undefined) {
    const { profiles } = only;
    const from = last === undefined ? (page - 1) * limit : profiles.indexOf(last) + 1;
    const entries = profiles.slice(from, from + limit + 1).map((profile) => ({ appId: only.app.appId, profile }));
    return { entries, total: profiles.length };
  }
  const all = apps.flatMap((app) => app.profiles.map((profile): FoundProfile => ({ appId: app.app.appId, profile })));
  const found: FoundProfile[] = [];
  const matches = matcher(text);
  yield* inSteps(all, (row) => {
    if (matches(row)) found.push(row);
  });
  const field = sort.replace("-", "") as SortField;
  const sorted = yield* sortInSteps(found, comparer(field, sort.startsWith("-") ? -1 : 1));
  const from = last === undefined ? (page - 1) * limit : sorted.findIndex(({ profile }) => profile === last) + 1;
  return { entries: sorted.slice(from, from + limit + 1), total: found.length };
}

/** @returns a page of matching profiles in the form of the control API, the total number, and where it goes on. */
export const searchProfiles = async (
  world: World,
  query: QueryOf<"searchProfiles">,
  { env, checks, maxima }: Pick<Deps, "env" | "checks" | "maxima">,
) => {
  const { limit } = query;
  const found = await finishInSlices(foundProfiles(world, query), env.monotonic);
  const show = ({ appId, profile }: FoundProfile): ProfileItem => profileItem(appId, profile);
  const steps = listPage({ ...found, limit, show, idOf: ({ userId }) => userId }, maxima.pageBytes);
  return await answerInSlices(steps, { env, checks }, routes.searchProfiles.answers[200]);
};

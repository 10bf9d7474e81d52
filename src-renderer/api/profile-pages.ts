/**
 * The profiles as a long list that is read by pages, and how the server's events change what was read of it.
 */
import { queryOptions } from "@tanstack/react-query";
import type { List, Profile, ProfileQuery } from "#client/index.ts";
import { cache } from "./cache.ts";
import { emulator, ofApp } from "./emulator.ts";

/** Rows of one page of the list on the screen. */
export const PAGE_ROWS = 100;
/** Rows that are asked for at once when many are read through; the server gives no more. */
const BULK_ROWS = 1_000;

/** By what the list is sorted. */
export type ProfileSort = NonNullable<ProfileQuery["sort"]>;

/** Which profiles, in which order. */
export interface ProfileList {
  /** Null: of all apps. */
  readonly appId: string | null;
  /** The search text. */
  readonly text: string;
  readonly sort: ProfileSort;
}

const read = ({ appId, text, sort }: ProfileList, page: number, limit: number, signal?: AbortSignal) => {
  const client = signal === undefined ? emulator : emulator.withSignal(signal);
  return client.profiles.list({ ...ofApp(appId), ...(text === "" ? {} : { q: text }), sort, page, limit });
};

/** One page of a list, the first being 1. */
export const profilePageQuery = (list: ProfileList, page: number) =>
  queryOptions({
    queryKey: ["profile-pages", list.appId, list.text, list.sort, page],
    queryFn: ({ signal }) => read(list, page, PAGE_ROWS, signal),
    gcTime: 60_000,
  });

/** @returns the rows from one place of a list to another (not included), however many. */
export const readProfileRows = async (
  list: ProfileList,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<Profile[]> => {
  const rows: Profile[] = [];
  const first = Math.floor(from / BULK_ROWS);
  for (let page = first; page * BULK_ROWS < to; page++) {
    const { items } = await read(list, page + 1, BULK_ROWS, signal);
    rows.push(...items);
    if (items.length < BULK_ROWS) break;
  }
  return rows.slice(from - first * BULK_ROWS, to - first * BULK_ROWS);
};

/** Names one profile: a user id is unique only within its app. */
export interface ProfileName {
  readonly appId: string;
  readonly userId: string;
}

/** What is heard of profiles; `unknown`: anything may have changed. */
export type ProfileNews = { readonly put: Profile } | { readonly removed: ProfileName } | "unknown";

const watchers = new Set<(news: ProfileNews) => void>();

/** Hears of every change of a profile. @returns how to stop. */
export const watchProfiles = (watcher: (news: ProfileNews) => void): (() => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** Tells who watches. */
export const tellOfProfiles = (news: ProfileNews): void => {
  for (const watcher of watchers) watcher(news);
};

/** A profile is new, or another than before: it changes where it stands; its place is read again in a moment. */
export const putInPages = (profile: Profile): void => {
  cache.setQueriesData<List<Profile>>({ queryKey: ["profile-pages"] }, (page) => {
    const at = page?.items.findIndex(({ appId, userId }) => appId === profile.appId && userId === profile.userId) ?? -1;
    return page === undefined || at < 0 ? page : { ...page, items: page.items.with(at, profile) };
  });
  tellOfProfiles({ put: profile });
};

/** A profile is gone: what follows it moves up when the pages are read again, in a moment. */
export const removeFromPages = (name: ProfileName): void => tellOfProfiles({ removed: name });

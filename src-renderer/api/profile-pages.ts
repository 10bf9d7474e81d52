/**
 * The profiles as a long list that is read by pages, and how the server's events change what was read of it.
 */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { routes } from "#contract/routes.ts";
import { ask } from "./client.ts";
import type { Listed, Profile } from "./records.ts";
import { RequestFailed } from "./request-failed.ts";

/** Rows of one page of the list on the screen. */
export const PAGE_ROWS = 100;
/** Rows that are asked for at once when many are read through; the server gives no more. */
const BULK_ROWS = 1_000;

/** By what the list is sorted. */
export type ProfileSort = NonNullable<z.input<(typeof routes)["searchProfiles"]["query"]>["sort"]>;

/** Which profiles, in which order. */
export interface ProfileList {
  /** Null: of all apps. */
  readonly appId: string | null;
  /** The search text. */
  readonly text: string;
  readonly sort: ProfileSort;
}

const read = ({ appId, text, sort }: ProfileList, page: number, rows: number, signal?: AbortSignal) =>
  ask(routes.searchProfiles, {
    ...(signal === undefined ? {} : { signal }),
    query: {
      ...(appId === null ? {} : { appId }),
      ...(text === "" ? {} : { q: text }),
      sort,
      page: String(page),
      limit: String(rows),
    },
  });

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

const SETTLE_MS = 300;
let settling: ReturnType<typeof setTimeout> | undefined;

// Not at each event: a search through 100,000 profiles that is asked anew all the time would never come to an end.
const readAgainSoon = (client: QueryClient): void => {
  if (settling !== undefined) return;
  settling = setTimeout(() => {
    settling = undefined;
    if (client.isFetching({ queryKey: ["profile-pages"] }) > 0) readAgainSoon(client);
    else void client.invalidateQueries({ queryKey: ["profile-pages"] });
  }, SETTLE_MS);
};

/** A profile is new, or another than before: it changes where it stands; its place is read again in a moment. */
export const putInPages = (client: QueryClient, profile: Profile): void => {
  client.setQueriesData<Listed<Profile>>({ queryKey: ["profile-pages"] }, (page) => {
    const at = page?.items.findIndex(({ appId, userId }) => appId === profile.appId && userId === profile.userId) ?? -1;
    return page === undefined || at < 0 ? page : { ...page, items: page.items.with(at, profile) };
  });
  tellOfProfiles({ put: profile });
  readAgainSoon(client);
};

/** A profile is gone: what follows it moves up when the pages are read again, in a moment. */
export const removeFromPages = (client: QueryClient, name: ProfileName): void => {
  tellOfProfiles({ removed: name });
  readAgainSoon(client);
};

/** The profile of a user id in whichever app has it; null if none has. */
export const anyProfileQuery = (userId: string) =>
  queryOptions({
    queryKey: ["profile", null, userId],
    queryFn: async ({ signal }): Promise<Profile | null> => {
      try {
        return await ask(routes.readProfile, { signal, params: { userId } });
      } catch (error) {
        if (error instanceof RequestFailed && error.status === 404) return null;
        throw error;
      }
    },
  });

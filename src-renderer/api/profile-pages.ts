/** The profile list, loaded by pages, and how events change the loaded pages. */
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { List, Profile, ProfileQuery } from "#client/index.ts";
import { cache } from "./cache.ts";
import { emulator, ofApp } from "./emulator.ts";

/** Rows per page on screen. */
export const PAGE_ROWS = 100;
/** Rows per request when reading many; the server's maximum. */
const BULK_ROWS = 1_000;

/** The sort field of the list. */
export type ProfileSort = NonNullable<ProfileQuery["sort"]>;

/** Filter and order of a profile list. */
export interface ProfileList {
  readonly appId: string | null;
  readonly text: string;
  readonly sort: ProfileSort;
}

const read = ({ appId, text, sort }: ProfileList, page: number, limit: number, signal?: AbortSignal) => {
  const client = signal === undefined ? emulator : emulator.withSignal(signal);
  return client.profiles.list({ ...ofApp(appId), ...(text === "" ? {} : { q: text }), sort, page, limit });
};

/** One page of a list, from 1. */
export const profilePageQuery = (list: ProfileList, page: number) =>
  queryOptions({
    queryKey: ["profile-pages", list.appId, list.text, list.sort, page],
    queryFn: ({ signal }) => read(list, page, PAGE_ROWS, signal),
    gcTime: 60_000,
  });

/** @returns the rows in a range of a list (end excluded), however many. */
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

/** Identifies a profile: a user id is unique only within its app. */
export type ProfileName = Pick<Profile, "appId" | "userId">;

/** @returns a key that is unique across apps. */
export const keyOf = ({ appId, userId }: ProfileName): string => `${appId} ${userId}`;

/** A change of profiles; `unknown`: anything may have changed. */
type ProfileNews = { readonly put: Profile } | { readonly removed: ProfileName } | "unknown";

const watchers = new Set<(news: ProfileNews) => void>();

/** Calls the watcher on every change of profiles. @returns unsubscribe. */
export const watchProfiles = (watcher: (news: ProfileNews) => void): (() => void) => {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
};

/** Notifies the watchers. */
export const tellOfProfiles = (news: ProfileNews): void => {
  for (const watcher of watchers) watcher(news);
};

/** A profile was created or changed, and may move: updates it in place, and reloads its page shortly. */
export const putInPages = (profile: Profile): void => {
  cache.setQueriesData<List<Profile>>({ queryKey: ["profile-pages"] }, (page) => {
    const at = page?.items.findIndex((one) => keyOf(one) === keyOf(profile)) ?? -1;
    return page === undefined || at < 0 ? page : { ...page, items: page.items.with(at, profile) };
  });
  tellOfProfiles({ put: profile });
};

/** Pages that are scrolled past faster than this are not loaded. */
const PASSED_MS = 50;

/** @param pages the visible pages, from 1. @returns the loaded part of a list. */
export const useProfilePages = (list: ProfileList, pages: readonly [first: number, last: number]) => {
  // The first page is always loaded, for the total, and because a search shows its rows first.
  const first = useQuery({ ...profilePageQuery(list, 1), placeholderData: keepPreviousData });
  const [settled] = useDebouncedValue(pages.join(" "), PASSED_MS);
  const [from = 1, to = 1] = settled.split(" ").map(Number);
  const wanted = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i).filter((page) => page > 1);
  const others = useQueries({
    queries: first.isPlaceholderData ? [] : wanted.map((page) => profilePageQuery(list, page)),
  });
  return {
    /** Rows of the previous list, shown while this one loads. */
    before: first.isPlaceholderData,
    /** @returns the profile at an index; undefined until it is loaded. */
    at: (index: number): Profile | undefined => {
      const page = Math.floor(index / PAGE_ROWS) + 1;
      const data =
        page === 1
          ? first.data
          : (others[wanted.indexOf(page)]?.data ?? cache.getQueryData(profilePageQuery(list, page).queryKey));
      return data?.items[index % PAGE_ROWS];
    },
    /** Changes whenever rows do. */
    version: [first, ...others].map((page) => page.dataUpdatedAt).join(" "),
  };
};

/** Where a row is searched for, from its last position: up to 250 rows away, the nearest first. */
const NEAREST = Array.from({ length: 251 }, (_, off) => [off, -off]).flat();

/** @param list identifies the list: another one starts at the top. @param onShift called when all rows move. */
export const useAnchor = (
  scroller: RefObject<HTMLDivElement | null>,
  rows: ReturnType<typeof useProfilePages>,
  rowHeight: number,
  list: string,
  onShift: (by: number) => void,
): void => {
  const anchor = useRef<{ key: string; index: number } | null>(null);
  const shownList = useRef(list);
  const { at, version, before } = rows;

  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null || before || shownList.current === list) return;
    shownList.current = list;
    anchor.current = null;
    box.scrollTop = 0;
  }, [list, before, scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when rows were read
  useLayoutEffect(() => {
    const box = scroller.current;
    const held = anchor.current;
    if (box === null || held === null || box.scrollTop === 0) return;
    const isHeld = (by: number): boolean => {
      const profile = at(held.index + by);
      return profile !== undefined && keyOf(profile) === held.key;
    };
    const by = NEAREST.find(isHeld) ?? 0;
    if (by === 0) return;
    box.scrollTop += by * rowHeight;
    onShift(by);
  }, [version]);

  useLayoutEffect(() => {
    const index = Math.ceil((scroller.current?.scrollTop ?? 0) / rowHeight);
    const profile = at(index);
    anchor.current = profile === undefined ? null : { key: keyOf(profile), index };
  });
};

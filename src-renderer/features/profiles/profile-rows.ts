/**
 * The rows around what is on the screen, page by page; what one looks at stays where it is when rows come or go above it.
 */
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Profile } from "#client/index.ts";
import { PAGE_ROWS, type ProfileList, profilePageQuery } from "../../api/profile-pages.ts";
import { keyOf } from "./profile-words.ts";

/** A page that is only scrolled past is not asked for. */
const PASSED_MS = 50;

/** @param pages the pages in sight, the first being 1. @returns what is known of a list. */
export const useProfilePages = (list: ProfileList, pages: readonly [first: number, last: number]) => {
  const client = useQueryClient();
  // The first page is always there: it says how many there are, and a search shows its rows first.
  const first = useQuery({ ...profilePageQuery(list, 1), placeholderData: keepPreviousData });
  const [settled] = useDebouncedValue(pages.join(" "), PASSED_MS);
  const [from = 1, to = 1] = settled.split(" ").map(Number);
  const wanted = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i).filter((page) => page > 1);
  const others = useQueries({
    queries: first.isPlaceholderData ? [] : wanted.map((page) => profilePageQuery(list, page)),
  });
  return {
    /** The rows are of the list before: this one is still being read. */
    before: first.isPlaceholderData,
    /** @returns the profile at a place, undefined where it is not there yet. */
    at: (index: number): Profile | undefined => {
      const page = Math.floor(index / PAGE_ROWS) + 1;
      const data =
        page === 1
          ? first.data
          : (others[wanted.indexOf(page)]?.data ?? client.getQueryData(profilePageQuery(list, page).queryKey));
      return data?.items[index % PAGE_ROWS];
    },
    /** Changes whenever rows do. */
    version: [first, ...others].map((page) => page.dataUpdatedAt).join(" "),
  };
};

/** How far from its place a row is looked for. */
const NEAR = 250;

/** @param list names the list: another one begins at its top. @param onShift told by how many rows everything moved. */
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
    const keyAt = (index: number): string | null => {
      const profile: Profile | undefined = index < 0 ? undefined : at(index);
      return profile === undefined ? null : keyOf(profile);
    };
    for (let off = 0; off <= NEAR; off++) {
      const by = keyAt(held.index + off) === held.key ? off : keyAt(held.index - off) === held.key ? -off : null;
      if (by === null) continue;
      if (by !== 0) {
        box.scrollTop += by * rowHeight;
        onShift(by);
      }
      return;
    }
  }, [version]);

  useLayoutEffect(() => {
    const index = Math.ceil((scroller.current?.scrollTop ?? 0) / rowHeight);
    const profile = at(index);
    anchor.current = profile === undefined ? null : { key: keyOf(profile), index };
  });
};

/**
 * The rows around what is on the screen, page by page.
 */
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { PAGE_ROWS, type ProfileList, profilePageQuery } from "../../api/profile-pages.ts";
import type { Profile } from "../../api/records.ts";

/** A page that is only scrolled past is not asked for. */
const PASSED_MS = 50;

/** What is known of a list. */
export interface ProfileRows {
  /** The rows are of the list before: this one is still being read. */
  readonly before: boolean;
  /** @returns the profile at a place, undefined where it is not there yet. */
  readonly at: (index: number) => Profile | undefined;
  /** Changes whenever rows do. */
  readonly version: string;
}

/** @param pages the pages in sight, the first being 1. */
export const useProfilePages = (list: ProfileList, pages: readonly [first: number, last: number]): ProfileRows => {
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
    before: first.isPlaceholderData,
    at: (index) => {
      const page = Math.floor(index / PAGE_ROWS) + 1;
      const data =
        page === 1
          ? first.data
          : (others[wanted.indexOf(page)]?.data ?? client.getQueryData(profilePageQuery(list, page).queryKey));
      return data?.items[index % PAGE_ROWS];
    },
    version: [first, ...others].map((page) => page.dataUpdatedAt).join(" "),
  };
};

/**
 * The order of the list. It stands in the address as the filter of the screen does.
 */
import type { ProfileSort } from "../../api/profile-pages.ts";

/** What can be sorted by. */
export type SortField = "name" | "phone" | "email" | "createdAt" | "updatedAt";

const SORTS: readonly ProfileSort[] = [
  "createdAt",
  "-createdAt",
  "updatedAt",
  "-updatedAt",
  "name",
  "-name",
  "phone",
  "-phone",
  "email",
  "-email",
];

/** @returns the order that an address names; oldest first if it names none. */
export const readSort = (show: string | null): ProfileSort => SORTS.find((sort) => sort === show) ?? "createdAt";

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
export const sortWords = (sort: ProfileSort): string => {
  switch (sort) {
    case "createdAt":
      return "Oldest first";
    case "-createdAt":
      return "Newest first";
    case "updatedAt":
      return "Longest unchanged first";
    case "-updatedAt":
      return "Latest change first";
    case "name":
    case "phone":
    case "email":
      return `By ${sort}`;
    case "-name":
    case "-phone":
    case "-email":
      return `By ${sort.slice(1)}, backwards`;
  }
};

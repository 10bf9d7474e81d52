/** Reads a service's list of profiles, whatever its shape, and finds those of a run in it. */

import { isJsonArray, isJsonObject } from "#contract/scalars.ts";
import { Unobservable } from "./observation.ts";
import type { Service } from "./service.ts";

/** The path of the list. */
export const PROFILES = "/v1/profiles";
/** The names under which services take the page. */
export const PAGES = ["page", "pageNumber", "offset"] as const;
const MOST_PAGES = 200;

/** @param keys where to look. @returns the id, which may be a number, as it stands in a path; undefined if none. */
export const idIn = (body: unknown, ...keys: readonly string[]): string | undefined => {
  if (!isJsonObject(body)) return undefined;
  const id = keys.map((key) => body[key]).find((value) => value !== undefined && value !== null);
  if (typeof id === "number") return Number.isSafeInteger(id) ? String(id) : undefined;
  // Not "" nor "..", which are other paths.
  return typeof id === "string" && /[^.]/.test(id) ? id : undefined;
};

/** @returns the id of a profile. */
export const profileIdIn = (body: unknown): string | undefined => idIn(body, "userId", "id");

/** @returns the items of a list, with or without an envelope; undefined if it is not a list. */
const itemsIn = (body: unknown): readonly unknown[] | undefined => {
  if (isJsonArray(body)) return body;
  if (!isJsonObject(body)) return undefined;
  return Object.values(body).find((value) => isJsonArray(value));
};

/** A page of the list. */
export interface Page {
  readonly status: number;
  readonly isTaken: boolean;
  readonly items: readonly unknown[];
  /** Of the items; the whole item where it has none. */
  readonly ids: readonly string[];
  readonly body: unknown;
  /** The page size that the service reports; null: none. */
  readonly size: number | null;
}

/** @returns a page; the service's own first one without `query`. */
export const readPage = async (
  service: Service,
  query: Readonly<Record<string, string | number>> = {},
): Promise<Page> => {
  const text = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  const path = text.length === 0 ? PROFILES : `${PROFILES}?${text.join("&")}`;
  const { status, headers, body } = await service.admin("GET", path);
  const isTaken = status === 200;
  const size = Number(headers["page-items"] ?? Number.NaN);
  const items = isTaken ? (itemsIn(body) ?? []) : [];
  const ids = items.map((item) => profileIdIn(item) ?? JSON.stringify(item));
  return { status, isTaken, items, ids, body, size: Number.isInteger(size) ? size : null };
};

/** The profiles of a run in the list. `isComplete`: there are no others. */
export interface Marked {
  readonly ids: readonly string[];
  readonly isComplete: boolean;
}

/** @returns the items of a page of the list; undefined: there is none. */
const itemsAt = async (service: Service, query: string): Promise<ReturnType<typeof itemsIn>> => {
  const { status, body } = await service.admin("GET", `${PROFILES}${query}`);
  return status === 200 ? itemsIn(body) : undefined;
};

/** Notes the items of a page. @returns whether one of the run has no id. */
const noteItems = (items: readonly unknown[], run: string, seen: Set<string>, ids: Set<string>): boolean => {
  let lacksId = false;
  for (const item of items) {
    const text = JSON.stringify(item);
    const id = profileIdIn(item);
    seen.add(id ?? text);
    if (!text.includes(run)) continue;
    if (id === undefined) lacksId = true;
    else ids.add(id);
  }
  return lacksId;
};

/**
 * Finds the profiles that contain the mark of a run. A list that repeats itself is at its end.
 * @param known profiles that exist: a list that ends without them, or shows no profile of the run, proves nothing.
 */
export const findMarked = async (service: Service, run: string, known: readonly string[]): Promise<Marked> => {
  const ids = new Set<string>();
  const isProven = (seen: ReadonlySet<string>): boolean => known.length > 0 && known.every((id) => seen.has(id));
  let lacksId = false;
  let pages = 0;
  for (const name of PAGES) {
    const seen = new Set<string>();
    // The first page has no number; page 1 is the same, or, counted from 0, the second.
    for (let page = 0; pages < MOST_PAGES; page++, pages++) {
      const items = await itemsAt(service, page === 0 ? "" : `?${name}=${name === "offset" ? seen.size : page}`);
      if (items === undefined) break;
      if (items.length === 0) return { ids: [...ids], isComplete: !lacksId && isProven(seen) };
      const before = seen.size;
      if (noteItems(items, run, seen, ids)) lacksId = true;
      if (seen.size === before && page > 1) break;
    }
  }
  return { ids: [...ids], isComplete: false };
};

/** @returns the path of a profile. */
export const pathOf = (id: string): string => `${PROFILES}/${encodeURIComponent(id)}`;

/** @returns whether there is a profile with this id that has the mark of the run. */
export const isMarked = async (service: Service, run: string, id: string): Promise<boolean> => {
  const { status, text } = await service.admin("GET", pathOf(id));
  return status === 200 && text.includes(run);
};

/** Deletes a profile. @returns whether it is gone. */
export const removed = async (service: Service, id: string): Promise<boolean> => {
  const { status } = await service.admin("DELETE", pathOf(id));
  if (status === 202 || status === 204) return true;
  // 200 may be a page for people, and 404 the answer to a method that does not exist.
  const found = await service.admin("GET", pathOf(id));
  return [404, 410].includes(found.status) || (status < 300 && found.status >= 400);
};

/** @returns the result of a task; `otherwise` if the service does not answer. */
export const unlessSilent = async <T>(task: Promise<T>, otherwise: T): Promise<T> =>
  task.catch((error: unknown) => {
    if (error instanceof Unobservable) return otherwise;
    throw error;
  });

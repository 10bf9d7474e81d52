/**
 * Lists of rows that are read once and then kept current by events.
 */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { List } from "#client/index.ts";
import { cache } from "./cache.ts";

/** What every row has. */
export interface Row {
  readonly id: string;
}
/** What an event tells of a row: what it is now, or that it is gone. */
export type Change<T extends Row> = { readonly put: T } | { readonly removed: string };

/** Rows that are read at first, and at most. The server keeps no more passcodes of an app. */
const FIRST_ROWS = 100;
/** @see FIRST_ROWS */
export const MOST_ROWS = 1_000;

interface Kind<T extends Row> {
  readonly key: string;
  /** @param appId null: of all apps. */
  readonly read: (appId: string | null, limit: number, signal: AbortSignal) => Promise<List<T>>;
  /** @returns whether a row is in the list of this app (null: of all). */
  readonly belongs: (row: T, appId: string | null) => boolean;
  /** Absent: new rows come last. */
  readonly order?: (a: T, b: T) => number;
}

/** @see file */
export class LiveList<T extends Row> {
  readonly key: string;
  readonly #kind: Kind<T>;
  /** The apps whose lists are wanted as a whole. */
  readonly #whole = new Set<string | null>();
  /** For each reading under way, what events told meanwhile: its answer may be older. */
  readonly #readings = new Set<Change<T>[]>();

  constructor(kind: Kind<T>) {
    this.key = kind.key;
    this.#kind = kind;
  }

  /** The list of an app, or of all (null); its first rows until all are wanted. */
  query(appId: string | null) {
    return queryOptions({
      queryKey: [this.key, appId],
      queryFn: ({ signal }) => this.#read(appId, signal),
      // Rows that did not change are the same objects already: comparing a thousand of them each frame costs too much.
      structuralSharing: false,
    });
  }

  /** The list of an app is wanted as a whole: reads what is missing. */
  async readWhole(appId: string | null): Promise<void> {
    const { queryKey } = this.query(appId);
    if (this.#whole.has(appId)) return;
    this.#whole.add(appId);
    const list = cache.getQueryData(queryKey);
    if (list !== undefined && list.items.length < list.total) await cache.invalidateQueries({ queryKey, exact: true });
  }

  /** Applies changes in their order. @returns the rows that no list had before. */
  apply(changes: readonly Change<T>[]): T[] {
    for (const reading of this.#readings) reading.push(...changes);
    const lists = cache.getQueriesData<List<T>>({ queryKey: [this.key] });
    const known = new Set(lists.flatMap(([, list]) => list?.items.map(({ id }) => id) ?? []));
    for (const [key, list] of lists)
      if (list !== undefined) cache.setQueryData(key, this.changed(list, this.#appOf(key), changes));
    return changes.flatMap((change) => ("put" in change && !known.has(change.put.id) ? [change.put] : []));
  }

  /** @returns the list of an app (null: of all) after changes; the same object if they do not concern it. */
  changed(list: List<T>, appId: string | null, changes: readonly Change<T>[]): List<T> {
    const rows = new Map(list.items.map((row) => [row.id, row]));
    const { order, belongs } = this.#kind;
    const last = list.items.length < list.total ? list.items.at(-1) : undefined;
    const isUnread = (row: T): boolean => last !== undefined && order !== undefined && order(row, last) > 0;
    let { total } = list;
    let same = true;
    for (const change of changes) {
      const id = "put" in change ? change.put.id : change.removed;
      const had = rows.has(id);
      if ("put" in change && (!belongs(change.put, appId) || (!had && isUnread(change.put)))) continue;
      if ("put" in change) rows.set(id, change.put);
      else if (!rows.delete(id)) continue;
      total += Number("put" in change) - Number(had);
      same = false;
    }
    if (same) return list;
    const items = [...rows.values()];
    return { items: (order === undefined ? items : items.sort(order)).slice(0, MOST_ROWS), total };
  }

  #appOf([, appId]: readonly unknown[]): string | null {
    return typeof appId === "string" ? appId : null;
  }

  async #read(appId: string | null, signal: AbortSignal): Promise<List<T>> {
    const reading: Change<T>[] = [];
    this.#readings.add(reading);
    try {
      const list = await this.#kind.read(appId, this.#whole.has(appId) ? MOST_ROWS : FIRST_ROWS, signal);
      return this.changed(list, appId, reading);
    } finally {
      this.#readings.delete(reading);
    }
  }
}

/** @returns the list of an app (all: null), kept current. @param whole whether more than its first rows are wanted. */
export const useLiveList = <T extends Row>(list: LiveList<T>, appId: string | null, whole = true) => {
  useEffect(() => {
    if (whole) void list.readWhole(appId);
  }, [list, appId, whole]);
  return useQuery(list.query(appId));
};

/** Lists of rows that are loaded once and then updated by events. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { List } from "#client/index.ts";
import { cache } from "./cache.ts";

/** Common to all rows. */
export interface LiveRecord {
  readonly id: string;
  /** Absent if the list is always that of all apps. */
  readonly appId?: string;
}
/** A change of a row from an event: its new state, or its removal. */
export type Change<T extends LiveRecord> = { readonly put: T } | { readonly removed: string };

/** Number of rows loaded at first, and the maximum. The server keeps no more passcodes per app. */
const FIRST_ROWS = 100;
/** @see FIRST_ROWS */
export const MOST_ROWS = 1_000;

interface Kind<T extends LiveRecord> {
  readonly key: string;
  /** @param appId null: all apps. */
  readonly read: (appId: string | null, limit: number, signal: AbortSignal) => Promise<List<T>>;
  /** Absent: new rows come last. */
  readonly order?: (a: T, b: T) => number;
}

/** @see file */
export class LiveList<T extends LiveRecord> {
  readonly #kind: Kind<T>;
  /** Apps whose complete lists are needed. */
  readonly #whole = new Set<string | null>();
  /** Events received during each running fetch, whose result can be older. */
  readonly #readings = new Set<Change<T>[]>();

  constructor(kind: Kind<T>) {
    this.#kind = kind;
  }

  /** The list of an app, or of all apps (null); only the first rows until all are needed. */
  query(appId: string | null) {
    return queryOptions({
      queryKey: [this.#kind.key, appId],
      queryFn: ({ signal }) => this.#read(appId, signal),
      // Unchanged rows are already the same objects, and comparing a thousand of them per frame is too expensive.
      structuralSharing: false,
    });
  }

  /** Loads the rest of an app's list. */
  async readWhole(appId: string | null): Promise<void> {
    const { queryKey } = this.query(appId);
    if (this.#whole.has(appId)) return;
    this.#whole.add(appId);
    const list = cache.getQueryData(queryKey);
    if (list !== undefined && list.items.length < list.total) await cache.invalidateQueries({ queryKey, exact: true });
  }

  /** Applies changes in order. @returns rows that were in no list before. */
  apply(changes: readonly Change<T>[]): T[] {
    for (const reading of this.#readings) reading.push(...changes);
    const lists = cache.getQueriesData<List<T>>({ queryKey: [this.#kind.key] });
    const known = new Set(lists.flatMap(([, list]) => list?.items.map(({ id }) => id) ?? []));
    for (const [key, list] of lists) {
      const appId = typeof key[1] === "string" ? key[1] : null;
      if (list !== undefined) cache.setQueryData(key, this.changed(list, appId, changes));
    }
    return changes.flatMap((change) => ("put" in change && !known.has(change.put.id) ? [change.put] : []));
  }

  /** @returns the list of an app (null: all apps) after changes; the same object if they do not affect it. */
  changed(list: List<T>, appId: string | null, changes: readonly Change<T>[]): List<T> {
    const rows = new Map(list.items.map((row) => [row.id, row]));
    const { order } = this.#kind;
    const belongs = (row: T): boolean => appId === null || row.appId === appId;
    const last = list.items.length < list.total ? list.items.at(-1) : undefined;
    const isUnread = (row: T): boolean => last !== undefined && order !== undefined && order(row, last) > 0;
    let { total } = list;
    let same = true;
    for (const change of changes) {
      const id = "put" in change ? change.put.id : change.removed;
      const had = rows.has(id);
      if ("put" in change && (!belongs(change.put) || (!had && isUnread(change.put)))) continue;
      if ("put" in change) rows.set(id, change.put);
      else if (!rows.delete(id)) continue;
      total += Number("put" in change) - Number(had);
      same = false;
    }
    if (same) return list;
    const items = [...rows.values()];
    return { items: (order === undefined ? items : items.sort(order)).slice(0, MOST_ROWS), total };
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

/** @returns the up-to-date list of an app (all apps: null). @param whole false: only the first rows. */
export const useLiveList = <T extends LiveRecord>(list: LiveList<T>, appId: string | null, whole = true) => {
  useEffect(() => {
    if (whole) void list.readWhole(appId);
  }, [list, appId, whole]);
  return useQuery(list.query(appId));
};

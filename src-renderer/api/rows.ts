/**
 * Lists of rows, newest first, and how one change alters them.
 */
import type { Listed } from "./records.ts";

/** Most rows of a list that are held; the server keeps no more passcodes than this of an app. */
export const LIST_LIMIT = 1_000;

/** What every row has. `seq` is the number of the change that made it, and gives the order. */
export interface Row {
  readonly id: string;
  readonly seq: number;
  readonly appId: string;
}

/** @returns the list with the row in its place; the same row of before is replaced. */
export const withRow = <T extends Row>(list: Listed<T>, row: T): Listed<T> => {
  const at = list.items.findIndex((item) => item.id === row.id);
  if (at >= 0) return { ...list, items: list.items.with(at, row) };
  const before = list.items.findIndex((item) => item.seq < row.seq);
  const place = before < 0 ? list.items.length : before;
  return { items: list.items.toSpliced(place, 0, row).slice(0, LIST_LIMIT), total: list.total + 1 };
};

/** @returns the list without the rows of these ids. */
export const withoutRows = <T extends Row>(list: Listed<T>, ids: ReadonlySet<string>): Listed<T> => {
  const items = list.items.filter((item) => !ids.has(item.id));
  return items.length === list.items.length
    ? list
    : { items, total: Math.max(items.length, list.total - (list.items.length - items.length)) };
};

type Change<T> = { readonly put: T } | { readonly removed: ReadonlySet<string> };

const KEPT = 2_000;

/**
 * The latest changes that events told of. An answer that was under way meanwhile may be older than they are: they are
 * applied to it once more. Each change carries the whole row, so that doing so twice is harmless.
 */
export class RecentChanges<T extends Row> {
  readonly #changes: Change<T>[] = [];
  #count = 0;

  /** Remembers a change. */
  add(change: Change<T>): void {
    this.#changes.push(change);
    this.#count++;
    if (this.#changes.length > KEPT) this.#changes.shift();
  }

  /** @returns now, for `replay`. */
  mark(): number {
    return this.#count;
  }

  /** @returns the list of an app (all: null) as it is after the changes since the mark. */
  replay(list: Listed<T>, appId: string | null, mark: number): Listed<T> {
    const since = this.#count - mark;
    return (since > 0 ? this.#changes.slice(-since) : []).reduce((now, change) => {
      if ("removed" in change) return withoutRows(now, change.removed);
      return appId === null || change.put.appId === appId ? withRow(now, change.put) : now;
    }, list);
  }
}

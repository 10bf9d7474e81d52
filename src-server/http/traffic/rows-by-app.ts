/** Whose rows the request log holds, so that no app pushes out the rows of another. */
import type { Exchange } from "./exchange.ts";

/** The newest rows of an app that stay while it is one of the newest apps. */
const OWN_ROWS = 50;
/** The apps whose newest rows stay: those that were asked last. */
const NEWEST_APPS = 20;

interface RowsOfApp {
  /** The numbers of its rows, ascending. */
  readonly numbers: number[];
  bytes: number;
}

/** What the rows of apps are compared by. */
export type Share = "rows" | "bytes";

/** @see the top of this file. Rows without an app count as those of one app. */
export class RowsByApp {
  /** The app that was asked last comes last. */
  readonly #apps = new Map<string | null, RowsOfApp>();
  /** As each row was when it was added: a request that goes on after its row has closed may still change it. */
  readonly #added = new Map<number, Pick<Exchange, "appId" | "weight">>();

  /** @param number above those of the app's other rows. */
  add(number: number, { appId, weight }: Exchange): void {
    const rows = this.#apps.get(appId) ?? { numbers: [], bytes: 0 };
    this.#added.set(number, { appId, weight });
    rows.numbers.push(number);
    rows.bytes += weight;
    this.#apps.delete(appId);
    this.#apps.set(appId, rows);
  }

  remove(number: number): void {
    const { appId = null, weight = 0 } = this.#added.get(number) ?? {};
    const rows = this.#apps.get(appId);
    if (rows === undefined || !this.#added.delete(number)) return;
    if (rows.numbers[0] === number) rows.numbers.shift();
    else rows.numbers.splice(rows.numbers.indexOf(number), 1);
    rows.bytes -= weight;
    if (rows.numbers.length === 0) this.#apps.delete(appId);
  }

  /** @returns the bytes of the rows of an app. */
  bytesOf(appId: string): number {
    return this.#apps.get(appId)?.bytes ?? 0;
  }

  clear(): void {
    this.#apps.clear();
    this.#added.clear();
  }

  /** @returns the number of the row to drop: the oldest of the app with the most; undefined if there is none. */
  next(by: Share): number | undefined {
    let place = this.#apps.size;
    let found: { readonly first: number; readonly most: number; readonly isOwn: boolean } | undefined;
    for (const { numbers, bytes } of this.#apps.values()) {
      const isOwn = place <= NEWEST_APPS && numbers.length <= OWN_ROWS;
      place -= 1;
      const most = by === "rows" ? numbers.length : bytes;
      const first = numbers[0] ?? 0;
      const order = found && (Number(isOwn) - Number(found.isOwn) || found.most - most || first - found.first);
      if (order === undefined || order < 0) found = { first, most, isOwn };
    }
    return found?.first;
  }
}

/** Whose rows the request log holds, so that no app pushes out the rows of another. */
/** The newest rows of an app that stay while it is one of the newest apps. */
const OWN_ROWS = 50;
/** The apps whose newest rows stay: those that were asked last. */
const NEWEST_APPS = 20;

interface RowsOfApp {
  readonly numbers: number[];
  bytes: number;
}

/** What the rows of apps are compared by. */
export type Share = "rows" | "bytes";

/** @see the top of this file. Rows without an app count as those of one app, and what others sent to apps as those of another. */
export class RowsByApp {
  /** The app that was asked last comes last. */
  readonly #apps = new Map<string | null, RowsOfApp>();
  /** As each row was when it was added: a request that goes on after its row has closed may still change it. */
  readonly #added = new Map<number, { readonly owner: string | null; readonly weight: number }>();

  /** @param number above those of the owner's other rows. */
  add(number: number, owner: string | null, weight: number): void {
    const rows = this.#apps.get(owner) ?? { numbers: [], bytes: 0 };
    this.#added.set(number, { owner, weight });
    rows.numbers.push(number);
    rows.bytes += weight;
    this.#apps.delete(owner);
    this.#apps.set(owner, rows);
  }

  remove(number: number): void {
    const { owner = null, weight = 0 } = this.#added.get(number) ?? {};
    const rows = this.#apps.get(owner);
    if (rows === undefined || !this.#added.delete(number)) return;
    if (rows.numbers[0] === number) rows.numbers.shift();
    else rows.numbers.splice(rows.numbers.indexOf(number), 1);
    rows.bytes -= weight;
    if (rows.numbers.length === 0) this.#apps.delete(owner);
  }

  bytesOf(owner: string): number {
    return this.#apps.get(owner)?.bytes ?? 0;
  }

  oldestOf(owner: string): number | undefined {
    return this.#apps.get(owner)?.numbers[0];
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

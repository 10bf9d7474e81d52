/** Rows of the request log by whose they are, so that no app pushes out the rows of another. */
import type { Exchange } from "./exchange.ts";

/** The newest rows of an app that stay while it is one of the newest apps. */
const OWN_ROWS = 50;
/** The apps whose newest rows stay: those that were asked last. */
const NEWEST_APPS = 20;

/** A row as it was when it was added: a request that goes on after its row has closed may still change it. */
interface Owned {
  readonly row: Exchange;
  readonly owner: string | null;
  readonly weight: number;
}

/** Rows by number, ascending; some may be missing. Those without an app count as those of one app. */
export class OwnedRows {
  readonly #rows = new Map<number, Owned>();
  /** The owner that was asked last comes last. */
  readonly #owners = new Map<string | null, { readonly numbers: number[]; bytes: number }>();
  #bytes = 0;

  /** @param all in order. */
  constructor(all: Iterable<readonly [number: number, Owned]> = []) {
    for (const [number, { row, owner }] of all) this.add(number, row, owner);
  }

  get size(): number {
    return this.#rows.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @param number above those of the other rows. */
  add(number: number, row: Exchange, owner: string | null): void {
    const { weight } = row;
    const own = this.#owners.get(owner) ?? { numbers: [], bytes: 0 };
    own.numbers.push(number);
    own.bytes += weight;
    this.#rows.set(number, { row, owner, weight });
    this.#owners.delete(owner);
    this.#owners.set(owner, own);
    this.#bytes += weight;
  }

  remove(number: number): void {
    const { owner = null, weight = 0 } = this.#rows.get(number) ?? {};
    const own = this.#owners.get(owner);
    if (own === undefined || !this.#rows.delete(number)) return;
    if (own.numbers[0] === number) own.numbers.shift();
    else own.numbers.splice(own.numbers.indexOf(number), 1);
    own.bytes -= weight;
    this.#bytes -= weight;
    if (own.numbers.length === 0) this.#owners.delete(owner);
  }

  bytesOf(owner: string): number {
    return this.#owners.get(owner)?.bytes ?? 0;
  }

  oldestOf(owner: string): number | undefined {
    return this.#owners.get(owner)?.numbers[0];
  }

  newestFirst(): Exchange[] {
    return Array.from(this.#rows.values(), ({ row }) => row).reverse();
  }

  /** @returns the rows that fit, with their numbers. */
  fitting(fits: (row: Exchange) => boolean): [number: number, Owned][] {
    return [...this.#rows].filter(([, { row }]) => fits(row));
  }

  /** @returns the number of the row to drop: the oldest of the owner with the most; undefined if there is none. */
  next(by: "rows" | "bytes"): number | undefined {
    let place = this.#owners.size;
    let found: { readonly first: number; readonly most: number; readonly isOwn: boolean } | undefined;
    for (const { numbers, bytes } of this.#owners.values()) {
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

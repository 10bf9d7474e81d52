/**
 * Tells those who listen of each transaction, in the order of the transactions, also when a listener makes another one.
 */
import type { Change } from "#domain/decision.ts";

/** A change that was made, with its number. */
export interface Numbered {
  readonly seq: number;
  readonly change: Change;
}

/** Hears of one transaction. */
export type Listener = (changes: readonly Numbered[]) => void;

/** @see Listener */
export class Publisher {
  readonly #listeners = new Set<Listener>();
  readonly #queue: (readonly Numbered[])[] = [];
  readonly #onError: (error: unknown) => void;
  #telling = false;

  /** @param onError told what a listener threw: the change is made, and the others still hear of it. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** @returns how to stop listening. */
  subscribe(listener: Listener): () => void {
    // An object of its own for each call: the same function may listen twice.
    const entry: Listener = (changes) => listener(changes);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** @param first the number of the first change. */
  publish(first: number, changes: readonly Change[]): void {
    if (this.#listeners.size === 0) return;
    this.#queue.push(changes.map((change, place) => ({ seq: first + place, change })));
    if (this.#telling) return;
    this.#telling = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#tell(next);
    this.#telling = false;
  }

  #tell(changes: readonly Numbered[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(changes);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

/** Tells the listeners of committed transactions, in order, the subscribers once the disk has them. */
import type { Change } from "#domain/decision.ts";
import type { ChangeListener, Committed, Store } from "#domain/store.ts";

/** A listener, in its own object because the same function can subscribe twice. */
interface Entry {
  readonly listener: ChangeListener;
}

const add = (entries: Set<Entry>, listener: ChangeListener): (() => void) => {
  const entry = { listener };
  entries.add(entry);
  return () => void entries.delete(entry);
};

/** Calls watchers immediately and subscribers once it is durable, in order even if a listener starts a transaction. */
export class Publisher {
  readonly #watchers = new Set<Entry>();
  readonly #subscribers = new Set<Entry>();
  readonly #durable: Store["durable"];
  readonly #onError: (error: unknown) => void;
  /** Transactions that subscribers have not received yet. */
  readonly #queue: (readonly Committed[])[] = [];
  /** How many transactions they have received, and may receive. */
  #told = 0;
  #due = 0;
  #isTelling = false;

  /** @param onError gets what a listener threw; the change is made, and the others are still called. */
  constructor(durable: Store["durable"], onError: (error: unknown) => void) {
    this.#durable = durable;
    this.#onError = onError;
  }

  subscribe(listener: ChangeListener): () => void {
    return add(this.#subscribers, listener);
  }

  watch(listener: ChangeListener): () => void {
    return add(this.#watchers, listener);
  }

  /** @param first the number of the first change. */
  publish(first: number, changes: readonly Change[]): void {
    if (this.#watchers.size + this.#subscribers.size === 0) return;
    const committed = changes.map((change, place) => ({ seq: first + place, change }));
    this.#tell(this.#watchers, committed);
    if (this.#subscribers.size === 0) return;
    this.#queue.push(committed);
    this.release();
  }

  /** Delivers what is queued once it is durable; what the disk rejected waits for the next call. */
  release(): void {
    const upTo = this.#told + this.#queue.length;
    const waiting = this.#durable();
    if (waiting === undefined) this.#tellUpTo(upTo);
    else waiting.then(() => this.#tellUpTo(upTo)).catch(() => undefined);
  }

  #tellUpTo(upTo: number): void {
    this.#due = Math.max(this.#due, upTo);
    if (this.#isTelling) return;
    this.#isTelling = true;
    while (this.#told < this.#due) {
      this.#told += 1;
      this.#tell(this.#subscribers, this.#queue.shift() ?? []);
    }
    this.#isTelling = false;
  }

  #tell(entries: ReadonlySet<Entry>, changes: readonly Committed[]): void {
    for (const { listener } of entries) {
      try {
        listener(changes);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

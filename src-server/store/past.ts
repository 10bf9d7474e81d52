/** Remembers in memory what the newest transactions changed: references, because records are never mutated. */
import { BOUNDS } from "#contract/bounds.ts";
import { type Past, type Timeline, weightOfChange } from "#domain/history/timeline.ts";

/** Dropping this many at once costs less than one by one. */
const BATCH = 256;

/** @see Timeline */
export class PastTransactions implements Timeline {
  oldestSeq: number;
  oldestMs: number;
  #items: Past[] = [];
  readonly #weights: number[] = [];
  #bytes = 0;
  /** How many items at the start of the list have been dropped. */
  #dropped = 0;

  /** @param seq the number of the last change before. @param realMs real time in milliseconds since 1970. */
  constructor(seq: number, realMs: number) {
    this.oldestSeq = seq;
    this.oldestMs = realMs;
  }

  get latest(): Past | undefined {
    return this.#items.at(-1);
  }

  get items(): readonly Past[] {
    this.#trim();
    return this.#items;
  }

  /** Adds a transaction that was made; drops the oldest beyond the limits. @param weight of its changes. */
  add(past: Past, weight = past.altered.reduce((sum, one) => sum + weightOfChange(one), 0)): void {
    this.#items.push(past);
    this.#weights.push(weight);
    this.#bytes += weight;
    const { timelineTransactions, timelineBytes } = BOUNDS;
    while (this.#items.length - this.#dropped > timelineTransactions.most || this.#bytes > timelineBytes.most)
      this.#drop();
    if (this.#dropped >= BATCH) this.#trim();
  }

  #drop(): void {
    const oldest = this.#items[this.#dropped];
    if (oldest === undefined) return;
    this.#bytes -= this.#weights[this.#dropped] ?? 0;
    this.#dropped += 1;
    this.oldestSeq = oldest.seq;
    this.oldestMs = oldest.realMs;
  }

  #trim(): void {
    if (this.#dropped === 0) return;
    this.#items = this.#items.slice(this.#dropped);
    this.#weights.splice(0, this.#dropped);
    this.#dropped = 0;
  }
}

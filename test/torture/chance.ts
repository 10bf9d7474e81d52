/** Random choices from a seed: the same seed makes the same choices. */

/** A source of choices. */
export class Chance {
  readonly seed: number;
  #state: number;

  /** @param seed an integer; only its lower 32 bits count. */
  constructor(seed: number) {
    this.seed = seed >>> 0;
    this.#state = this.seed;
  }

  /** @returns from 0 to less than 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let word = this.#state;
    word = Math.imul(word ^ (word >>> 15), word | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @returns an integer from 0 to less than `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** @returns an integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** @returns true with the probability `share`: 0 never, 1 always. */
  is(share: number): boolean {
    return this.next() < share;
  }

  /** @returns one element. @throws Error if there is none. */
  pick<T>(list: readonly T[]): T {
    const one = list[this.below(list.length)];
    if (one === undefined) throw new Error("There is nothing to pick from.");
    return one;
  }

  /** @returns an independent source, derived from here. */
  fork(): Chance {
    return new Chance(Math.floor(this.next() * 2 ** 32));
  }
}

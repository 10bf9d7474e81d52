/** A map of the entries that were set last, oldest first; it forgets those before them. */
export class Recent<K, V> extends Map<K, V> {
  readonly #most: number;

  /** @param most so many entries stay. */
  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    for (const oldest of this.keys()) {
      if (this.size <= this.#most) break;
      this.delete(oldest);
    }
    return this;
  }
}

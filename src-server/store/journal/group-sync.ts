/** Group commit: however many callers ask at once, one sync runs at a time, and then one for later callers. */

/** Tracks what was written and what is known to be on disk. */
export class GroupSync {
  readonly #sync: () => Promise<void>;
  #written = 0;
  #synced = 0;
  /** What the running sync makes durable. */
  #syncing = 0;
  #running: Promise<void> | undefined;
  #queued: Promise<void> | undefined;

  /** @param sync makes everything written before the call durable. */
  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  /** Whether anything written is not known to be durable. */
  get pending(): boolean {
    return this.#synced < this.#written;
  }

  /** Records a write. */
  wrote(): void {
    this.#written += 1;
  }

  /** Records that everything is durable by other means. */
  settled(): void {
    this.#synced = this.#written;
  }

  /** Resolves once everything written before this call is durable. @throws what `sync` throws. */
  flush(): Promise<void> {
    if (!this.pending) return Promise.resolve();
    if (this.#running === undefined) return this.#start();
    if (this.#syncing === this.#written) return this.#running;
    this.#queued ??= this.#after(this.#running);
    return this.#queued;
  }

  /** Resolves once no sync is running, whatever its result. */
  async idle(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  async #after(running: Promise<void>): Promise<void> {
    // Its callers receive the failure; here only the end matters.
    await running.catch(() => undefined);
    this.#queued = undefined;
    if (this.pending) await this.#start();
  }

  #start(): Promise<void> {
    const upTo = this.#written;
    this.#syncing = upTo;
    const running = this.#sync()
      .then(() => {
        this.#synced = Math.max(this.#synced, upTo);
      })
      .finally(() => {
        this.#running = undefined;
      });
    this.#running = running;
    return running;
  }
}

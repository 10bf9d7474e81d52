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

  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  /** Whether anything written is not known to be durable. */
  get pending(): boolean {
    return this.#synced < this.#written;
  }

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
    // The callers of the running sync receive its failure; here only its end matters.
    this.#queued ??= this.idle().then(() => {
      this.#queued = undefined;
      return this.pending ? this.#start() : undefined;
    });
    return this.#queued;
  }

  /** Resolves once no sync is running, whatever its result. */
  async idle(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  #start(): Promise<void> {
    const upTo = this.#written;
    this.#syncing = upTo;
    this.#running = this.#sync()
      .then(() => {
        this.#synced = Math.max(this.#synced, upTo);
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}

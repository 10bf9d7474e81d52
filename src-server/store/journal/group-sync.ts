/**
 * Group commit: however many ask at once, one sync runs at a time, and one more after it for those that came meanwhile.
 */

/** Keeps count of what was written and of what is known to be on the disk. */
export class GroupSync {
  readonly #sync: () => Promise<void>;
  #written = 0;
  #synced = 0;
  /** What the sync under way makes durable. */
  #syncing = 0;
  #running: Promise<void> | undefined;
  #queued: Promise<void> | undefined;

  /** @param sync makes all that was written before its call durable. */
  constructor(sync: () => Promise<void>) {
    this.#sync = sync;
  }

  /** Whether something was written that is not known to be durable. */
  get pending(): boolean {
    return this.#synced < this.#written;
  }

  /** Notes a write. */
  wrote(): void {
    this.#written += 1;
  }

  /** Notes that all is durable by other means. */
  settled(): void {
    this.#synced = this.#written;
  }

  /** @returns when all that was written before this call is durable. @throws what the sync throws. */
  flush(): Promise<void> {
    if (!this.pending) return Promise.resolve();
    if (this.#running === undefined) return this.#start();
    if (this.#syncing === this.#written) return this.#running;
    this.#queued ??= this.#after(this.#running);
    return this.#queued;
  }

  /** @returns when no sync is under way, whatever came of it. */
  async idle(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }

  async #after(running: Promise<void>): Promise<void> {
    // Those who wait for the running one hear of its failure; these only want to go after it.
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

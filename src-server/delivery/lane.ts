/**
 * Jobs one after the other, so that a device gets its messages in order; no more may wait than a bound.
 */

/** @see Lane.add */
export type Job = () => Promise<void>;

/** Runs jobs in the order in which they were added. */
export class Lane {
  readonly #most: number;
  readonly #waiting: Job[] = [];
  #running = false;

  /** @param most jobs that may wait. */
  constructor(most: number) {
    this.#most = most;
  }

  /** @param job must not reject. @returns whether there was room; it is not run otherwise. */
  add(job: Job): boolean {
    if (this.#waiting.length >= this.#most) return false;
    this.#waiting.push(job);
    if (!this.#running) {
      this.#running = true;
      // To start a program holds the event loop for some milliseconds: the request is answered first.
      setImmediate(() => void this.#work());
    }
    return true;
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting.length = 0;
  }

  async #work(): Promise<void> {
    for (;;) {
      const job = this.#waiting.shift();
      if (job === undefined) break;
      await job();
    }
    this.#running = false;
  }
}

/**
 * When a snapshot is due and when the journal is synced, without anyone asking. All of it may wait: no timer keeps the
 * process alive.
 */

/** Calls `action` after so many milliseconds, unless it is called off. @returns how to call it off. */
export type Later = (ms: number, action: () => void) => () => void;

/** Real time. */
export const realLater: Later = (ms, action) => {
  const timer = setTimeout(action, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

/** A journal up to this size waits for a quiet time. */
const JOURNAL_BYTES = 1024 * 1024;
/** Nothing changed for this long: a good time for a snapshot. */
const QUIET_MS = 60_000;
/** How soon it is tried again to get out of a state in which no change is accepted. */
const RETRY_MS = 5_000;
/** CONTRACT 8: a power cut costs at most the last second. */
const SYNC_MS = 500;

/** What housekeeping looks at and what it can do. */
export interface House {
  readonly later: Later;
  /** In bytes; of the journal since the last snapshot, and of that snapshot. */
  sizes(): { readonly journal: number; readonly snapshot: number };
  /** Whether a snapshot would change anything. */
  isClean(): boolean;
  /** Whether no change is accepted until a snapshot has succeeded. */
  isStuck(): boolean;
  snapshot(): Promise<void>;
  /** Makes the journal durable; undefined when it is already. */
  durable(): Promise<void> | undefined;
}

/** @see House */
export class Housekeeping {
  readonly #house: House;
  #cancelQuiet: (() => void) | undefined;
  #cancelSync: (() => void) | undefined;
  #changedSinceLook = false;
  #running = false;
  /** After a snapshot that failed: the journal's size from which on it is tried again. */
  #notBefore = 0;
  #stopped = false;

  constructor(house: House) {
    this.#house = house;
  }

  /** After each transaction. Costs next to nothing: timers are not set anew each time. */
  changed(): void {
    if (this.#stopped) return;
    this.#changedSinceLook = true;
    this.#cancelSync ??= this.#house.later(SYNC_MS, () => this.#sync());
    this.#watch();
    const { journal, snapshot } = this.#house.sizes();
    if (journal > Math.max(JOURNAL_BYTES, snapshot, this.#notBefore)) this.#snapshot();
  }

  /** Looks for a quiet time to come. */
  #watch(): void {
    this.#cancelQuiet ??= this.#house.later(QUIET_MS, () => {
      this.#cancelQuiet = undefined;
      if (this.#changedSinceLook) {
        this.#changedSinceLook = false;
        this.#watch();
      } else if (this.#isWorthIt()) this.#snapshot();
    });
  }

  /** A large snapshot is not written again for a few small changes. */
  #isWorthIt(): boolean {
    const { journal, snapshot } = this.#house.sizes();
    return !this.#house.isClean() && (snapshot <= 4 * JOURNAL_BYTES || journal >= snapshot / 8);
  }

  /** After a sync or a snapshot that failed: it is tried again with a snapshot, soon if nothing else is accepted. */
  #failed(): void {
    if (this.#stopped) return;
    this.#cancelQuiet?.();
    this.#cancelQuiet = this.#house.later(this.#house.isStuck() ? RETRY_MS : QUIET_MS, () => {
      this.#cancelQuiet = undefined;
      this.#snapshot();
    });
  }

  /** No more of it. */
  stop(): void {
    this.#stopped = true;
    this.#cancelQuiet?.();
    this.#cancelSync?.();
  }

  #sync(): void {
    this.#cancelSync = undefined;
    // A failure has been told of by the journal itself.
    this.#house.durable()?.catch(() => this.#failed());
  }

  #snapshot(): void {
    if (this.#running || this.#stopped) return;
    this.#running = true;
    this.#house
      .snapshot()
      .then(
        () => {
          this.#notBefore = 0;
        },
        () => {
          // It has been told; the journal goes on, and with it everything else.
          this.#notBefore = 2 * this.#house.sizes().journal;
          this.#failed();
        },
      )
      .finally(() => {
        this.#running = false;
        // Changes may have come meanwhile.
        if (!this.#stopped && !this.#house.isClean()) this.#watch();
      });
  }
}

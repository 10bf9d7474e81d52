/**
 * When the document file is written and the journal synced, without anyone asking. All of it may wait: no timer keeps the
 * process alive.
 */
import type { Later } from "./failure.ts";

/** A journal up to this size waits for a quiet time. */
const JOURNAL_BYTES = 1024 * 1024;
/** Nothing changed for this long: a good time to write the document file. */
const QUIET_MS = 60_000;
/** How soon it is tried again to get out of a state in which no change is accepted. */
const RETRY_MS = 5_000;
/** CONTRACT 8: a power cut costs at most the last second. */
const SYNC_MS = 500;

/** What housekeeping looks at and what it can do. */
export interface Tasks {
  readonly later: Later;
  /** In bytes: the journal since the document file was last written, and that file. */
  sizes(): { readonly journal: number; readonly document: number };
  /** Whether the document file holds everything already. */
  isClean(): boolean;
  /** Whether no change is accepted until the document file has been written. */
  isStuck(): boolean;
  write(): Promise<void>;
  /** Makes the journal durable; undefined when it is already. */
  durable(): Promise<void> | undefined;
}

/** @see Tasks */
export class Housekeeping {
  readonly #tasks: Tasks;
  #cancelQuiet: (() => void) | undefined;
  #cancelSync: (() => void) | undefined;
  #changedSinceLook = false;
  #running = false;
  /** After a failed write: the journal's size from which on it is tried again. */
  #notBefore = 0;
  #stopped = false;

  constructor(tasks: Tasks) {
    this.#tasks = tasks;
  }

  /** After each transaction. Costs next to nothing: timers are not set anew each time. */
  changed(): void {
    if (this.#stopped) return;
    this.#changedSinceLook = true;
    this.#cancelSync ??= this.#tasks.later(SYNC_MS, () => this.#sync());
    this.#watch();
    const { journal, document } = this.#tasks.sizes();
    if (journal > Math.max(JOURNAL_BYTES, document, this.#notBefore)) this.#write();
  }

  /** Looks for a quiet time to come. */
  #watch(): void {
    this.#cancelQuiet ??= this.#tasks.later(QUIET_MS, () => {
      this.#cancelQuiet = undefined;
      if (this.#changedSinceLook) {
        this.#changedSinceLook = false;
        this.#watch();
      } else if (this.#isWorthIt()) this.#write();
    });
  }

  /** A large document file is not written again for a few small changes. */
  #isWorthIt(): boolean {
    const { journal, document } = this.#tasks.sizes();
    return !this.#tasks.isClean() && (document <= 4 * JOURNAL_BYTES || journal >= document / 8);
  }

  /** After a failed sync or write: the document file is written again, soon if nothing else is accepted. */
  #failed(): void {
    if (this.#stopped) return;
    this.#cancelQuiet?.();
    this.#cancelQuiet = this.#tasks.later(this.#tasks.isStuck() ? RETRY_MS : QUIET_MS, () => {
      this.#cancelQuiet = undefined;
      this.#write();
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
    this.#tasks.durable()?.catch(() => this.#failed());
  }

  #write(): void {
    if (this.#running || this.#stopped) return;
    this.#running = true;
    this.#tasks
      .write()
      .then(
        () => {
          this.#notBefore = 0;
        },
        () => {
          // It has been told; the journal goes on, and with it everything else.
          this.#notBefore = 2 * this.#tasks.sizes().journal;
          this.#failed();
        },
      )
      .finally(() => {
        this.#running = false;
        // Changes may have come meanwhile.
        if (!this.#stopped && !this.#tasks.isClean()) this.#watch();
      });
  }
}

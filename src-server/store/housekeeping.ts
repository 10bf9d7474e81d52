/**
 * Decides when to write the document file and sync the journal in the background. Nothing here is urgent: no timer
 * keeps the process alive.
 */
import type { Later } from "./failure.ts";

/** A journal up to this size waits for a quiet moment. */
const JOURNAL_BYTES = 1024 * 1024;
/** Without changes for this long, it is a good time to write the document file. */
const QUIET_MS = 60_000;
/** How soon to retry while no changes are accepted. */
const RETRY_MS = 2_000;
/** A power cut loses at most the last second. */
const SYNC_MS = 500;

/** What housekeeping observes and can do. */
export interface Tasks {
  readonly later: Later;
  /** In bytes: the journal since the document file was last written, and the document file. */
  sizes(): { readonly journal: number; readonly document: number };
  /** Whether the document file already holds everything. */
  isClean(): boolean;
  /** Whether no changes are accepted until the document file has been written. */
  isStuck(): boolean;
  write(): Promise<void>;
  /** Makes the journal durable; undefined if it already is. */
  durable(): Promise<void> | undefined;
}

/** @see Tasks */
export class Housekeeping {
  readonly #tasks: Tasks;
  /** Cancels what is due. */
  readonly #due = new Map<"quiet" | "sync" | "retry", () => void>();
  #changedSinceLook = false;
  #running = false;
  /** After a failed write: the journal size at which to retry. */
  #notBefore = 0;
  #stopped = false;

  constructor(tasks: Tasks) {
    this.#tasks = tasks;
  }

  /** Call after each transaction. Cheap: it does not reset timers each time. */
  changed(): void {
    if (this.#stopped) return;
    this.#changedSinceLook = true;
    // The journal reports a failure itself.
    this.#later("sync", SYNC_MS, () => void this.#tasks.durable()?.catch(() => this.#failed()));
    this.#watch();
    const { journal, document } = this.#tasks.sizes();
    if (journal > Math.max(JOURNAL_BYTES, document, this.#notBefore)) void this.#write();
  }

  /** Writes the document file at once, and until it succeeds. */
  rewrite(): void {
    void this.#write();
  }

  /** A change was refused: a document file, with which the journal begins anew, may make room. */
  refused(): void {
    this.#later("retry", RETRY_MS, () => void this.#write());
  }

  /** Stops all timers. */
  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#due.values()) cancel();
  }

  #later(name: "quiet" | "sync" | "retry", ms: number, action: () => void): void {
    if (this.#due.has(name)) return;
    const cancel = this.#tasks.later(ms, () => {
      this.#due.delete(name);
      action();
    });
    this.#due.set(name, cancel);
  }

  /** Waits for a quiet moment. */
  #watch(): void {
    this.#later("quiet", QUIET_MS, () => {
      if (this.#changedSinceLook) {
        this.#changedSinceLook = false;
        this.#watch();
      } else if (this.#isWorthIt()) void this.#write();
    });
  }

  /** A large document file is not rewritten for a few small changes. */
  #isWorthIt(): boolean {
    const { journal, document } = this.#tasks.sizes();
    return !this.#tasks.isClean() && (document <= 4 * JOURNAL_BYTES || journal >= document / 8);
  }

  /** After a failed sync or write: writes the document file again, soon if nothing else is accepted. */
  #failed(): void {
    if (this.#stopped) return;
    this.#due.get("quiet")?.();
    this.#due.delete("quiet");
    this.#later("quiet", this.#tasks.isStuck() ? RETRY_MS : QUIET_MS, () => void this.#write());
  }

  async #write(): Promise<void> {
    if (this.#running || this.#stopped) return;
    this.#running = true;
    try {
      await this.#tasks.write();
      this.#notBefore = 0;
    } catch {
      // Already reported. The journal continues, and so does everything else.
      this.#notBefore = 2 * this.#tasks.sizes().journal;
      this.#failed();
    }
    this.#running = false;
    // There may be new changes.
    if (!this.#stopped && !this.#tasks.isClean()) this.#watch();
  }
}

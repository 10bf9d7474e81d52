/**
 * Bounds the memory of named snapshots: what is beyond goes to files of the data directory, in slices between requests. A
 * disk that takes nothing costs memory, and nothing else: no write waits for it, and no snapshot is lost.
 */
import type { DataDir } from "./data-dir.ts";
import { errorText } from "./failure.ts";
import type { FileSystem } from "./files.ts";
import { SpillFile } from "./spill-file.ts";
import type { Part } from "./undo-trail.ts";

/** About how many bytes of memory named snapshots take, all together, before files are used. */
export const SNAPSHOT_MEMORY_BYTES = 32 * 1024 * 1024;

/** Where files go, and when. */
export interface SpillOptions {
  readonly files: FileSystem;
  readonly dir: DataDir;
  readonly limitBytes: number;
  /** Told once when the disk does not take it. */
  readonly onNotice: (text: string) => void;
}

const sizeOf = (parts: readonly Part[]): number => parts.reduce((size, part) => size + part.size, 0);

/** @see SpillOptions */
export class Spiller {
  readonly #options: SpillOptions;
  #running: Promise<void> | undefined;
  /** After a failure: from this size on it is tried again. */
  #notBefore = 0;
  #failed = false;
  #stopped = false;

  constructor(options: SpillOptions) {
    this.#options = options;
  }

  /** Looks whether something is to go to a file. Costs next to nothing. @param parts all that there are. */
  check(parts: readonly Part[]): void {
    if (this.#running !== undefined || this.#stopped) return;
    if (sizeOf(parts) <= Math.max(this.#options.limitBytes, this.#notBefore)) return;
    this.#running = this.#spill(parts).finally(() => {
      this.#running = undefined;
    });
  }

  /** No more of it. Resolves when nothing is being written. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** The largest first, so that files are few, until half of what may be in memory is. Never rejects. */
  async #spill(parts: readonly Part[]): Promise<void> {
    const { files, dir, limitBytes, onNotice } = this.#options;
    try {
      for (const part of [...parts].sort((a, b) => b.size - a.size)) {
        if (this.#stopped || sizeOf(parts) <= limitBytes / 2) break;
        await part.spill(() => new SpillFile(files, dir));
      }
      [this.#notBefore, this.#failed] = [0, false];
    } catch (error) {
      this.#notBefore = sizeOf(parts) + limitBytes;
      if (!this.#failed)
        onNotice(
          `what named snapshots keep could not be moved to ${dir.path} (${errorText(error)}): it stays in memory`,
        );
      this.#failed = true;
    }
  }
}

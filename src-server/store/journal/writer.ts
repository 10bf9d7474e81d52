/**
 * The journal being written: one append per transaction, before its changes are applied.
 *
 * The first transaction creates the journal. After a failed write the file is truncated to its last valid end, and
 * nothing is written until that has succeeded. After a failed sync the kernel may have dropped data, so nothing is
 * accepted until a new document file holds everything.
 */
import type { Problem } from "#contract/service/problems.ts";
import type { Change } from "#domain/decision.ts";
import type { DataDir } from "../disk/data-dir.ts";
import { attempt, syncDir, syncDirLater, writeFully } from "../disk/files.ts";
import { diskProblem, NotDurable } from "../failure.ts";
import { encodeHeader, encodeTransaction } from "./format.ts";
import { GroupSync } from "./group-sync.ts";

/** Where the journals ended at the start. */
export interface JournalEnd {
  /** The journal to continue, and its size; undefined if the next transaction creates a new one. */
  readonly open: { readonly number: number; readonly size: number } | undefined;
  readonly next: number;
  readonly chain: number;
}

/** Dependencies of the journal. */
export interface JournalOptions {
  readonly dir: DataDir;
  readonly now: () => number;
  /** Called once when a sync has failed. */
  readonly onFailed: (error: unknown) => void;
}

const notDurable = (cause?: unknown): NotDurable =>
  new NotDurable("The journal could not be written to the disk.", undefined, cause);

/** @see JournalOptions */
export class JournalWriter {
  /** Whether a sync has failed, so that nothing is accepted until a document file holds everything and clears this. */
  isFailed = false;
  /** Bytes appended since the last `turn`. */
  bytes: number;
  readonly #options: JournalOptions;
  readonly #group = new GroupSync(() => this.#sync());
  #open: JournalEnd["open"];
  #next: number;
  #chain: number;
  #fd: number | undefined;
  /** Of the file that is open. */
  #identity = "";
  #size: number;
  /** The last write failed, and its remains have not been truncated yet. */
  #tailDirty = false;
  /** A new journal could not be created, and its remains have not been removed yet. */
  #stray = false;
  /** The directory entry of the journal may not be durable yet. */
  #nameless = false;

  constructor(options: JournalOptions, end: JournalEnd) {
    this.#options = options;
    this.#open = end.open;
    this.#next = end.next;
    this.#chain = end.chain;
    this.#size = end.open?.size ?? 0;
    this.bytes = this.#size;
  }

  /** Whether anything appended is not known to be durable. */
  get pending(): boolean {
    return this.#group.pending;
  }

  /** Whether the journal on disk is as this writer left it: as long, and where it is open, the same file. */
  get isUntouched(): boolean {
    if (this.#open === undefined) return true;
    const { files } = this.#options.dir;
    try {
      const { size, identity } = files.stat(this.file);
      return size === this.#size && (this.#fd === undefined || identity === this.#identity);
    } catch {
      return false;
    }
  }

  /** The path of the journal. */
  get file(): string {
    return this.#options.dir.journal(this.#open?.number ?? this.#next);
  }

  /**
   * Appends one transaction, blocking the event loop.
   * @param first the number of its first change. @param changes or their text. @returns the problem if it failed; the file is then unchanged.
   * @throws RangeError if a change is nested too deep to be written; nothing was done.
   */
  append(first: number, changes: readonly Change[] | string): Problem | undefined {
    if (this.isFailed) return { code: "disk_failed" };
    try {
      this.cleanTail();
      if (this.#open === undefined) this.#begin(first, changes);
      else {
        const { dir, now } = this.#options;
        if (this.#fd === undefined) this.#opened(dir.files.openAtEnd(this.file));
        const line = encodeTransaction(first, now(), changes, this.#chain);
        this.#write(line.bytes, line.length);
        this.#chain = line.chain;
      }
      return undefined;
    } catch (error) {
      if (error instanceof RangeError) throw error;
      return diskProblem(error);
    }
  }

  /** Resolves once everything appended is durable. @throws NotDurable */
  async flush(): Promise<void> {
    if (this.isFailed) throw notDurable();
    await this.#group.flush();
  }

  /** Truncates the remains of a failed write. @throws Node errors. */
  cleanTail(): void {
    if (!this.#tailDirty || this.#fd === undefined) return;
    this.#options.dir.files.truncate(this.#fd, this.#size);
    this.#tailDirty = false;
  }

  /** Continues in the file that has the journal's name now: it may be a copy. */
  reopen(): void {
    if (!this.#tailDirty) this.#close();
  }

  /** Makes the rest durable, blocking the event loop; call right after `flush`, when hardly anything is left. */
  flushNow(): void {
    if (!this.pending || this.#fd === undefined) return;
    const { dir } = this.#options;
    try {
      dir.files.syncData(this.#fd);
      if (this.#nameless) syncDir(dir.files, dir.path);
    } catch (error) {
      this.fail(error);
      throw error;
    }
    this.#nameless = false;
    this.#group.settled();
  }

  get following(): number {
    return this.#open === undefined ? this.#next : this.#open.number + 1;
  }

  /** Ends this journal; the next transaction creates another. @returns the generation of that one. */
  turn(): number {
    this.#next = this.following;
    this.#open = undefined;
    this.#size = 0;
    this.bytes = 0;
    this.#tailDirty = false;
    this.#nameless = false;
    this.#group.settled();
    this.#close();
    return this.#next;
  }

  /** Stops accepting changes: what was appended may not be on disk. */
  fail(error: unknown): void {
    if (!this.isFailed) this.#options.onFailed(error);
    this.isFailed = true;
  }

  #begin(first: number, changes: readonly Change[] | string): void {
    const { dir, now } = this.#options;
    const { files } = dir;
    const number = this.#next;
    const file = dir.journal(number);
    const header = encodeHeader(number, first - 1, this.#chain);
    const start = Buffer.from(header.bytes.subarray(0, header.length));
    const line = encodeTransaction(first, now(), changes, header.chain);
    const bytes = Buffer.concat([start, line.bytes.subarray(0, line.length)]);
    if (this.#stray) files.remove(file);
    this.#stray = false;
    const fd = files.create(file);
    this.#open = { number, size: 0 };
    try {
      this.#opened(fd);
      this.#nameless = true;
      this.#write(bytes, bytes.length);
    } catch (error) {
      this.#tailDirty = false;
      this.#stray = true;
      this.#open = undefined;
      this.#close();
      attempt(() => {
        files.remove(file);
        this.#stray = false;
      });
      throw error;
    }
    this.#chain = line.chain;
  }

  /** @throws Node errors; the file is then closed again. */
  #opened(fd: number): void {
    this.#fd = fd;
    try {
      this.#identity = this.#options.dir.files.stat(this.file).identity;
    } catch (error) {
      this.#close();
      throw error;
    }
  }

  #write(bytes: Buffer, length: number): void {
    try {
      writeFully(this.#options.dir.files, this.#fd ?? -1, bytes, length, this.#size);
    } catch (error) {
      this.#tailDirty = true;
      attempt(() => this.cleanTail());
      throw error;
    }
    this.#size += length;
    this.bytes += length;
    this.#group.wrote();
  }

  async #sync(): Promise<void> {
    const { files, path } = this.#options.dir;
    const fd = this.#fd;
    if (fd === undefined) return;
    const nameless = this.#nameless;
    try {
      await files.syncDataLater(fd);
      if (nameless) {
        await syncDirLater(files, path);
        if (fd === this.#fd) this.#nameless = false;
      }
    } catch (error) {
      this.fail(error);
      throw notDurable(error);
    }
  }

  /** Closes the file once no sync uses it, because its descriptor could be reused for another file. */
  #close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd === undefined) return;
    const { files } = this.#options.dir;
    void this.#group.idle().then(() => attempt(() => files.close(fd)));
  }
}

/**
 * Keeps the request log in the data folder, in files beside the journal. Rows are written in batches after their
 * responses, and nothing waits for them. When a file is full, the next one begins and the one before the last goes.
 */
import path from "node:path";
import { BOUNDS } from "#contract/bounds.ts";
import { parsedJson } from "#contract/parsed-json.ts";
import { type KeptRequest, keptRequest } from "#contract/requests.ts";
import { removeWhere } from "./disk/data-dir.ts";
import { attempt, type FileSystem, writeFullyLater } from "./disk/files.ts";
import { errorCode, errorText, realLater } from "./failure.ts";

const NAME = /^requests-([1-9][0-9]{0,14})\.ndjson$/;
const DAMAGED = /^requests-[1-9][0-9]{0,14}\.ndjson\.damaged$/;
/** Pause after a write, in which rows gather, in milliseconds; and after a failure. */
const GATHER_MS = 10;
const RETRY_MS = 2_000;
/** Of a file: there are two. */
const MOST_BYTES = BOUNDS.logBytes.most / 2;
/** Rows of a batch. */
const BATCH = 256;

/** What it works with. */
interface KeptRequestsOptions {
  readonly files: FileSystem;
  readonly folder: string;
  /** Maximum number of rows. */
  readonly capacity: number;
  /** Called with messages for stderr. */
  readonly onNotice: (text: string) => void;
  /** The request log. @see RequestLog.keptFrom */
  readonly source: {
    keptFrom(number: number, most: number): { rows: readonly KeptRequest[]; next: number; hasMore: boolean };
  };
}

/** The newest file. */
interface Newest {
  readonly path: string;
  /** Opened by the first write. */
  fd?: number;
  rows: number;
  bytes: number;
}

/** Removes the files of all starts, also those that were set aside. */
export const removeKeptRequests = (files: FileSystem, folder: string): void =>
  removeWhere(files, folder, (name) => NAME.test(name) || DAMAGED.test(name));

/** @see the file */
export class KeptRequests {
  readonly #options: KeptRequestsOptions;
  /** Full files, oldest first. */
  #full: string[] = [];
  #newest: Newest | undefined;
  #lastNumber = 0;
  /** Whether the files cannot just be continued. */
  #isUntidy = false;
  /** The next row to write. */
  #next = 0;
  #cancelPause: (() => void) | undefined;
  /** Whether rows have come during the pause. */
  #hasMore = false;
  /** Writes follow each other. */
  #work: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(options: KeptRequestsOptions) {
    this.#options = options;
  }

  /**
   * Adds the rows of earlier starts to the log. Files that are damaged are set aside, with a notice. Call it once, first.
   * @param add returns whether the row stays.
   */
  bringBack(add: (row: KeptRequest) => boolean): void {
    const rows = this.#read();
    this.#next = rows.filter(add).length;
    if (this.#next < rows.length || this.#isUntidy) void this.#replace();
  }

  /** Call after each new row. Cheap. */
  added(): void {
    this.#hasMore = true;
    if (this.#cancelPause !== undefined) return;
    this.#pause(GATHER_MS);
    this.#hasMore = false;
    void this.#afterwards(() => this.#write());
  }

  /** Replaces the files by what the log has. @returns when the old ones are gone, also those that were set aside. */
  rewrite(): Promise<void> {
    const { files, folder } = this.#options;
    void this.#afterwards(async () => removeWhere(files, folder, (name) => DAMAGED.test(name)));
    return this.#replace();
  }

  /** Writes the last rows. */
  async close(): Promise<void> {
    await this.#afterwards(() => this.#write());
    this.#cancelPause?.();
    this.#closeNewest();
  }

  #replace(): Promise<void> {
    return this.#afterwards(async () => {
      const old = this.#newest === undefined ? this.#full : [...this.#full, this.#newest.path];
      this.#full = [];
      this.#closeNewest();
      this.#next = 0;
      try {
        await this.#write();
      } finally {
        for (const file of old) this.#remove(file);
      }
    });
  }

  #read(): KeptRequest[] {
    const { files, folder, capacity } = this.#options;
    const numbers = files
      .list(folder)
      .flatMap((name) => NAME.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
    this.#lastNumber = numbers.at(-1) ?? 0;
    // A line is in two files if a process was killed while it replaced the older one.
    const fileOf = new Map<string, string>();
    for (const file of numbers.map((number) => this.#pathOf(number))) {
      for (const line of this.#linesOf(file)) if (!fileOf.has(line)) fileOf.set(line, file);
    }
    const damaged = new Set<string>();
    const rows = [...fileOf].slice(-capacity).flatMap(([line, file]) => {
      const row = keptRequest.safeParse(parsedJson(line));
      if (!row.success) damaged.add(file);
      return row.data ?? [];
    });
    for (const file of damaged) this.#setAside(file, "it has a line that is not a request");
    this.#isUntidy ||= damaged.size > 0 || fileOf.size > 2 * capacity;
    return rows;
  }

  /** @returns the lines of a file, but a torn last one; none if it cannot be read. */
  #linesOf(file: string): string[] {
    try {
      const bytes = this.#options.files.read(file);
      const lines = bytes.toString().split("\n");
      // A kill in the middle of a write.
      if (lines.pop() !== "") this.#isUntidy = true;
      if (this.#newest !== undefined) this.#full.push(this.#newest.path);
      this.#newest = { path: file, rows: lines.length, bytes: bytes.length };
      return lines;
    } catch (error) {
      this.#setAside(file, errorText(error));
      return [];
    }
  }

  #setAside(file: string, why: string): void {
    const aside = `${file}.damaged`;
    let done = `It is now ${path.basename(aside)}`;
    try {
      this.#options.files.rename(file, aside);
    } catch (error) {
      done = `It stays where it is: ${errorText(error)}`;
    }
    this.#options.onNotice(`${file} cannot be used: ${why}. ${done}. The other requests are there.`);
    this.#full = this.#full.filter((one) => one !== file);
    if (this.#newest?.path === file) this.#newest = undefined;
    this.#isUntidy = true;
  }

  #remove(file: string): void {
    try {
      this.#options.files.remove(file);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
  }

  #pathOf(number: number): string {
    return path.join(this.#options.folder, `requests-${number}.ndjson`);
  }

  #pause(ms: number): void {
    this.#cancelPause?.();
    this.#cancelPause = realLater(ms, () => {
      this.#cancelPause = undefined;
      if (this.#hasMore) this.added();
    });
  }

  /** Runs an action after the earlier ones. @returns when it has ended; never rejects. */
  #afterwards(action: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(action).catch((error: unknown) => this.#failed(error));
    return this.#work;
  }

  #failed(error: unknown): void {
    const { files, folder, onNotice } = this.#options;
    if (!this.#hasFailed) onNotice(`${folder}: the request log cannot be kept (${errorText(error)}). It is in memory.`);
    this.#hasFailed = true;
    const { fd, bytes = 0 } = this.#newest ?? {};
    // Part of a batch may be there.
    if (fd !== undefined) attempt(() => files.truncate(fd, bytes));
    this.#hasMore = true;
    this.#pause(RETRY_MS);
  }

  async #write(): Promise<void> {
    const { files, capacity, source } = this.#options;
    for (;;) {
      if (this.#newest !== undefined && this.#newest.rows >= capacity) this.#turn();
      const room = capacity - (this.#newest?.rows ?? 0);
      const { rows, next, hasMore } = source.keptFrom(this.#next, Math.min(BATCH, room));
      if (rows.length === 0) return;
      const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
      if (this.#newest !== undefined && this.#newest.bytes + bytes.length > MOST_BYTES) this.#turn();
      this.#newest ??= this.#create();
      const file = this.#newest;
      file.fd ??= files.open(file.path);
      await writeFullyLater(files, file.fd, bytes, file.bytes);
      file.bytes += bytes.length;
      file.rows += rows.length;
      this.#next = next;
      // What has come meanwhile gathers until the next call.
      if (!hasMore) return;
    }
  }

  #create(): Newest {
    const file = this.#pathOf(++this.#lastNumber);
    return { path: file, fd: this.#options.files.create(file), rows: 0, bytes: 0 };
  }

  /** Ends the newest file, and removes those before it. */
  #turn(): void {
    if (this.#newest === undefined) return;
    for (const file of this.#full) attempt(() => this.#options.files.remove(file));
    this.#full = [this.#newest.path];
    this.#closeNewest();
  }

  #closeNewest(): void {
    const fd = this.#newest?.fd;
    if (fd !== undefined) attempt(() => this.#options.files.close(fd));
    this.#newest = undefined;
  }
}

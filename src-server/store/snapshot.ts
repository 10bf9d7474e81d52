/**
 * `stagedoor.json`: the text of it, one record a line, and the writing of it, which replaces the file in one step.
 */
import { randomBytes } from "node:crypto";
import path from "node:path";
import type { DataDir } from "./data-dir.ts";
import { type AppDocument, COLLECTIONS, type StoreDocument } from "./document.ts";
import { attempt, type FileSystem, writeFully } from "./files.ts";

/** How much is made text at a time: at most this many records, and no further record beyond this many characters. */
export const SLICE = { records: 500, characters: 128 * 1024 } as const;

function* recordLines(entry: AppDocument): Generator<string> {
  for (const collection of COLLECTIONS) {
    const { length } = entry[collection];
    const end = collection === "connections" ? "]" : "],";
    yield `"${collection}":[${length === 0 ? end : ""}`;
    for (const [place, record] of entry[collection].entries()) {
      yield place === length - 1 ? `${JSON.stringify(record)}\n${end}` : `${JSON.stringify(record)},`;
    }
  }
}

function* lines(document: StoreDocument): Generator<string> {
  const { apps, ...head } = document;
  // `version` comes first, so that a reader of any version meets it before all else.
  yield `{"version":${head.version},`;
  yield `"seq":${head.seq},`;
  yield `"generation":${head.generation},`;
  yield `"key":${JSON.stringify(head.key)},`;
  yield `"clock":${JSON.stringify(head.clock)},`;
  yield `"fixtures":${JSON.stringify(head.fixtures)},`;
  yield `"apps":[${apps.length === 0 ? "]" : ""}`;
  for (const [place, entry] of apps.entries()) {
    yield `{"app":${JSON.stringify(entry.app)},`;
    yield `"clock":${JSON.stringify(entry.clock)},`;
    yield* recordLines(entry);
    yield place === apps.length - 1 ? "}\n]" : "},";
  }
  yield "}";
}

/** @param document must not change while it is read. @returns its text in slices. */
export function* snapshotSlices(document: StoreDocument): Generator<string> {
  let slice = "";
  let count = 0;
  for (const line of lines(document)) {
    slice += `${line}\n`;
    count += 1;
    if (count >= SLICE.records || slice.length >= SLICE.characters) {
      yield slice;
      slice = "";
      count = 0;
    }
  }
  if (slice !== "") yield slice;
}

/** A snapshot under way: written beside the old one, under a name that cannot be guessed. */
export class SnapshotFile {
  /** In bytes, so far. */
  size = 0;
  readonly #files: FileSystem;
  readonly #target: string;
  readonly #temporary: string;
  #fd: number | undefined;

  /** @throws Node's errors. */
  constructor(files: FileSystem, dir: DataDir) {
    this.#files = files;
    this.#target = dir.target;
    // In the directory of the target, since only within one file system is a rename one step.
    const name = `${path.basename(dir.target)}.${randomBytes(12).toString("hex")}.tmp`;
    this.#temporary = path.join(path.dirname(dir.target), name);
    this.#fd = files.create(this.#temporary);
  }

  /** Adds a slice, holding the event loop. */
  write(text: string): void {
    const bytes = Buffer.from(text, "utf8");
    writeFully(this.#files, this.#open, bytes, bytes.length, this.size);
    this.size += bytes.length;
  }

  /** Adds a slice, leaving the event loop to others. */
  async writeLater(text: string): Promise<void> {
    const bytes = Buffer.from(text, "utf8");
    for (let done = 0; done < bytes.length; ) {
      const count = await this.#files.writeLater(this.#open, bytes, done, bytes.length - done, this.size);
      if (count <= 0) throw Object.assign(new Error("the disk takes no more"), { code: "ENOSPC" });
      done += count;
      this.size += count;
    }
  }

  /** Makes what was written durable, holding the event loop. */
  sync(): void {
    this.#files.sync(this.#open);
  }

  /** Makes what was written durable. */
  syncLater(): Promise<void> {
    return this.#files.syncLater(this.#open);
  }

  /** Puts it in the place of the old one. From here on it counts; the directory is still to be synced. */
  publish(): void {
    const fd = this.#open;
    // The file that is replaced is kept open over the rename: freeing a large one would hold the event loop.
    const old = this.#openOld();
    try {
      this.#fd = undefined;
      this.#files.close(fd);
      this.#files.rename(this.#temporary, this.#target);
    } catch (error) {
      attempt(() => this.#files.remove(this.#temporary));
      throw error;
    } finally {
      if (old !== undefined) this.#files.closeLater(old).catch(() => undefined);
    }
  }

  /** Gives it up and leaves nothing behind. */
  discard(): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    this.#fd = undefined;
    attempt(() => this.#files.close(fd));
    attempt(() => this.#files.remove(this.#temporary));
  }

  get #open(): number {
    if (this.#fd === undefined) throw new Error("This snapshot was given up.");
    return this.#fd;
  }

  #openOld(): number | undefined {
    // Windows does not replace a file that is open.
    if (process.platform === "win32") return undefined;
    try {
      return this.#files.openToRead(this.#target);
    } catch {
      return undefined;
    }
  }
}

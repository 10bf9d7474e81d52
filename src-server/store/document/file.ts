/**
 * The text of `stagedoor.json` and of snapshot files, one record per line, and writing them, which replaces a file
 * atomically.
 */
import { randomBytes } from "node:crypto";
import { COLLECTIONS } from "#contract/service/records.ts";
import type { AppData } from "#domain/world.ts";
import type { DataDir } from "../disk/data-dir.ts";
import { attempt, type FileSystem, underFreeName, writeFully, writeFullyLater } from "../disk/files.ts";
import { errorCode } from "../failure.ts";
import type { StoreDocument } from "./document.ts";

/** @returns what any write to the file changes; undefined if it does not exist. @throws Node errors. */
export const versionOf = (files: FileSystem, file: string): string | undefined => {
  try {
    const { identity, modifiedNs, size } = files.stat(file);
    return `${identity} ${modifiedNs} ${size}`;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
};

/**
 * Call right before the document file is replaced.
 * @param known the version that this process read or wrote. @param now milliseconds since 1970.
 * @returns the path of the backup if the file is another version; otherwise undefined. @throws Node errors.
 */
export const keepEdit = ({ files, target }: DataDir, known: string | undefined, now: number): string | undefined => {
  const version = versionOf(files, target);
  if (version === undefined || version === known) return undefined;
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
  return underFreeName(`${target}.changed-${stamp}`, (kept) => {
    try {
      files.link(target, kept);
    } catch (error) {
      if (errorCode(error) === "EEXIST") throw error;
      // Links are not possible here.
      files.rename(target, kept);
    }
  });
};

/** Size of a slice of text: at most this many records, and no further record beyond this many characters. */
export const SLICE = { records: 500, characters: 128 * 1024 } as const;

function* recordLines(entry: AppData): Generator<string> {
  for (const collection of COLLECTIONS) {
    const { length } = entry[collection];
    const end = collection === "connections" ? "]" : "],";
    yield `"${collection}":[${length === 0 ? end : ""}`;
    for (const [place, record] of entry[collection].entries()) {
      yield place === length - 1 ? `${JSON.stringify(record)}\n${end}` : `${JSON.stringify(record)},`;
    }
  }
}

/** @param head the members before `apps`, in order. @returns the lines of a file without its closing brace. */
function* lines(head: object, apps: readonly AppData[]): Generator<string> {
  for (const [place, [name, value]] of Object.entries(head).entries())
    yield `${place === 0 ? "{" : ""}"${name}":${JSON.stringify(value)},`;
  yield `"apps":[${apps.length === 0 ? "]" : ""}`;
  for (const [place, entry] of apps.entries()) {
    yield `{"app":${JSON.stringify(entry.app)},`;
    yield `"clock":${JSON.stringify(entry.clock)},`;
    yield* recordLines(entry);
    yield place === apps.length - 1 ? "}\n]" : "},";
  }
}

/** @param head the members before `apps`, which must not change. @returns text in slices, without the closing brace. */
export function* slicesOf(head: object, apps: readonly AppData[]): Generator<string, undefined> {
  let slice = "";
  let count = 0;
  for (const line of lines(head, apps)) {
    slice += `${line}\n`;
    count += 1;
    if (count < SLICE.records && slice.length < SLICE.characters) continue;
    yield slice;
    slice = "";
    count = 0;
  }
  if (slice !== "") yield slice;
  return undefined;
}

/** @param document must not change during iteration. @returns its text in slices. */
export function* documentSlices(document: StoreDocument): Generator<string> {
  const { version, seq, generation, key, keys, clock, fixtures, apps } = document;
  // `version` comes first, so that a reader of any version sees it before anything else.
  const head = { version, seq, generation, key, ...(keys.length === 0 ? {} : { keys }), clock, fixtures };
  yield* slicesOf(head, apps);
  yield "}\n";
}

/** @returns the generation in the head of the document file; undefined if there is none. */
export const generationIn = ({ files, document }: DataDir): number | undefined => {
  try {
    const [, digits] = /"generation":\s*([0-9]+)/.exec(files.read(document).toString("latin1", 0, 4096)) ?? [];
    return digits === undefined ? undefined : Number(digits);
  } catch {
    return undefined;
  }
};

/** Opens a file that is about to be replaced or removed. @returns a function that closes it in the background. */
export const heldOpen = (files: FileSystem, file: string): (() => void) => {
  let fd: number | undefined;
  // Windows can do neither with an open file.
  if (process.platform !== "win32") attempt(() => (fd = files.openToRead(file)));
  return () => {
    if (fd !== undefined) files.closeLater(fd).catch(() => undefined);
  };
};

/** A file being written, under an unguessable name next to the file that it will replace. */
export class DocumentFile {
  /** Bytes written so far. */
  size = 0;
  readonly #files: FileSystem;
  readonly #target: string;
  readonly #temporary: string;
  #fd: number | undefined;

  /** @param target the file to replace; not a symbolic link. @throws Node errors. */
  constructor(files: FileSystem, target: string) {
    this.#files = files;
    this.#target = target;
    // In the target's directory, because a rename is atomic only within one file system.
    this.#temporary = `${target}.${randomBytes(12).toString("hex")}.tmp`;
    this.#fd = files.create(this.#temporary);
  }

  /** Writes a slice, blocking the event loop. */
  write(text: string): void {
    const bytes = Buffer.from(text, "utf8");
    writeFully(this.#files, this.#open, bytes, bytes.length, this.size);
    this.size += bytes.length;
  }

  /** Writes a slice without blocking the event loop. */
  async writeLater(text: string): Promise<void> {
    const bytes = Buffer.from(text, "utf8");
    await writeFullyLater(this.#files, this.#open, bytes, this.size);
    this.size += bytes.length;
  }

  /** Makes the written data durable, blocking the event loop. */
  sync(): void {
    this.#files.sync(this.#open);
  }

  /** Like `sync`, without blocking the event loop. */
  syncLater(): Promise<void> {
    return this.#files.syncLater(this.#open);
  }

  /** Replaces the old file; the directory is still to be synced. @returns the new version. @throws Node errors. */
  publish(): string | undefined {
    const files = this.#files;
    const fd = this.#open;
    // Freeing a large file would block the event loop, so the replaced one stays open during the rename.
    const letGo = heldOpen(files, this.#target);
    try {
      this.#fd = undefined;
      files.close(fd);
      const version = versionOf(files, this.#temporary);
      files.rename(this.#temporary, this.#target);
      return version;
    } catch (error) {
      attempt(() => files.remove(this.#temporary));
      throw error;
    } finally {
      letGo();
    }
  }

  /** Removes the temporary file, unless it has been published. */
  discard(): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    this.#fd = undefined;
    attempt(() => this.#files.close(fd));
    attempt(() => this.#files.remove(this.#temporary));
  }

  get #open(): number {
    if (this.#fd === undefined) throw new Error("This document file was given up.");
    return this.#fd;
  }
}

/**
 * The text of `stagedoor.json` and of snapshot files, one record per line, and writing them, which replaces a file
 * atomically.
 */
import { randomBytes } from "node:crypto";
import { COLLECTIONS } from "#contract/records.ts";
import type { AppMoment } from "#domain/history/moment.ts";
import type { DataDir } from "../disk/data-dir.ts";
import { attempt, type FileSystem, underFreeName, writeFully } from "../disk/files.ts";
import { errorCode } from "../failure.ts";
import type { StoreDocument } from "./document.ts";

/** Identifies one version of a file; any write changes it. */
export type FileVersion = string;

/** @returns the version of a file; undefined if it does not exist. @throws Node errors. */
export const versionOf = (files: FileSystem, file: string): FileVersion | undefined => {
  try {
    const { identity, modifiedNs, size } = files.stat(file);
    return `${identity} ${modifiedNs} ${size}`;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
};

/** Hard-links the file to `kept`, or renames it where links are not possible. @throws Node errors. */
const keepAs = (files: FileSystem, file: string, kept: string): void => {
  try {
    files.link(file, kept);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw error;
    files.rename(file, kept);
  }
};

/**
 * Call right before the file is replaced.
 * @param known the version that this process read or wrote. @param now milliseconds since 1970.
 * @returns the path of the backup if the file is another version; otherwise undefined. @throws Node errors.
 */
export const keepEdit = (
  files: FileSystem,
  file: string,
  known: FileVersion | undefined,
  now: number,
): string | undefined => {
  const version = versionOf(files, file);
  if (version === undefined || version === known) return undefined;
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
  return underFreeName(`${file}.changed-${stamp}`, (kept) => keepAs(files, file, kept));
};

/** Size of a slice of text: at most this many records, and no further record beyond this many characters. */
export const SLICE = { records: 500, characters: 128 * 1024 } as const;

function* recordLines(entry: AppMoment): Generator<string> {
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
function* lines(head: object, apps: readonly AppMoment[]): Generator<string> {
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

/**
 * @param head the members before `apps`, in order. @param apps must not change during iteration.
 * @returns the text of a file in slices, without its closing brace.
 */
export function* slicesOf(head: object, apps: readonly AppMoment[]): Generator<string, undefined> {
  let slice = "";
  let count = 0;
  for (const line of lines(head, apps)) {
    slice += `${line}\n`;
    count += 1;
    if (count >= SLICE.records || slice.length >= SLICE.characters) {
      yield slice;
      slice = "";
      count = 0;
    }
  }
  if (slice !== "") yield slice;
  return undefined;
}

/** @param document must not change during iteration. @returns its text in slices. */
export function* documentSlices({
  version,
  seq,
  generation,
  key,
  keys,
  clock,
  fixtures,
  apps,
}: StoreDocument): Generator<string> {
  // `version` comes first, so that a reader of any version sees it before anything else.
  const head = { version, seq, generation, key, ...(keys.length === 0 ? {} : { keys }), clock, fixtures };
  yield* slicesOf(head, apps);
  yield "}\n";
}

/** @returns the generation in the head of the document file; undefined if there is none. */
export const generationIn = (files: FileSystem, dir: DataDir): number | undefined => {
  try {
    const [, digits] = /"generation":\s*([0-9]+)/.exec(files.read(dir.document).toString("latin1", 0, 4096)) ?? [];
    return digits === undefined ? undefined : Number(digits);
  } catch {
    return undefined;
  }
};

/** A file being written, under an unguessable name beside the file that it will replace. */
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
    for (let done = 0; done < bytes.length; ) {
      const count = await this.#files.writeLater(this.#open, bytes, done, bytes.length - done, this.size);
      if (count <= 0) throw Object.assign(new Error("the disk takes no more"), { code: "ENOSPC" });
      done += count;
      this.size += count;
    }
  }

  /** Makes the written data durable, blocking the event loop. */
  sync(): void {
    this.#files.sync(this.#open);
  }

  /** Makes the written data durable. */
  syncLater(): Promise<void> {
    return this.#files.syncLater(this.#open);
  }

  /**
   * Replaces the old file. The new one is valid from here on; the directory must still be synced.
   * @returns the version of the new file.
   */
  publish(): FileVersion | undefined {
    const fd = this.#open;
    // The replaced file stays open during the rename, because freeing a large one would block the event loop.
    const old = this.#openOld();
    try {
      this.#fd = undefined;
      this.#files.close(fd);
      const version = versionOf(this.#files, this.#temporary);
      this.#files.rename(this.#temporary, this.#target);
      return version;
    } catch (error) {
      attempt(() => this.#files.remove(this.#temporary));
      throw error;
    } finally {
      if (old !== undefined) this.#files.closeLater(old).catch(() => undefined);
    }
  }

  /** Aborts and removes the temporary file. */
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

  #openOld(): number | undefined {
    // Windows cannot replace an open file.
    if (process.platform === "win32") return undefined;
    try {
      return this.#files.openToRead(this.#target);
    } catch {
      return undefined;
    }
  }
}

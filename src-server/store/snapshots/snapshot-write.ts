/**
 * Writes the file of a named snapshot: its start immediately, so that a full disk is noticed before the response, the
 * rest in slices between requests.
 *
 *     {"version":1,"name":"before-login","appId":null,"seq":812, …,
 *     "apps":[ … as in stagedoor.json …
 *     ],"crc":"9ae01f22"}
 */
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type { SnapshotItem } from "#contract/control/snapshots.ts";
import { referencesOf } from "#domain/history/copy.ts";
import type { WorldData } from "#domain/world.ts";
import { type FileSystem, syncDirLater } from "../disk/files.ts";
import { DOCUMENT_VERSION } from "../document/document.ts";
import { DocumentFile, slicesOf } from "../document/file.ts";
import { sealOf } from "../journal/format.ts";

/** This many bytes, plus the rest of a slice, are written immediately: a few milliseconds. */
const FIRST_BYTES = 256 * 1024;

const linesIn = (text: string): number => text.split("\n").length - 1;

/** @see the file */
export class SnapshotWrite {
  readonly #files: FileSystem;
  readonly #folder: string;
  readonly #file: DocumentFile;
  readonly #slices: Generator<string, undefined>;
  #crc = 0;
  /** Estimated size of the whole file in bytes. */
  #expected = 0;

  /**
   * @param target the file to write. @param data must not change. @param reserved bytes that other writes still need.
   * @throws Node errors, and one with the code ENOSPC if not all of it fits; no file is left behind.
   */
  constructor(files: FileSystem, target: string, saved: SnapshotItem, data: WorldData, reserved: number) {
    this.#files = files;
    this.#folder = path.dirname(target);
    const { name, appId, seq, createdAt, counts } = saved;
    const head = { version: DOCUMENT_VERSION, name, appId, seq, createdAt, counts, clock: data.clock };
    this.#slices = slicesOf(head, data.apps);
    this.#file = new DocumentFile(files, target);
    try {
      this.#begin(referencesOf(data), reserved);
    } catch (error) {
      this.#file.discard();
      throw error;
    }
  }

  /** Estimated number of bytes still to write. */
  get remaining(): number {
    return Math.max(0, this.#expected - this.#file.size);
  }

  /**
   * Writes the rest and puts the file in place, durably. @param isVoid called between slices; true aborts.
   * @returns the size of the file in bytes; undefined if aborted. @throws Node errors; the previous file stays.
   */
  async finish(isVoid: () => boolean): Promise<number | undefined> {
    try {
      for (let slice = this.#next(); slice !== undefined; slice = this.#next()) {
        if (isVoid()) return undefined;
        await this.#file.writeLater(slice);
        await nextTurn();
      }
      await this.#file.writeLater(`${sealOf(this.#crc)}\n`);
      await this.#file.syncLater();
      if (isVoid()) return undefined;
      this.#file.publish();
      // The folder itself may be new too.
      for (const folder of [this.#folder, path.dirname(this.#folder)]) await syncDirLater(this.#files, folder);
      return this.#file.size;
    } finally {
      this.#file.discard();
    }
  }

  #begin(references: number, reserved: number): void {
    let lines = 0;
    while (this.#file.size < FIRST_BYTES) {
      const slice = this.#next();
      if (slice === undefined) return;
      this.#file.write(slice);
      lines += linesIn(slice);
    }
    this.#expected = (this.#file.size / lines) * Math.max(references, lines);
    if (this.#files.freeBytes(this.#folder) < this.remaining + reserved)
      throw Object.assign(new Error("there is no room for the snapshot"), { code: "ENOSPC" });
  }

  #next(): string | undefined {
    const slice = this.#slices.next().value;
    if (slice !== undefined) this.#crc = crc32(slice, this.#crc);
    return slice;
  }
}

/** The files of named snapshots: one each, in `snapshots/` of the data directory. */
import { createHash } from "node:crypto";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { type SnapshotItem, snapshotItem } from "#contract/control/snapshots.ts";
import type { Problem } from "#contract/service/problems.ts";
import { clockRecord } from "#contract/service/records.ts";
import type { WorldData } from "#domain/world.ts";
import { isTemporary, makeDir, removeWhere } from "../disk/data-dir.ts";
import type { FileSystem } from "../disk/files.ts";
import { checkDocument } from "../document/check.ts";
import { DOCUMENT_VERSION } from "../document/document.ts";
import { heldOpen } from "../document/file.ts";
import { errorCode, errorText } from "../failure.ts";
import { sealOf } from "../journal/format.ts";
import { SnapshotWrite } from "./snapshot-write.ts";

type Named = Pick<SnapshotItem, "name" | "appId">;

/** The hash comes first, because Windows reserves some names, and other apps can use the same name. */
const fileName = ({ name, appId }: Named): string =>
  `${createHash("sha256")
    .update(JSON.stringify([appId, name]))
    .digest("hex")
    .slice(0, 12)}-${name}.json`;

/** More than the members before the apps take, in bytes. */
const HEAD_BYTES = 64 * 1024;

const headShape = snapshotItem.omit({ stored: true }).extend({
  version: z.literal(DOCUMENT_VERSION),
  // A corrupted digit must not exhaust the range of numbers.
  seq: z.int().min(0).max(1e15),
  clock: clockRecord,
});

/** The content of a file is not what was written. The message omits the file name. */
class Damaged extends Error {
  override readonly name = "Damaged";
}

const checkRegular = (files: FileSystem, file: string): void => {
  if (files.stat(file).kind !== "file") throw new Damaged("it is not a regular file");
};

/** @returns the metadata at the start of a file. @throws Damaged, SyntaxError, ZodError and Node errors. */
const readHead = async (files: FileSystem, file: string): Promise<SnapshotItem> => {
  checkRegular(files, file);
  const fd = files.openToRead(file);
  try {
    const start = Buffer.alloc(HEAD_BYTES);
    const count = await files.readLater(fd, start, 0, HEAD_BYTES, 0);
    const [head] = /^.*?(?=,\n"apps":\[)/s.exec(start.toString("utf8", 0, count)) ?? [];
    if (head === undefined) throw new Damaged("it is cut off, or not a Stagedoor file");
    const { version: _, clock: __, ...saved } = headShape.parse(JSON.parse(`${head}}`));
    return { ...saved, stored: true };
  } finally {
    files.close(fd);
  }
};

/** @returns the content of a file, with pauses for others. @throws as `readHead`. */
const readWorldData = async (files: FileSystem, file: string): Promise<WorldData> => {
  checkRegular(files, file);
  const bytes = files.read(file);
  await nextTurn();
  const end = Math.max(0, bytes.lastIndexOf(',"crc":'));
  if (bytes.toString("latin1", end) !== `${sealOf(crc32(bytes.subarray(0, end)))}\n`)
    throw new Damaged("it is cut off, or its checksum does not match");
  await nextTurn();
  const value: unknown = JSON.parse(bytes.toString("utf8"));
  await nextTurn();
  const { clock } = headShape.parse(value);
  const checked = checkDocument({ generation: 1, key: {}, fixtures: [], ...Object(value) }, false);
  if ("flaw" in checked) throw new Damaged(`it holds what this version does not know: ${checked.flaw.message}`);
  return { clock, apps: checked.document.apps };
};

/** @see the file */
export class SnapshotFiles {
  readonly #files: FileSystem;
  readonly #folder: string;
  readonly #onNotice: (text: string) => void;

  /** @param folder may not exist. @param onNotice called with messages about unusable files. */
  constructor(files: FileSystem, folder: string, onNotice: (text: string) => void) {
    this.#files = files;
    this.#folder = folder;
    this.#onNotice = onNotice;
  }

  /** Removes incomplete files of a killed process. @returns the snapshots that have a file, oldest first. */
  async list(): Promise<SnapshotItem[]> {
    removeWhere(this.#files, this.#folder, isTemporary(""));
    const found: SnapshotItem[] = [];
    for (const name of this.#names()) {
      try {
        const saved = await readHead(this.#files, path.join(this.#folder, name));
        if (fileName(saved) !== name) throw new Error("it is not the file of the snapshot that it names");
        found.push(saved);
      } catch (error) {
        this.#onNotice(`the snapshot ${path.join(this.#folder, name)} is left out: ${damageText(error)}`);
      }
    }
    return found.sort((a, b) => a.seq - b.seq || a.createdAt.localeCompare(b.createdAt));
  }

  /** Starts writing a snapshot. @param reserved bytes that other writes still need. @throws as SnapshotWrite. */
  begin(saved: SnapshotItem, data: WorldData, reserved: number): SnapshotWrite {
    makeDir(this.#files, this.#folder);
    return new SnapshotWrite(this.#files, this.#pathOf(saved), saved, data, reserved);
  }

  /** @returns the content, or why it cannot be read. */
  async read(saved: SnapshotItem): Promise<WorldData | Problem> {
    const file = this.#pathOf(saved);
    try {
      return await readWorldData(this.#files, file);
    } catch (error) {
      const instruction = `${file} cannot be used: ${damageText(error)}. Nothing was changed. Delete this snapshot or save it again.`;
      return { code: "snapshot_unreadable", instruction };
    }
  }

  /** Deletes the file of a snapshot if there is one. @throws Node errors. */
  remove(named: Named): void {
    const file = this.#pathOf(named);
    const letGo = heldOpen(this.#files, file);
    try {
      this.#files.remove(file);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    } finally {
      letGo();
    }
  }

  #names(): readonly string[] {
    try {
      return this.#files.list(this.#folder).filter((name) => name.endsWith(".json"));
    } catch (error) {
      if (errorCode(error) !== "ENOENT") this.#onNotice(`snapshots are left out: ${errorText(error)}`);
      return [];
    }
  }

  #pathOf(named: Named): string {
    return path.join(this.#folder, fileName(named));
  }
}

const damageText = (error: unknown): string =>
  error instanceof Error && ["SyntaxError", "ZodError"].includes(error.name) ? "it is damaged" : errorText(error);

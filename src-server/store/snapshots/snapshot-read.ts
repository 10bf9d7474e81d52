/** Reads the file of a named snapshot. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { type SnapshotItem, snapshotItem } from "#contract/control/snapshots.ts";
import { clockRecord } from "#contract/service/records.ts";
import type { WorldData } from "#domain/world.ts";
import type { FileSystem } from "../disk/files.ts";
import { checkDocument } from "../document/check.ts";
import { DOCUMENT_VERSION } from "../document/document.ts";
import { sealOf } from "../journal/format.ts";

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
export const readHead = async (files: FileSystem, file: string): Promise<SnapshotItem> => {
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
export const readWorldData = async (files: FileSystem, file: string): Promise<WorldData> => {
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

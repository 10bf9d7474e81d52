/**
 * The start on a directory that holds data: the snapshot, then the journals, then what a crash has left is mended.
 * As long as anything is wrong no file is touched.
 */
import { isUtf8 } from "node:buffer";
import path from "node:path";
import { checkDocument } from "./check.ts";
import { type DataDir, journalNumbers } from "./data-dir.ts";
import { damaged, errorCode, errorText, type Fault, pathText, StoreFailure, unreadable } from "./failure.ts";
import { type FileSystem, syncDir, writeFully } from "./files.ts";
import { WorldIndex } from "./indexes.ts";
import type { JournalEnd } from "./journal-writer.ts";
import { jsonFaultAt, placeInJson, utf8FaultAt } from "./json-place.ts";
import { isNewer, migrate, NEWER_ADVICE } from "./migrate.ts";
import { replay, type Torn } from "./replay.ts";

/** What was found. */
export interface Recovered {
  readonly index: WorldIndex;
  readonly journal: JournalEnd;
  /** The number of the last change in the snapshot. */
  readonly snapshotSeq: number;
  /** In bytes. */
  readonly snapshotSize: number;
  /** The snapshot must be written before anything else: it was edited by hand, and records got new numbers. */
  readonly edited: boolean;
  /** Whether any journal stands. */
  readonly journals: boolean;
  /** Journals that may go. */
  readonly obsolete: readonly number[];
}

const readSnapshot = (files: FileSystem, dir: DataDir): Buffer | undefined => {
  try {
    return files.read(dir.snapshot);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw unreadable(dir.snapshot, error);
  }
};

const hasByteOrderMark = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

const parseSnapshot = (file: string, bytes: Buffer, start: number): unknown => {
  if (!isUtf8(bytes)) throw damaged(file, utf8FaultAt(bytes), "is not UTF-8");
  const text = bytes.toString("utf8", start);
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === "") throw damaged(file, start, "is empty");
    throw damaged(file, jsonFaultAt(bytes, start) ?? bytes.length, "is not JSON from here on");
  }
};

/** Reads and checks the snapshot. @param alone whether no journal stands beside it. */
const loadSnapshot = (file: string, bytes: Buffer, alone: boolean): { index: WorldIndex; edited: boolean } => {
  const start = hasByteOrderMark(bytes) ? 3 : 0;
  const at = (fault: Fault, advice?: string): StoreFailure => {
    const what = fault.path.length === 0 ? fault.message : `${pathText(fault.path)}: ${fault.message}`;
    return damaged(file, placeInJson(bytes, start, fault.path), what, advice);
  };
  const value = parseSnapshot(file, bytes, start);
  const migrated = migrate(value);
  if ("fault" in migrated) {
    const newer = typeof value === "object" && value !== null && "version" in value && isNewer(value.version);
    throw at(migrated.fault, newer ? NEWER_ADVICE : undefined);
  }
  const checked = checkDocument(migrated.value, alone);
  if ("fault" in checked) throw at(checked.fault);
  const index = new WorldIndex(checked.document);
  const fault = index.fault();
  if (fault !== undefined) throw at(fault);
  return { index, edited: checked.edited };
};

/** Keeps a copy of the torn bytes. @returns the name of the file that holds them. */
const keepTorn = (files: FileSystem, file: string, torn: Torn): string => {
  for (let attempt = 0; ; attempt += 1) {
    const kept = `${file}.torn-${torn.end}${attempt === 0 ? "" : `-${attempt}`}`;
    try {
      const fd = files.create(kept);
      try {
        writeFully(files, fd, torn.bytes, torn.bytes.length, 0);
        files.sync(fd);
      } finally {
        files.close(fd);
      }
      return kept;
    } catch (error) {
      if (errorCode(error) !== "EEXIST" || attempt > 1000) throw error;
    }
  }
};

/** Cuts off the torn end, after it was kept. @returns what to tell. */
const cutTorn = (files: FileSystem, dir: DataDir, torn: Torn): string => {
  const file = dir.journal(torn.number);
  try {
    const kept = torn.bytes.length === 0 ? undefined : keepTorn(files, file, torn);
    if (torn.end === 0) files.remove(file);
    else {
      const fd = files.open(file);
      try {
        files.truncate(fd, torn.end);
        files.sync(fd);
      } finally {
        files.close(fd);
      }
    }
    syncDir(files, dir.path);
    if (kept === undefined) return `recovered ${file}: it was empty, as a crash leaves it, and is gone`;
    const cut = `the last write was cut short, so ${torn.bytes.length} bytes from byte ${torn.end} on were cut off`;
    return `recovered ${file}: ${cut}; they are kept in ${kept}`;
  } catch (error) {
    const what = `${file}, byte ${torn.end}: the last write was cut short, and it cannot be mended: ${errorText(error)}.`;
    throw new StoreFailure(1, `${what} Make room and see that the file may be written, then start again.`, {
      file,
      offset: torn.end,
      cause: error,
    });
  }
};

/** Makes durable what a killed process left in the kernel's hands, before anybody builds on it. @throws Node's errors. */
const makeDurable = (files: FileSystem, dir: DataDir, numbers: readonly number[]): void => {
  for (const number of numbers) {
    const fd = files.open(dir.journal(number));
    try {
      files.sync(fd);
    } finally {
      files.close(fd);
    }
  }
  // The snapshot's name too: journals that it has made obsolete are removed next.
  for (const folder of new Set([dir.path, path.dirname(dir.target)])) syncDir(files, folder);
};

/**
 * Reads what the directory holds.
 * @param onNotice told what was mended. @returns undefined if it holds no data yet.
 * @throws StoreFailure exit status 3 for damage (no file was touched), 1 if the disk refuses to be mended.
 */
export const recover = (files: FileSystem, dir: DataDir, onNotice: (text: string) => void): Recovered | undefined => {
  const numbers = journalNumbers(files, dir);
  const bytes = readSnapshot(files, dir);
  if (bytes === undefined) {
    if (numbers[0] === undefined) return undefined;
    throw damaged(dir.snapshot, undefined, `is missing, but ${dir.journal(numbers[0])} stands, which goes on from it`);
  }
  const { index, edited } = loadSnapshot(dir.snapshot, bytes, numbers.length === 0);
  const snapshotSeq = index.seq;
  const { end, torn, obsolete } = replay(files, dir, index, numbers);
  if (torn !== undefined) onNotice(cutTorn(files, dir, torn));
  const gone = torn?.end === 0 ? torn.number : undefined;
  const needed = numbers.filter((number) => number !== gone && !obsolete.includes(number));
  makeDurable(files, dir, needed);
  return {
    index,
    journal: end,
    snapshotSeq,
    snapshotSize: bytes.length,
    edited: edited && numbers.length === 0,
    journals: numbers.length > 0,
    obsolete,
  };
};

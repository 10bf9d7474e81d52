/**
 * Starts on existing data, in two steps. `readData` reads the document file and the journals and changes no file. Only
 * if nothing is wrong, `mendData` cleans up after a crash.
 */
import { isUtf8 } from "node:buffer";
import path from "node:path";
import { placesInJson, readJson } from "#contract/json-text.ts";
import { pathText } from "#contract/validation.ts";
import { type DataDir, journalNumbers } from "../disk/data-dir.ts";
import { closing, cutDurably, type FileSystem, syncDir, underFreeName, writeDurably } from "../disk/files.ts";
import { checkDocument, treeFlaw } from "../document/check.ts";
import { isNewer, migrate } from "../document/document.ts";
import { type FileVersion, versionOf } from "../document/file.ts";
import { damaged, errorCode, errorText, type Flaw, StoreFailure, unreadable } from "../failure.ts";
import { WorldIndex } from "../index/indexes.ts";
import type { JournalEnd } from "../journal/writer.ts";
import { readJournals, type Torn } from "./read-journal.ts";

/** The data that was found. */
export interface FoundData {
  readonly index: WorldIndex;
  readonly journal: JournalEnd;
  /** The number of the last change in the document file. */
  readonly documentSeq: number;
  /** In bytes. */
  readonly documentSize: number;
  readonly documentVersion: FileVersion | undefined;
  /** The document file was edited by hand and records were renumbered, so it must be written before anything else. */
  readonly edited: boolean;
  /** Whether there is any journal. */
  readonly journals: boolean;
  /** Journals that can be removed. */
  readonly obsolete: readonly number[];
  /** Journals that are needed. */
  readonly needed: readonly number[];
  readonly torn: Torn | undefined;
  /** @returns the failure for a flaw that only the caller can detect. */
  damage(flaw: Flaw): StoreFailure;
}

const readDocumentFile = (files: FileSystem, dir: DataDir): Buffer | undefined => {
  try {
    return files.read(dir.document);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw unreadable(dir.document, error);
  }
};

const hasByteOrderMark = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

/** @returns the offset of the first byte that is not UTF-8. */
const utf8FlawAt = (bytes: Buffer): number => {
  const again = Buffer.from(bytes.toString("utf8"), "utf8");
  const at = bytes.findIndex((byte, place) => byte !== again[place]);
  return at === -1 ? bytes.length : at;
};

const parseDocument = (file: string, text: string, byteAt: (offset: number) => number): unknown => {
  if (text.trim() === "") throw damaged("document", file, byteAt(0), "is empty");
  const read = readJson(text);
  if ("error" in read) throw damaged("document", file, byteAt(read.error.offset), "is not JSON from here on");
  return read.value;
};

/** Converts flaws of the document to failures with their position in the file. */
type Placing = (flaw: Flaw, kind?: "document" | "newer") => StoreFailure;

/** Reads and validates the document file. @param alone whether there is no journal. */
const loadDocument = (
  file: string,
  bytes: Buffer,
  alone: boolean,
): { index: WorldIndex; edited: boolean; at: Placing } => {
  if (!isUtf8(bytes)) throw damaged("document", file, utf8FlawAt(bytes), "is not UTF-8");
  const start = hasByteOrderMark(bytes) ? 3 : 0;
  const text = bytes.toString("utf8", start);
  const byteAt = (offset: number): number => start + Buffer.byteLength(text.slice(0, offset));
  const at: Placing = ({ path: steps, message }, kind = "document") => {
    const named = pathText(steps);
    const { offset = 0 } = placesInJson(text, [named]).get(named) ?? {};
    return damaged(kind, file, byteAt(offset), named === "" ? message : `${named}: ${message}`);
  };
  const value = parseDocument(file, text, byteAt);
  const tree = treeFlaw(value);
  if (tree !== undefined) throw at(tree);
  const migrated = migrate(value);
  if ("flaw" in migrated) {
    const newer = typeof value === "object" && value !== null && "version" in value && isNewer(value.version);
    throw at(migrated.flaw, newer ? "newer" : "document");
  }
  const checked = checkDocument(migrated.value, alone);
  if ("flaw" in checked) throw at(checked.flaw);
  const index = new WorldIndex(checked.document);
  const flaw = index.flaw();
  if (flaw !== undefined) throw at(flaw);
  return { index, edited: checked.edited, at };
};

/** Truncates the torn end after backing it up. @returns the message to show. */
const cutTorn = (files: FileSystem, dir: DataDir, torn: Torn): string => {
  const file = dir.journal(torn.number);
  try {
    const keep = (name: string): void => writeDurably(files, name, torn.bytes);
    const kept = torn.bytes.length === 0 ? undefined : underFreeName(`${file}.torn-${torn.end}`, keep);
    if (torn.end === 0) files.remove(file);
    else cutDurably(files, file, torn.end);
    syncDir(files, dir.path);
    if (kept === undefined) return `recovered ${file}: it was empty, as a crash leaves it, and is gone`;
    const cut = `the last write was cut short, so ${torn.bytes.length} bytes from byte ${torn.end} on were cut off`;
    return `recovered ${file}: ${cut}; they are kept in ${kept}`;
  } catch (error) {
    const what = `${file}, byte ${torn.end}: the last write was cut short, and it cannot be cut off: ${errorText(error)}.`;
    const advice = "Free some space and check that the file can be written, then start again.";
    throw new StoreFailure(1, what, { file, offset: torn.end, advice, cause: error });
  }
};

/** Syncs what a killed process left in the kernel's buffers, before anything builds on it. @throws Node errors. */
const makeDurable = (files: FileSystem, dir: DataDir, numbers: readonly number[]): void => {
  for (const number of numbers) closing(files, files.open(dir.journal(number)), (fd) => files.sync(fd));
  // The document file's name too, because the journals that it made obsolete are removed next.
  for (const folder of new Set([dir.path, path.dirname(dir.target)])) syncDir(files, folder);
};

/**
 * Reads the data of a directory without changing any file.
 * @returns undefined if it has no data yet. @throws StoreFailure exit status 3 for damage, 1 if access is denied.
 */
export const readData = (files: FileSystem, dir: DataDir): FoundData | undefined => {
  const numbers = journalNumbers(files, dir);
  // Taken before the file is read, so that an edit in between is detected.
  const documentVersion = versionOf(files, dir.target);
  const bytes = readDocumentFile(files, dir);
  if (bytes === undefined) {
    if (numbers[0] === undefined) return undefined;
    const what = `is missing, but ${dir.journal(numbers[0])} stands, which goes on from it`;
    throw damaged("missing", dir.document, undefined, what);
  }
  const { index, edited, at } = loadDocument(dir.document, bytes, numbers.length === 0);
  const documentSeq = index.seq;
  const { end, torn, obsolete } = readJournals(files, dir, index, numbers);
  const gone = torn?.end === 0 ? torn.number : undefined;
  return {
    index,
    journal: end,
    documentSeq,
    documentSize: bytes.length,
    documentVersion,
    edited: edited && numbers.length === 0,
    journals: numbers.length > 0,
    obsolete,
    needed: numbers.filter((number) => number !== gone && !obsolete.includes(number)),
    torn,
    damage: at,
  };
};

/**
 * Truncates a torn end, and makes the rest durable.
 * @param onNotice called with what was done. @throws StoreFailure exit status 1 if the disk fails; Node errors.
 */
export const mendData = (
  files: FileSystem,
  dir: DataDir,
  { torn, needed }: FoundData,
  onNotice: (text: string) => void,
): void => {
  if (torn !== undefined) onNotice(cutTorn(files, dir, torn));
  makeDurable(files, dir, needed);
};

/** Replays the journals onto the document file's world, or reports where they are damaged. */
import { pathText } from "#contract/validation.ts";
import type { DataDir } from "../disk/data-dir.ts";
import { treeFlaw } from "../document/check.ts";
import { isNewer } from "../document/document.ts";
import { damaged, type StoreFailure, unreadable } from "../failure.ts";
import type { WorldIndex } from "../index/indexes.ts";
import { type JournalHeader, type JournalLine, JournalReader, readHeader, readTransaction } from "../journal/format.ts";
import type { JournalEnd } from "../journal/writer.ts";

/** The incomplete end of the newest journal. */
export interface Torn {
  readonly number: number;
  /** The number of valid bytes; the rest is torn. */
  readonly end: number;
  readonly bytes: Buffer;
}

/** The result of reading the journals. */
export interface JournalsRead {
  readonly end: JournalEnd;
  readonly torn: Torn | undefined;
  /** Journals already in the document file; a crash prevented their removal. */
  readonly obsolete: readonly number[];
}

type Damage = (what: string, offset?: number, kind?: "journal" | "newer") => StoreFailure;

const contentOf = (line: JournalLine, damage: Damage): unknown => {
  if ("flaw" in line) throw damage(line.flaw, line.offset);
  return line.value;
};

const checkHeader = (line: JournalLine, number: number, damage: Damage): JournalHeader => {
  const header = readHeader(contentOf(line, damage));
  if (header === undefined) throw damage("the first line is not the header of a journal");
  if (isNewer(header.version)) throw damage("a newer Stagedoor wrote this journal", 0, "newer");
  if (header.journal !== number) throw damage(`this is journal ${header.journal}, under another one's name`);
  return header;
};

/** Reads the lines after the header. @param index undefined: verify without applying. @returns the last number. */
const readLines = (reader: JournalReader, after: number, index: WorldIndex | undefined, damage: Damage): number => {
  let seq = after;
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    const { offset } = line;
    const value = contentOf(line, damage);
    const flaw = treeFlaw(value);
    if (flaw !== undefined) throw damage(`${pathText(flaw.path)}: ${flaw.message}`, offset);
    const transaction = readTransaction(value);
    if (transaction === undefined) throw damage("this line holds changes that this version does not know", offset);
    if (transaction.seq !== seq + 1)
      throw damage(`this line has number ${transaction.seq}, but ${seq + 1} comes next`, offset);
    if (index?.applyAll(transaction.changes, transaction.seq) === false)
      throw damage("this line changes an app that is not there", offset);
    seq += transaction.changes.length;
  }
  return seq;
};

/** @returns the content of a file that must be there. @throws StoreFailure */
export const readBytes = ({ files }: DataDir, file: string): Buffer => {
  try {
    return files.read(file);
  } catch (error) {
    throw unreadable(file, error);
  }
};

/**
 * Reads the journals in order. Changes no file.
 * @param index of the document file; it is changed. @param numbers generations of the journals, ascending.
 * @throws StoreFailure (exit status 3) for any damage except a torn end of the newest.
 */
export const readJournals = (dir: DataDir, index: WorldIndex, numbers: readonly number[]): JournalsRead => {
  const { generation } = index.document;
  const documentSeq = index.seq;
  const obsolete = numbers.filter((number) => number < generation);
  /** The generation that comes next, and the checksum that it continues from; undefined if the one before is gone. */
  let next = generation;
  let chain: number | undefined;
  let torn: Torn | undefined;
  let open: JournalEnd["open"];
  for (const number of numbers) {
    const file = dir.journal(number);
    const damage: Damage = (what, offset = 0, kind = "journal") => damaged(kind, file, offset, what);
    const bytes = readBytes(dir, file);
    const reader = new JournalReader(bytes);
    // Half a line, NULs after a power cut, or nothing at all.
    if (bytes.length > reader.end || reader.end === 0) {
      if (number !== numbers.at(-1))
        throw damage("this journal ends in the middle of a line, though a newer one follows", reader.end);
      torn = { number, end: reader.end, bytes: bytes.subarray(reader.end) };
    }
    const first = reader.next();
    // Torn before its first line was complete, as if it had never been created.
    if (first === undefined) break;
    if (number >= generation && number !== next)
      throw damage(`journal-${next}.ndjson, which comes before this one, is missing`);
    const header = checkHeader(first, number, damage);
    if (number < generation) {
      const last = readLines(reader, header.after, undefined, damage);
      if (last <= documentSeq) continue;
      const place = `but the document file, which should hold it, at ${documentSeq}`;
      throw damage(`this journal ends at change ${last}, ${place}`);
    }
    if (header.after !== index.seq) {
      const place = `but what comes before it ends at ${index.seq}`;
      throw damage(`this journal goes on from change ${header.after}, ${place}`);
    }
    if (chain !== undefined && header.chain !== chain)
      throw damage("this journal does not go on from the one before it: its checksum is another");
    readLines(reader, header.after, index, damage);
    next = number + 1;
    ({ chain } = reader);
    open = { number, size: reader.end };
  }
  return { end: { open, next, chain: chain ?? 0 }, torn, obsolete };
};

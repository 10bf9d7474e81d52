/** Replays the journals onto the document file's world, or reports where they are damaged (CONTRACT 8). */
import { pathText } from "#contract/validation.ts";
import type { DataDir } from "../disk/data-dir.ts";
import type { FileSystem } from "../disk/files.ts";
import { treeFlaw } from "../document/check.ts";
import { isNewer } from "../document/document.ts";
import { damaged, unreadable } from "../failure.ts";
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

/** The state after the journals read so far. */
interface Progress {
  readonly index: WorldIndex;
  /** The generation that must come next. */
  expected: number;
  /** The checksum that it must continue from; undefined if the previous journal is gone. */
  chain: number | undefined;
}

const lineFrom = (file: string, line: JournalLine): { value: unknown; offset: number } => {
  if ("flaw" in line) throw damaged("journal", file, line.offset, line.flaw);
  return line;
};

const checkHeader = (file: string, number: number, value: unknown): JournalHeader => {
  const header = readHeader(value);
  if (header === undefined) throw damaged("journal", file, 0, "the first line is not the header of a journal");
  if (isNewer(header.version)) throw damaged("newer", file, 0, "a newer Stagedoor wrote this journal");
  if (header.journal !== number)
    throw damaged("journal", file, 0, `this is journal ${header.journal}, under another one's name`);
  return header;
};

const checkOrder = (file: string, header: JournalHeader, progress: Progress): void => {
  const { index, chain } = progress;
  if (header.after !== index.seq) {
    const what = `this journal goes on from change ${header.after}, but what comes before it ends at ${index.seq}`;
    throw damaged("journal", file, 0, what);
  }
  if (chain !== undefined && header.chain !== chain) {
    throw damaged("journal", file, 0, "this journal does not go on from the one before it: its checksum is another");
  }
};

/** Reads one journal. @param index undefined: verify without applying. @returns the last number in it. */
const readLines = (file: string, reader: JournalReader, after: number, index: WorldIndex | undefined): number => {
  let seq = after;
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    const { value, offset } = lineFrom(file, line);
    const flaw = treeFlaw(value);
    if (flaw !== undefined) throw damaged("journal", file, offset, `${pathText(flaw.path)}: ${flaw.message}`);
    const transaction = readTransaction(value);
    if (transaction === undefined)
      throw damaged("journal", file, offset, "this line holds changes that this version does not know");
    if (transaction.seq !== seq + 1) {
      throw damaged("journal", file, offset, `this line has number ${transaction.seq}, but ${seq + 1} comes next`);
    }
    if (index !== undefined && !index.applyAll(transaction.changes, transaction.seq)) {
      throw damaged("journal", file, offset, "this line changes an app that is not there");
    }
    seq += transaction.changes.length;
  }
  return seq;
};

const readBytes = (files: FileSystem, file: string): Buffer => {
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
export const readJournals = (
  files: FileSystem,
  dir: DataDir,
  index: WorldIndex,
  numbers: readonly number[],
): JournalsRead => {
  const { generation } = index.document;
  const documentSeq = index.seq;
  const progress: Progress = { index, expected: generation, chain: undefined };
  const obsolete = numbers.filter((number) => number < generation);
  let torn: Torn | undefined;
  let open: JournalEnd["open"];
  for (const number of numbers) {
    const file = dir.journal(number);
    const bytes = readBytes(files, file);
    const reader = new JournalReader(bytes);
    if (reader.tornBytes > 0 || reader.end === 0) {
      if (number !== numbers.at(-1)) {
        throw damaged(
          "journal",
          file,
          reader.end,
          "this journal ends in the middle of a line, though a newer one follows",
        );
      }
      torn = { number, end: reader.end, bytes: bytes.subarray(reader.end) };
    }
    const first = reader.next();
    // Torn before its first line was complete, as if it had never been created.
    if (first === undefined) break;
    if (number >= generation && number !== progress.expected) {
      throw damaged("journal", file, 0, `journal-${progress.expected}.ndjson, which comes before this one, is missing`);
    }
    const header = checkHeader(file, number, lineFrom(file, first).value);
    if (number < generation) {
      const last = readLines(file, reader, header.after, undefined);
      if (last <= documentSeq) continue;
      throw damaged(
        "journal",
        file,
        0,
        `this journal ends at change ${last}, but the document file, which should hold it, at ${documentSeq}`,
      );
    }
    checkOrder(file, header, progress);
    readLines(file, reader, header.after, index);
    progress.expected = number + 1;
    progress.chain = reader.chain;
    open = { number, size: reader.end };
  }
  return { end: { open, next: progress.expected, chain: progress.chain ?? 0 }, torn, obsolete };
};

/**
 * The text of a journal: a header, then one line per transaction. Each line ends in a checksum of its bytes, seeded with
 * the checksum of the line before, so that a changed, lost, duplicated or moved line is detected.
 *
 *     {"journal":3,"version":1,"after":811,"chain":"00000000","crc":"5d3ab1f0"}
 *     {"seq":812,"t":1763650000000,"changes":[{"put":"profiles","appId":"demo-app","record":{…}}],"crc":"9ae01f22"}
 *
 * The changes of a line are numbered from its `seq` on; `t` is informational, in milliseconds since 1970.
 */
import { crc32 } from "node:zlib";
import { z } from "zod";
import { isJsonObject } from "#contract/scalars.ts";
import { appRecord, COLLECTIONS, type Collection, clockRecord } from "#contract/service/records.ts";
import type { Change } from "#domain/decision.ts";
import { recordChecks } from "../document/check.ts";
import { DOCUMENT_VERSION } from "../document/document.ts";

const NEWLINE = 0x0a;
const hex = (crc: number): string => crc.toString(16).padStart(8, "0");

/** @param crc of all bytes before it. @returns the end of a line with its checksum, without the newline. */
export const sealOf = (crc: number): string => `,"crc":"${hex(crc)}"}`;
const SEAL_LENGTH = sealOf(0).length;

/** A line ready to write, and the checksum that seeds the next one. */
export interface Sealed {
  readonly bytes: Buffer;
  readonly length: number;
  readonly chain: number;
}

/** Buffer for short lines; write its content before creating the next line. */
const scratch = Buffer.allocUnsafe(64 * 1024);

/** @param chain the checksum of the line before. @returns the line, in the scratch buffer if it fits. */
const seal = (text: string, chain: number): Sealed => {
  // UTF-8 takes at most three bytes for a UTF-16 unit.
  const room = text.length * 3 + SEAL_LENGTH + 1;
  const bytes = room <= scratch.length ? scratch : Buffer.allocUnsafe(Buffer.byteLength(text) + SEAL_LENGTH + 1);
  const end = bytes.write(text, 0, "utf8");
  const crc = crc32(bytes.subarray(0, end), chain);
  return { bytes, length: end + bytes.write(`${sealOf(crc)}\n`, end, "latin1"), chain: crc };
};

/**
 * @param number the generation of the journal. @param after the number of the last change before it.
 * @param chain the last checksum of the previous journal, which links the two.
 */
export const encodeHeader = (number: number, after: number, chain: number): Sealed =>
  seal(`{"journal":${number},"version":${DOCUMENT_VERSION},"after":${after},"chain":"${hex(chain)}"`, 0);

/** @param seq the number of the first change. @param t milliseconds since 1970. @param changes or their text. */
export const encodeTransaction = (
  seq: number,
  t: number,
  changes: readonly Change[] | string,
  chain: number,
): Sealed => {
  const text = typeof changes === "string" ? changes : JSON.stringify(changes);
  return seal(`{"seq":${seq},"t":${t},"changes":${text}`, chain);
};

const isNumbered = (change: Change) => "put" in change && change.put !== "clock";

/** @returns the text of a change, without the number of its record and what follows that. */
export const unnumbered = (change: Change): string =>
  isNumbered(change)
    ? JSON.stringify({ ...change, record: { ...change.record, seq: undefined } }).slice(0, -"}}".length)
    : JSON.stringify(change);

/**
 * Gives new records of changes higher numbers, by as much as others have used in the meantime: no one has seen them yet.
 * @param texts of the changes, unnumbered. @returns the text of all, for the journal.
 */
export const numbered = (
  changes: readonly Change[],
  texts: readonly string[],
  after: number,
  count: number,
): string => {
  const all = changes.map((change, place) => {
    const text = texts[place] ?? "";
    if (!isNumbered(change)) return text;
    if (change.record.seq > after) (change.record as { seq: number }).seq += count;
    return `${text},"seq":${change.record.seq}}}`;
  });
  return `[${all.join(",")}]`;
};

/** A line as read, or its flaw; `offset` in bytes. */
export type JournalLine = { readonly offset: number } & ({ readonly value: unknown } | { readonly flaw: string });

/** Reads a journal line by line and verifies the chain. */
export class JournalReader {
  /** The checksum of the last valid line. */
  chain = 0;
  /** The length up to the last newline; the rest, left by an interrupted write or a power cut, does not count. */
  readonly end: number;
  readonly #bytes: Buffer;
  #offset = 0;

  /** @param bytes the whole file. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.end = bytes.lastIndexOf(NEWLINE) + 1;
  }

  /** @returns the next line; undefined after the last. A flaw is final. */
  next(): JournalLine | undefined {
    const offset = this.#offset;
    if (offset >= this.end) return undefined;
    const newline = this.#bytes.indexOf(NEWLINE, offset);
    const sealAt = newline - SEAL_LENGTH;
    if (sealAt <= offset) return { flaw: "this is not a line of a journal", offset };
    const crc = crc32(this.#bytes.subarray(offset, sealAt), this.chain);
    if (this.#bytes.toString("latin1", sealAt, newline) !== sealOf(crc)) {
      const flaw = "the checksum of this line does not match: it was changed, or a line before it is missing";
      return { flaw, offset };
    }
    this.chain = crc;
    this.#offset = newline + 1;
    try {
      return { value: JSON.parse(this.#bytes.toString("utf8", offset, newline)), offset };
    } catch {
      return { flaw: "this line is not JSON", offset };
    }
  }
}

const header = z.object({
  journal: z.int().min(1),
  version: z.int().min(1),
  after: z.int().min(0),
  chain: z.string().transform((hex) => Number.parseInt(hex, 16)),
});
/** The first line of a journal; `chain` is the checksum that it continues from. */
export type JournalHeader = z.infer<typeof header>;

/** @returns the header; undefined if the value is not one. */
export const readHeader = (value: unknown): JournalHeader | undefined => header.safeParse(value).data;

const putOf = <C extends Collection>(put: C) =>
  z.object({ put: z.literal(put), appId: z.string(), record: recordChecks[put].schema });

const anyChange = z.union([
  z.object({ put: z.literal("app"), record: appRecord }),
  z.object({ put: z.literal("clock"), appId: z.string().nullable(), record: clockRecord.nullable() }),
  z.object({ remove: z.literal("app"), appId: z.string() }),
  z.object({ remove: z.enum(COLLECTIONS), appId: z.string(), ids: z.array(z.string()) }),
  putOf("profiles"),
  putOf("passcodes"),
  putOf("sessions"),
  putOf("connections"),
]);

/** A fast check for the kinds of change in nearly all lines. */
const isCommon = (value: unknown): value is Change => {
  if (!isJsonObject(value) || typeof value["appId"] !== "string") return false;
  const collection = COLLECTIONS.find((one) => one === value["put"]);
  return collection !== undefined && recordChecks[collection].quick(value["record"]);
};

/** @returns the changes of a line and the number of the first; undefined for anything else. */
export const readTransaction = (value: unknown): { seq: number; changes: readonly Change[] } | undefined => {
  if (!isJsonObject(value)) return undefined;
  const { seq, changes: list } = value;
  if (typeof seq !== "number" || !Array.isArray(list) || list.length === 0) return undefined;
  const changes: Change[] = [];
  for (const change of list) {
    const read = isCommon(change) ? change : anyChange.safeParse(change).data;
    if (read === undefined) return undefined;
    changes.push(read);
  }
  return { seq, changes };
};

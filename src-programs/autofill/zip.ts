/** ZIP files: the list of entries, and the content of small ones. */
import { Fields, Flaw, readAt, type Source } from "./fields.ts";

const END = 0x06054b50;
const END_BYTES = 22;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const LOCATOR_64_BYTES = 20;
const ENTRY = 0x02014b50;
const LOCAL_BYTES = 30;
const MOST_16 = 0xffff;
const MOST_32 = 0xffffffff;
const MIB = 1_048_576;
/** Of the list. An app has some thousand entries of about 100 bytes. */
const MOST_LIST = 16 * MIB;
/** Of an entry that is read, unpacked. */
const MOST_ENTRY = 8 * MIB;

/** A part of a file, in bytes. */
export interface Part {
  readonly offset: number;
  readonly size: number;
}

/** An entry of the list. */
export interface Entry {
  readonly name: string;
  readonly method: "stored" | "deflated" | "unknown";
  readonly packedSize: number;
  readonly header: number;
}

/** @returns where the list of entries of a ZIP file is, from the record at its end. */
export const listOf = async (source: Source): Promise<Part> => {
  const length = Math.min(source.size, END_BYTES + MOST_16);
  const tail = await readAt(source, source.size - length, length);
  const isEnd = (at: number): boolean =>
    tail.seek(at).u32() === END && tail.seek(at + END_BYTES - 2).u16() === length - at - END_BYTES;
  let at = length - END_BYTES;
  while (at >= 0 && !isEnd(at)) at--;
  if (at < 0) throw new Flaw("is no APK or AAB, or is cut off: it does not end as a ZIP file does");
  let size = tail.seek(at + 12).u32();
  let offset = tail.u32();
  const locator = at >= LOCATOR_64_BYTES ? tail.seek(at - LOCATOR_64_BYTES) : undefined;
  if (locator?.u32() === LOCATOR_64) {
    const end = await readAt(source, locator.seek(locator.at + 4).u64(), 56);
    if (end.u32() !== END_64) throw new Flaw("has a damaged end");
    size = end.seek(40).u64();
    offset = end.u64();
  }
  if (size > MOST_LIST) throw new Flaw(`lists more than ${MOST_LIST / MIB} MiB of entries`);
  return { offset, size };
};

/** @returns values that do not fit into 32 bits, from the extra field of an entry. */
const largeValues = (extra: Fields): (() => number | undefined) => {
  while (extra.left >= 4) {
    const id = extra.u16();
    const value = extra.take(extra.u16());
    if (id === 1) return () => (value.left >= 8 ? value.u64() : undefined);
  }
  return () => undefined;
};

const entryAt = (list: Fields): Entry => {
  const start = list.at;
  if (list.u32() !== ENTRY) throw new Flaw("has a damaged list of entries");
  const isEncrypted = (list.seek(start + 8).u16() & 1) === 1;
  const method = list.u16();
  const [packed, size] = [list.seek(start + 20).u32(), list.u32()];
  const [nameLength, extraLength, commentLength] = [list.u16(), list.u16(), list.u16()];
  const header = list.seek(start + 42).u32();
  const name = list.text(nameLength);
  const large = largeValues(list.take(extraLength));
  const whole = (value: number): number => (value === MOST_32 ? (large() ?? value) : value);
  list.take(commentLength);
  const isKnown = !isEncrypted && (method === 0 || method === 8);
  whole(size);
  return {
    name,
    method: isKnown ? (method === 0 ? "stored" : "deflated") : "unknown",
    packedSize: whole(packed),
    header: whole(header),
  };
};

/** @returns the entries, in their order. */
export const entriesOf = async (source: Source, { offset, size }: Part): Promise<readonly Entry[]> =>
  (await readAt(source, offset, size)).all(entryAt);

/** @returns where the content of an entry is. */
export const contentOf = async (source: Source, { header, packedSize }: Entry): Promise<Part> => {
  const local = (await readAt(source, header, LOCAL_BYTES)).seek(26);
  return { offset: header + LOCAL_BYTES + local.u16() + local.u16(), size: packedSize };
};

/** @returns it unpacked; undefined if that is too large. It may be a bomb. */
const inflated = async (packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const unpacking = new DecompressionStream("deflate-raw");
  const writer = unpacking.writable.getWriter();
  // What is wrong with it, the reader says.
  for (const step of [writer.write(packed), writer.close()]) step.catch(() => undefined);
  const reader = unpacking.readable.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; size <= MOST_ENTRY; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    pieces.push(new Uint8Array(value));
    size += value.length;
  }
  reader.cancel().catch(() => undefined);
  return undefined;
};

/** @returns the content of a small entry. @throws Flaw if it is too large, or packed in an unknown way. */
export const unpacked = async (source: Source, entry: Entry): Promise<Fields> => {
  const { name, method, packedSize } = entry;
  if (method === "unknown") throw new Flaw(`has ${name} encrypted, or packed in an unknown way`);
  const { offset, size } = await contentOf(source, entry);
  const packed = packedSize > MOST_ENTRY ? undefined : await readAt(source, offset, size);
  const broken = (): never => {
    throw new Flaw(`has a damaged ${name}`);
  };
  const whole = method === "stored" ? packed?.bytes : packed && (await inflated(packed.bytes).catch(broken));
  if (whole === undefined) throw new Flaw(`has a ${name} of more than ${MOST_ENTRY / MIB} MiB`);
  return new Fields(whole);
};

/** ZIP files: the list of entries, and the content of small ones. */
import { BuildFlaw, Fields, readAt, type Source } from "./fields.ts";

const END = 0x06054b50;
const END_BYTES = 22;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL_BYTES = 30;
const MOST_16 = 0xffff;
const MOST_32 = 0xffffffff;
const KIB = 1_024;
/** Of the list in KiB. An app has some thousand entries of about 100 bytes. */
const MOST_LIST = 16_384;
/** Of an entry that is read, unzipped, in KiB: a manifest has up to some hundred, a signature some. */
const MOST = { manifest: 8_192, signature: 64 } as const;

/** A part of a file, in bytes. */
export interface ZipPart {
  readonly offset: number;
  readonly size: number;
}

/** An entry of the list. */
export interface Entry {
  readonly name: string;
  readonly isStored: boolean;
  readonly packedSize: number;
  readonly header: number;
}

/** @returns where the list of entries of a ZIP file is, from the record at its end. */
export const directoryOf = async (source: Source): Promise<ZipPart> => {
  const length = Math.min(source.size, END_BYTES + MOST_16);
  const tail = await readAt(source, source.size - length, length);
  const isEnd = (at: number): boolean =>
    tail.seek(at).uint(4) === END && tail.seek(at + END_BYTES - 2).uint(2) === length - at - END_BYTES;
  let at = length - END_BYTES;
  while (at >= 0 && !isEnd(at)) at--;
  if (at < 0) throw new BuildFlaw("is not an APK or AAB, or is truncated: it does not end as a ZIP file does");
  const is64 = at >= 20 && tail.seek(at - 20).uint(4) === LOCATOR_64;
  const end = is64 ? await readAt(source, tail.seek(at - 12).uint(8), 56) : tail.seek(at + 12);
  if (is64 && end.uint(4) !== END_64) throw new BuildFlaw("has a damaged end");
  const [size, offset] = is64 ? [end.seek(40).uint(8), end.uint(8)] : [end.uint(4), end.uint(4)];
  if (size > MOST_LIST * KIB) throw new BuildFlaw(`has a list of entries of more than ${MOST_LIST} KiB`);
  return { offset, size };
};

const entryAt = (list: Fields): Entry => {
  const start = list.at;
  if (list.uint(4) !== ENTRY) throw new BuildFlaw("has a damaged list of entries");
  const isStored = list.seek(start + 10).uint(2) === 0;
  const [packed, size] = [list.seek(start + 20).uint(4), list.uint(4)];
  const [nameLength, extraLength, commentLength] = [list.uint(2), list.uint(2), list.uint(2)];
  const header = list.seek(start + 42).uint(4);
  const name = list.text(nameLength);
  const extra = list.take(extraLength);
  list.take(commentLength);
  // ZIP64: what does not fit into 32 bits is in the extra field with the id 1, in this order.
  const sizes = [size, packed, header];
  const more = sizes.includes(MOST_32) ? extra.all((each) => [each.uint(2), each.take(each.uint(2))] as const) : [];
  const large = more.find(([id]) => id === 1)?.[1];
  const [, packedSize = 0, at = 0] = sizes.map((value) => (value === MOST_32 && large ? large.uint(8) : value));
  return { name, isStored, packedSize, header: at };
};

/** @returns the entries, in their order. */
export const zipEntries = async (source: Source, { offset, size }: ZipPart): Promise<readonly Entry[]> =>
  (await readAt(source, offset, size)).all(entryAt);

/** @returns where the content of an entry is. */
export const contentOf = async (source: Source, { header, packedSize }: Entry): Promise<ZipPart> => {
  const local = (await readAt(source, header, LOCAL_BYTES)).seek(26);
  return { offset: header + LOCAL_BYTES + local.uint(2) + local.uint(2), size: packedSize };
};

/** @returns it unzipped; undefined if that is too large: it may be a bomb. Rejects if it cannot be unzipped. */
const inflated = async (packed: Fields, most: number): Promise<Fields | undefined> => {
  const unpacking = new DecompressionStream("deflate-raw");
  const writer = unpacking.writable.getWriter();
  // What is wrong with it, the reader says.
  for (const step of [writer.write(packed.bytes), writer.close()]) step.catch(() => undefined);
  const reader = unpacking.readable.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; size <= most; ) {
    const { done, value } = await reader.read();
    if (done) return new Fields(new Uint8Array(await new Blob(pieces).arrayBuffer()));
    pieces.push(new Uint8Array(value));
    size += value.length;
  }
  reader.cancel().catch(() => undefined);
  return undefined;
};

/** @returns the content of a small entry. @throws BuildFlaw if it is too large, or damaged. */
export const unzipped = async (source: Source, entry: Entry, kind: keyof typeof MOST): Promise<Fields> => {
  const { offset, size } = await contentOf(source, entry);
  const packed = size > MOST[kind] * KIB ? undefined : await readAt(source, offset, size);
  const broken = (): never => {
    throw new BuildFlaw(`has a damaged ${entry.name}`);
  };
  const whole = entry.isStored ? packed : packed && (await inflated(packed, MOST[kind] * KIB).catch(broken));
  if (whole === undefined) throw new BuildFlaw(`has a ${kind} of more than ${MOST[kind]} KiB`);
  return whole;
};

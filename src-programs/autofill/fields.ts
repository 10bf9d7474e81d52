/** Reads little-endian fields, as Android's files have them, and DER; never beyond the end of what it was given. */

/** What is wrong with a file: words that follow its name. */
export class Flaw extends Error {}

/** A file that is read by position, never as a whole. */
export interface Source {
  /** In bytes. */
  readonly size: number;
  /** @returns that many bytes, or fewer at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

const CUT = "is cut off or damaged";
const UNKNOWN = "has a signature of an unknown form";

/** @returns a part of a file. @throws Flaw if it is not all there. */
export const readAt = async (source: Source, offset: number, length: number): Promise<Fields> => {
  const isIn = offset >= 0 && offset + length <= source.size;
  const bytes = isIn ? await source.read(offset, length) : undefined;
  if (bytes?.length !== length) throw new Flaw(CUT);
  return new Fields(new Uint8Array(bytes));
};

/** Fields one after the other. Each method throws a Flaw where there are too few bytes. */
export class Fields {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  /** Where the next field begins. */
  at = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** How many bytes follow. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Goes to a position, or some bytes on. @returns where it was. */
  #go(to: number): number {
    const from = this.at;
    if (to < 0 || to > this.bytes.length) throw new Flaw(CUT);
    this.at = to;
    return from;
  }

  seek(at: number): this {
    this.#go(at);
    return this;
  }

  u8 = (): number => this.#view.getUint8(this.#go(this.at + 1));
  u16 = (): number => this.#view.getUint16(this.#go(this.at + 2), true);
  u32 = (): number => this.#view.getUint32(this.#go(this.at + 4), true);
  /** Rounded beyond 2^53: no file is as long. */
  u64 = (): number => Number(this.#view.getBigUint64(this.#go(this.at + 8), true));
  take = (length: number): Fields => new Fields(this.bytes.subarray(this.#go(this.at + length), this.at));
  text = (length: number, encoding = "utf-8"): string => new TextDecoder(encoding).decode(this.take(length).bytes);
  /** @returns what follows its length in 32 bits. */
  block = (): Fields => this.take(this.u32());

  /** @returns what `read` makes of the fields up to the end. */
  all<T>(read: (from: this) => T): T[] {
    const found: T[] = [];
    while (this.left > 0) found.push(read(this));
    return found;
  }

  /** @returns the next value of DER: its tag, its content, and all of its bytes. */
  der(): { readonly tag: number; readonly body: Fields; readonly whole: Uint8Array<ArrayBuffer> } {
    const from = this.at;
    const tag = this.u8();
    let length = this.u8();
    if (length === 0x80 || length > 0x84) throw new Flaw(UNKNOWN);
    const digits = length > 0x80 ? [...this.take(length - 0x80).bytes] : [length];
    length = digits.reduce((sum, digit) => sum * 256 + digit, 0);
    const body = this.take(length);
    return { tag, body, whole: this.bytes.subarray(from, this.at) };
  }

  /** @returns the content of the next value of DER, which has this tag. */
  tagged(tag: number): Fields {
    const found = this.der();
    if (found.tag !== tag) throw new Flaw(UNKNOWN);
    return found.body;
  }
}

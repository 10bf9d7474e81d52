/** Reads little-endian fields, as Android's files have them, and DER; never beyond the end of what it was given. */

/** What is wrong with a file: words that follow its name. */
export class BuildFlaw extends Error {}

/** A file that is read by position, never as a whole; sizes in bytes. At its end `read` gives less. */
export interface Source {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
}

type Bytes = Uint8Array<ArrayBuffer>;
const CUT = "is cut off or damaged";

/** @returns a part of a file. @throws BuildFlaw if it is not all there. */
export const readAt = async (source: Source, offset: number, length: number): Promise<Fields> => {
  const isIn = offset >= 0 && offset + length <= source.size;
  const bytes = isIn ? await source.read(offset, length) : undefined;
  if (bytes?.length !== length) throw new BuildFlaw(CUT);
  return new Fields(new Uint8Array(bytes));
};

/** A value of DER: its content, and all of its bytes. */
export interface Der {
  readonly tag: number;
  readonly body: Fields;
  readonly whole: Bytes;
}

/** Fields one after the other. Each method throws a BuildFlaw where there are too few bytes. */
export class Fields {
  readonly bytes: Bytes;
  /** Where the next field begins. */
  at = 0;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
  }

  /** How many bytes follow. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  seek(at: number): this {
    if (at < 0 || at > this.bytes.length) throw new BuildFlaw(CUT);
    this.at = at;
    return this;
  }

  /** @returns a number of so many bytes; beyond 2^53, which no file is long, it is rounded. */
  uint(length: 1 | 2 | 4 | 8): number {
    return this.take(length).bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
  }
  take(length: number): Fields {
    return new Fields(this.bytes.subarray(this.at, this.seek(this.at + length).at));
  }
  text(length: number, encoding = "utf-8"): string {
    return new TextDecoder(encoding).decode(this.take(length).bytes);
  }
  /** @returns what follows its length in 32 bits. */
  block(): Fields {
    return this.take(this.uint(4));
  }

  /** @returns what `read` makes of the fields up to the end. */
  all<T>(read: (from: this) => T): T[] {
    const found: T[] = [];
    while (this.left > 0) found.push(read(this));
    return found;
  }

  /** @returns the next value of DER. */
  der(): Der {
    const from = this.at;
    const tag = this.uint(1);
    const first = this.uint(1);
    const digits = first < 0x80 ? [first] : [...this.take(Math.min(first - 0x80, 5)).bytes];
    const body = this.take(digits.reduce((sum, digit) => sum * 256 + digit, 0));
    return { tag, body, whole: this.bytes.subarray(from, this.at) };
  }
}

/** Reads little-endian fields, as Android's files have them, and DER; never beyond the end of what it was given. */

/** What is wrong with a file: words that follow its name. */
export class Flaw extends Error {}

/** A file that is read by position, never as a whole; sizes in bytes. At its end `read` gives less. */
export interface Source {
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array>;
}

type Bytes = Uint8Array<ArrayBuffer>;
const CUT = "is cut off or damaged";

/** @returns a part of a file. @throws Flaw if it is not all there. */
export const readAt = async (source: Source, offset: number, length: number): Promise<Fields> => {
  const isIn = offset >= 0 && offset + length <= source.size;
  const bytes = isIn ? await source.read(offset, length) : undefined;
  if (bytes?.length !== length) throw new Flaw(CUT);
  return new Fields(new Uint8Array(bytes));
};

/** A value of DER: its content, and all of its bytes. */
export interface Der {
  readonly tag: number;
  readonly body: Fields;
  readonly whole: Bytes;
}

/** Fields one after the other. Each method throws a Flaw where there are too few bytes. */
export class Fields {
  readonly bytes: Bytes;
  readonly #view: DataView;
  /** Where the next field begins. */
  at = 0;

  constructor(bytes: Bytes) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** How many bytes follow. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  seek(at: number): this {
    if (at < 0 || at > this.bytes.length) throw new Flaw(CUT);
    this.at = at;
    return this;
  }

  /** @returns where it was, so many bytes before. */
  #past(length: number): number {
    return this.seek(this.at + length).at - length;
  }
  u8(): number {
    return this.#view.getUint8(this.#past(1));
  }
  u16(): number {
    return this.#view.getUint16(this.#past(2), true);
  }
  u32(): number {
    return this.#view.getUint32(this.#past(4), true);
  }
  /** Rounded beyond 2^53: no file is as long. */
  u64(): number {
    return this.u32() + this.u32() * 2 ** 32;
  }
  take(length: number): Fields {
    return new Fields(this.bytes.subarray(this.#past(length), this.at));
  }
  text(length: number, encoding = "utf-8"): string {
    return new TextDecoder(encoding).decode(this.take(length).bytes);
  }
  /** @returns what follows its length in 32 bits. */
  block(): Fields {
    return this.take(this.u32());
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
    const tag = this.u8();
    const first = this.u8();
    const digits = first < 0x80 ? [first] : [...this.take(Math.min(first - 0x80, 5)).bytes];
    const body = this.take(digits.reduce((sum, digit) => sum * 256 + digit, 0));
    return { tag, body, whole: this.bytes.subarray(from, this.at) };
  }
}

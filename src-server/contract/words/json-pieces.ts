/**
 * Reads a JSON text in pieces, as `JSON.parse` would read it whole: the entries of long lists are parsed some hundred at
 * a time and handed over, and what is left of the text, which is small, at the end.
 */
import { BOUNDS } from "../bounds.ts";
import { isJsonArray, type JsonValue, setKey } from "../scalars.ts";

/** Receives the entries of a list, in order. */
export interface EntrySink {
  add(entries: readonly JsonValue[]): void;
  /** What stands in the value instead of the list. */
  readonly list: readonly JsonValue[];
}

/** @param pieces that end at an ASCII character. @returns the text; undefined if it is not UTF-8. A BOM is kept. */
export type Decode = (pieces: readonly Uint8Array[]) => string | undefined;

/** Why a text is refused. */
export type TextFlaw = "body_not_utf8" | "body_too_deep" | "malformed_json";

/** Entries are parsed as soon as they have this many bytes. */
const BATCH_BYTES = 32_768;

const [OTHER, QUOTE, OPEN, CLOSE, COMMA] = [0, 1, 2, 3, 4] as const;
const BACKSLASH = 0x5c;
const QUOTATION_MARK = 0x22;
const BRACKET = 0x5b;

/** The meaning of each byte outside strings. */
const KIND = new Uint8Array(256).fill(OTHER);
for (const [kind, characters] of [
  [QUOTE, '"'],
  [OPEN, "{["],
  [CLOSE, "}]"],
  [COMMA, ","],
] as const)
  for (const character of characters) KIND[character.charCodeAt(0)] = kind;

const KEY_BEFORE = /"([A-Za-z]+)"[ \t\n\r]*:[ \t\n\r]*\[$/;
const BLANK = /^[ \t\n\r]*$/;

/** Keeps the entries of a list that no reader takes. */
class PlainList implements EntrySink {
  readonly list: JsonValue[] = [];

  add(entries: readonly JsonValue[]): void {
    for (const entry of entries) this.list.push(entry);
  }
}

/** @see file */
export class JsonPieces {
  readonly #level: number;
  readonly #sinkFor: (key: string) => EntrySink | undefined;
  readonly #decode: Decode;
  readonly #batchBytes: number;
  /** The text without the entries: each batch of them is only the number of its list. */
  #rest = "";
  readonly #lists: EntrySink[] = [];
  /** The bytes since the last cut. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #size = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inList = false;
  #isTooDeep = false;
  #isUtf8 = true;
  #isMalformed = false;

  /**
   * @param level of nesting of the lists: 1 is the outermost. @param sinkFor who takes the list with this key; undefined:
   * it stays in the value. @param batchBytes from how many on entries are parsed.
   */
  constructor(
    level: number,
    sinkFor: (key: string) => EntrySink | undefined,
    decode: Decode,
    batchBytes = BATCH_BYTES,
  ) {
    this.#level = level;
    this.#batchBytes = batchBytes;
    this.#sinkFor = sinkFor;
    this.#decode = decode;
  }

  /** Reads on. @param bytes must not change any more. */
  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#size += bytes.length;
    let start = 0;
    let at = this.#escaped ? 1 : 0;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (this.#inString) {
        if (byte === BACKSLASH) at++;
        else if (byte === QUOTATION_MARK) this.#inString = false;
        continue;
      }
      switch (KIND[byte]) {
        case QUOTE:
          this.#inString = true;
          break;
        case OPEN:
          if (++this.#depth > BOUNDS.bodyDepth.most) this.#isTooDeep = true;
          if (this.#depth !== this.#level || byte !== BRACKET) break;
          this.#rest += this.#cut(bytes, start, at + 1);
          start = at + 1;
          this.#open();
          break;
        case CLOSE:
          if (this.#inList && this.#depth === this.#level) {
            this.#take(this.#cut(bytes, start, at));
            start = at;
            this.#inList = false;
          }
          this.#depth--;
          break;
        case COMMA:
          if (!this.#inList || this.#depth !== this.#level || this.#heldBytes + at - start < this.#batchBytes) break;
          this.#take(this.#cut(bytes, start, at));
          start = at;
          // The comma stays in the rest.
          this.#rest += this.#cut(bytes, start, at + 1);
          start = at + 1;
          break;
        default:
      }
    }
    this.#escaped = at > bytes.length;
    if (start < bytes.length) this.#hold(bytes.subarray(start));
  }

  /** @returns the value, or why the text is refused. */
  end(): { readonly value: JsonValue } | { readonly flaw: TextFlaw } {
    this.#rest += this.#cut(new Uint8Array(), 0, 0);
    if (!this.#isUtf8) return { flaw: "body_not_utf8" };
    // Each level takes at least an opening and a closing byte.
    if (this.#isTooDeep && this.#size > 2 * BOUNDS.bodyDepth.most) return { flaw: "body_too_deep" };
    const value = this.#isMalformed ? undefined : this.#parse(this.#rest.replace(/^\ufeff/, ""));
    if (value === undefined) return { flaw: "malformed_json" };
    return { value: this.#filled(value, 1) };
  }

  #hold(piece: Uint8Array): void {
    this.#held.push(piece);
    this.#heldBytes += piece.length;
  }

  /** @returns the text since the last cut. */
  #cut(bytes: Uint8Array, start: number, end: number): string {
    if (end > start) this.#hold(bytes.subarray(start, end));
    const text = this.#heldBytes === 0 ? "" : this.#decode(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    if (text === undefined) this.#isUtf8 = false;
    return text ?? "";
  }

  #open(): void {
    this.#inList = true;
    const [, key] = KEY_BEFORE.exec(this.#rest.slice(-100)) ?? [];
    this.#lists.push((key === undefined ? undefined : this.#sinkFor(key)) ?? new PlainList());
  }

  /** @param text some entries with the commas between them. */
  #take(text: string): void {
    if (BLANK.test(text)) return;
    this.#rest += String(this.#lists.length - 1);
    if (!this.#isUtf8 || this.#isTooDeep || this.#isMalformed) return;
    const entries = this.#parse(`[${text}]`);
    if (isJsonArray(entries)) this.#lists.at(-1)?.add(entries);
  }

  #parse(text: string): JsonValue | undefined {
    try {
      return JSON.parse(text);
    } catch {
      this.#isMalformed = true;
      return undefined;
    }
  }

  /** Puts the lists in the place of their numbers. @param depth of the value. @returns what stands in its place. */
  #filled(value: JsonValue, depth: number): JsonValue {
    if (typeof value !== "object" || value === null) return value;
    if (depth === this.#level) return isJsonArray(value) ? (this.#lists[Number(value[0])]?.list ?? value) : value;
    if (isJsonArray(value)) return value.map((inner) => this.#filled(inner, depth + 1));
    for (const [key, inner] of Object.entries(value)) {
      const filled = this.#filled(inner, depth + 1);
      if (filled !== inner) setKey<JsonValue>(value, key, filled);
    }
    return value;
  }
}

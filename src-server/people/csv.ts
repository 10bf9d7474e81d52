/** Reads CSV as spreadsheets, databases and services write it (RFC 4180 and its relatives), with exact lines. */
import { frozen } from "#contract/frozen.ts";
import type { Stepwise, TableFlaw } from "./table.ts";

/** A record, and the line where it starts. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Records of a step. */
const STEP = 256;
const [QUOTE, LINE_FEED, RETURN] = [0x22, 0x0a, 0x0d] as const;

const SEPARATORS = frozen([",", ";", "\t", "|"] as const);

/** @returns what separates the columns, by the first line: spreadsheets write semicolons where the comma is the decimal separator. */
const separatorOf = (head: string): string => {
  const bare = head.replaceAll(/"[^"]*"/g, "");
  const count = (separator: string): number => bare.split(separator).length;
  return SEPARATORS.reduce<string>((best, one) => (count(one) > count(best) ? one : best), ",");
};

/** Where in a text, and in which line. */
interface Cursor {
  at: number;
  line: number;
}

const linesIn = (text: string): number => text.split(/\r\n|\r|\n/).length - 1;

/** Reads a text cell by cell. */
class CellReader {
  readonly #text: string;
  readonly #separator: number;
  /** Whether a quote that is not closed is a character like others, as in the output of databases. */
  readonly #isLoose: boolean;
  readonly cursor: Cursor;

  constructor(text: string, separator: string, cursor: Cursor) {
    this.#text = text;
    this.#separator = separator.charCodeAt(0);
    this.#isLoose = separator === "\t" || separator === "|";
    this.cursor = cursor;
  }

  get isAtEnd(): boolean {
    return this.cursor.at >= this.#text.length;
  }

  /** @returns the cells up to the end of the line; or why the rest cannot be read. */
  record(): readonly string[] | TableFlaw {
    const cells: string[] = [];
    for (;;) {
      const cell = this.#text.charCodeAt(this.cursor.at) === QUOTE ? this.#quoted() : this.#plain();
      if (typeof cell !== "string") return cell;
      cells.push(cell);
      const next = this.#text.charCodeAt(this.cursor.at);
      this.cursor.at += 1;
      if (next === this.#separator) continue;
      if (next === RETURN && this.#text.charCodeAt(this.cursor.at) === LINE_FEED) this.cursor.at += 1;
      this.cursor.line += 1;
      return cells;
    }
  }

  #endsCell(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return code === this.#separator || code === LINE_FEED || code === RETURN || Number.isNaN(code);
  }

  #plain(): string {
    const start = this.cursor.at;
    let { at } = this.cursor;
    while (!this.#endsCell(at)) at += 1;
    this.cursor.at = at;
    return this.#text.slice(start, at);
  }

  #quoted(): string | TableFlaw {
    const start = this.cursor.at;
    let from = start + 1;
    let cell = "";
    for (;;) {
      const end = this.#text.indexOf('"', from);
      if (end === -1)
        return this.#isLoose ? this.#plain() : { line: this.cursor.line, reason: "the quote is not closed" };
      cell += this.#text.slice(from, end);
      if (this.#text.charCodeAt(end + 1) === QUOTE) {
        cell += '"';
        from = end + 2;
        continue;
      }
      this.cursor.at = end + 1;
      // Something after the quote: then the quotes belong to the text.
      if (!this.#endsCell(end + 1)) {
        this.cursor.at = start;
        return this.#plain();
      }
      this.cursor.line += linesIn(cell);
      return /\r/.test(cell) ? cell.replaceAll(/\r\n?/g, "\n") : cell;
    }
  }
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === "");

/** Reads records. @param text without BOM. Blank ones are left out. */
export function* csvRecords(
  text: string,
): Stepwise<{ readonly records: readonly CsvRecord[]; readonly flaws: readonly TableFlaw[] }> {
  const [named, given] = /^sep=(.)(?:\r\n|\r|\n|$)/i.exec(text) ?? [];
  const start = named?.length ?? 0;
  const head = text
    .slice(start, start + 100_000)
    .split(/\r\n|\r|\n/)
    .find((line) => line.trim() !== "");
  const separator = given ?? separatorOf(head ?? "");
  const reader = new CellReader(text, separator, { at: start, line: named === undefined ? 1 : 2 });
  const records: CsvRecord[] = [];
  let count = 0;
  while (!reader.isAtEnd) {
    const { line } = reader.cursor;
    const read = reader.record();
    if ("reason" in read) return { records, flaws: [read] };
    count += 1;
    if (count % STEP === 0) yield undefined;
    if (!isBlank(read)) records.push({ line, cells: read });
  }
  return { records, flaws: [] };
}

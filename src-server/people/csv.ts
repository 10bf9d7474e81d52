/**
 * Reads CSV as spreadsheets, databases and services write it (RFC 4180 and its relatives), with exact lines. Its columns are
 * found by its header, by the shape of its values, or as Firebase writes it, without a header.
 */
import { inSteps, type Steps } from "#contract/steps.ts";
import { isPhone } from "#contract/words/phone-words.ts";
import { MOST_COLUMNS, type Table, TableBuilder, type TableFlaw } from "./table.ts";
import { isAddress } from "./values.ts";

/** A record, and the line where it starts. */
interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

const [QUOTE, LINE_FEED, RETURN] = [0x22, 0x0a, 0x0d] as const;

const SEPARATORS = [",", ";", "\t", "|"] as const;

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

/** Reads records. @param text without BOM. */
function* recordsIn(text: string): Generator<CsvRecord | TableFlaw> {
  const [named, given] = /^sep=(.)(?:\r\n|\r|\n|$)/i.exec(text) ?? [];
  const start = named?.length ?? 0;
  const head = text
    .slice(start, start + 100_000)
    .split(/\r\n|\r|\n/)
    .find((line) => line.trim() !== "");
  const separator = given ?? separatorOf(head ?? "");
  const reader = new CellReader(text, separator, { at: start, line: named === undefined ? 1 : 2 });
  while (!reader.isAtEnd) {
    const { line } = reader.cursor;
    const read = reader.record();
    yield "reason" in read ? read : { line, cells: read };
    if ("reason" in read) return;
  }
}

const PROVIDERS: readonly string[] = ["google", "facebook", "twitter", "github"].flatMap((name) => [
  `${name}Id`,
  `${name}Email`,
  `${name}DisplayName`,
  `${name}PhotoUrl`,
]);
/** The columns of `firebase auth:export users.csv`, which has no header. */
const FIREBASE: readonly string[] = [
  ...["localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl"],
  ...PROVIDERS,
  ...["createdAt", "lastSignedInAt", "phoneNumber", "disabled", "customAttributes"],
];
const CREATED = FIREBASE.indexOf("createdAt");

const isFirebase = ({ cells }: CsvRecord): boolean =>
  cells.length >= CREATED &&
  /^(?:true|false)?$/i.test(cells[2] ?? "") &&
  /^(?:\d{12,13})?$/.test(cells[CREATED] ?? "x");

const isValue = (cell: string): boolean => isAddress(cell.trim()) || isPhone(cell.trim());

/** @returns a name for a column by its first value. */
const nameBy = (cell: string, i: number): string => {
  const text = cell.trim();
  if (isAddress(text)) return "email";
  if (isPhone(text)) return "phone";
  return /^\p{L}[\p{L}\p{M}.'’ -]+$/u.test(text) && /\s/.test(text) ? "name" : `column ${i + 1}`;
};

/** @returns the header without repetitions; a column without a name is `null`. */
const headerNames = (cells: readonly string[]): readonly (string | null)[] => {
  const counts = new Map<string, number>();
  return cells.map((cell) => {
    const name = cell.replaceAll(/\p{Cf}/gu, "").trim();
    if (name === "") return null;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
};

/** The header of a file, and where its rows begin. */
const headOf = (
  records: readonly CsvRecord[],
): { readonly names: readonly (string | null)[]; readonly from: number } => {
  const filled = (record: CsvRecord | undefined): number =>
    record?.cells.filter((cell) => cell.trim() !== "").length ?? 0;
  // A title, or a line such as `version:v1.0`, before the header.
  const at = filled(records[0]) === 1 && filled(records[1]) > 1 ? 1 : 0;
  const head = records[at];
  if (head === undefined) return { names: [], from: 0 };
  if (!head.cells.some(isValue)) return { names: headerNames(head.cells), from: at + 1 };
  const names = isFirebase(head) ? head.cells.map((_, i) => FIREBASE[i] ?? null) : headerNames(head.cells.map(nameBy));
  return { names, from: at };
};

/** @param text without BOM. */
export function* csvTable(text: string): Steps<Table> {
  const records: CsvRecord[] = [];
  const flaws: TableFlaw[] = [];
  yield* inSteps(recordsIn(text), (record) => {
    if ("reason" in record) flaws.push(record);
    else if (!isBlank(record.cells)) records.push(record);
  });
  const { names, from } = headOf(records);
  if (names.length > MOST_COLUMNS)
    return { form: "CSV", columns: names.map((name) => name ?? ""), rows: [], flaws, isText: true };
  const kept = names.flatMap((name, i) => (name === null ? [] : [i]));
  const builder = new TableBuilder(kept.map((i) => names[i] ?? ""));
  yield* inSteps(records.slice(from), ({ line, cells }) => {
    const values = kept.map((i) => cells[i] ?? "");
    // Spreadsheets leave out empty cells at the end of a row, but never add any.
    if (cells.length > names.length && !isBlank(cells.slice(names.length)))
      flaws.push({ line, reason: `has ${cells.length} columns, but the header has ${names.length}` });
    else if (values.some((value) => value !== "")) builder.addCells(line, values);
  });
  const { columns, rows } = builder;
  const all = builder.flaws.length === 0 ? flaws : [...flaws, ...builder.flaws].sort((a, b) => a.line - b.line);
  return { form: "CSV", columns, rows, flaws: all, isText: true };
}

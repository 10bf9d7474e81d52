/** Finds the columns of CSV: by its header, by the shape of its values, or as Firebase writes it, without a header. */
import { frozen } from "#contract/frozen.ts";
import { isPhone } from "#contract/words/phone-words.ts";
import { type CsvRecord, csvRecords } from "./csv.ts";
import { MOST_COLUMNS, type Stepwise, type Table, TableBuilder, type TableFlaw } from "./table.ts";
import { isAddress } from "./values.ts";

const PROVIDERS = frozen<readonly string[]>(
  ["google", "facebook", "twitter", "github"].flatMap((name) => [
    `${name}Id`,
    `${name}Email`,
    `${name}DisplayName`,
    `${name}PhotoUrl`,
  ]),
);
/** Rows of a step. */
const STEP = 256;

/** The columns of `firebase auth:export users.csv`, which has no header. */
const FIREBASE = frozen<readonly string[]>([
  ...["localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl"],
  ...PROVIDERS,
  ...["createdAt", "lastSignedInAt", "phoneNumber", "disabled", "customAttributes"],
]);
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
export function* csvTable(text: string): Stepwise<Table> {
  const { records, flaws: broken } = yield* csvRecords(text);
  const { names, from } = headOf(records);
  if (names.length > MOST_COLUMNS)
    return { form: "CSV", columns: names.map((name) => name ?? ""), rows: [], flaws: broken, isText: true };
  const kept = names.flatMap((name, i) => (name === null ? [] : [i]));
  const flaws: TableFlaw[] = [...broken];
  const builder = new TableBuilder(kept.map((i) => names[i] ?? ""));
  for (const [n, { line, cells }] of records.slice(from).entries()) {
    if (n % STEP === STEP - 1) yield undefined;
    // Spreadsheets leave out empty cells at the end of a row, but never add any.
    if (cells.length > names.length && cells.slice(names.length).some((cell) => cell.trim() !== "")) {
      flaws.push({ line, reason: `has ${cells.length} columns, but the header has ${names.length}` });
      continue;
    }
    const values = kept.map((i) => cells[i] ?? "");
    if (values.some((value) => value !== "")) builder.addCells(line, values);
  }
  const { columns, rows } = builder;
  const all = builder.flaws.length === 0 ? flaws : [...flaws, ...builder.flaws].sort((a, b) => a.line - b.line);
  return { form: "CSV", columns, rows, flaws: all, isText: true };
}

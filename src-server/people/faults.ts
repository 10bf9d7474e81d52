/** Few errors, however many there are: the first ones with their values, the others counted by kind. */
import { counted } from "#contract/words/words.ts";

/** What is wrong with a row. `value` is as written, at most 60 characters; null: none, or secret. */
export interface RowFault {
  readonly line: number;
  readonly field: string;
  readonly value: string | null;
  readonly reason: string;
  /** The line of the row that it contradicts. Absent: none. */
  readonly also?: number;
}

/** Rows beyond the first ones that are wrong in the same way. */
export interface FaultKind {
  readonly field: string;
  readonly reason: string;
  readonly count: number;
}

/** The first errors by line, and the rest by kind. */
export interface RowFaults {
  readonly total: number;
  readonly first: readonly RowFault[];
  readonly more: readonly FaultKind[];
}

/** This many errors of a list are named. */
export const MOST_NAMED = 100;
/** This many errors of a kind are named where people read them. */
const MOST_OF_A_KIND = 5;
const SHOWN = 60;

/** @returns the beginning of a value, to be shown. */
export const shortened = (text: string): string => {
  const characters = [...text.slice(0, 2 * SHOWN + 2)];
  return characters.length <= SHOWN ? text : `${characters.slice(0, SHOWN).join("")}…`;
};

/** The reason why a number is refused that only lacks its country. */
export const NATIONAL = "has no country code";
/** How the reason begins why digits are refused that are two numbers, depending on what was meant. */
export const AMBIGUOUS = "can be two numbers";

/** Collects errors in the order of their lines: of each kind the first ones, and how many more there are. */
export class FaultList {
  readonly #first: RowFault[] = [];
  readonly #kinds = new Map<string, { field: string; reason: string; count: number }>();
  #total = 0;

  /** @param reason without what differs from row to row after a colon, it is the kind. @param also a line, too. */
  add(line: number, field: string, value: string | null, reason: string, also?: number): void {
    this.#total += 1;
    const [about = reason] = reason.split(": ");
    const kind = this.#kinds.get(`${field} ${about}`) ?? { field, reason: about, count: 0 };
    this.#kinds.set(`${field} ${about}`, kind);
    kind.count += 1;
    if (kind.count > MOST_OF_A_KIND || this.#first.length >= MOST_NAMED) return;
    const shown = value === null ? null : shortened(value);
    this.#first.push({ line, field, value: shown, reason, ...(also === undefined ? {} : { also }) });
  }

  has(reason: string): boolean {
    return [...this.#kinds.values()].some((kind) => kind.reason === reason);
  }

  get faults(): RowFaults {
    const more = [...this.#kinds.values()].flatMap((kind) =>
      kind.count > MOST_OF_A_KIND ? [{ ...kind, count: kind.count - MOST_OF_A_KIND }] : [],
    );
    return { total: this.#total, first: this.#first, more };
  }
}

/** @returns an error as text, such as `phone: must be a phone number (found "12")`. */
export const faultText = ({ field, value, reason }: Omit<RowFault, "line">): string =>
  `${field === "" ? "" : `${field}: `}${reason}${value === null ? "" : ` (found ${JSON.stringify(value)})`}`;

/** @returns the rest of the errors as text, such as `and 99,900 rows more: phone must be a phone number`. */
export const kindText = ({ field, reason, count }: FaultKind): string =>
  `and ${counted(count)} ${count === 1 ? "row" : "rows"} more: ${field === "" ? "" : `${field} `}${reason}`;

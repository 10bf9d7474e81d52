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

/** This many errors are named. */
export const MOST_NAMED = 100;
/** Characters of a value that are shown. */
const SHOWN = 60;

/** @returns the beginning of a value, to be shown. */
export const shortened = (text: string): string => {
  const characters = [...text.slice(0, 2 * SHOWN + 2)];
  return characters.length <= SHOWN ? text : `${characters.slice(0, SHOWN).join("")}…`;
};

/** The reason why a number is refused that only lacks its country. */
export const NATIONAL = "has no country code; add --country US";

/** Collects errors in the order of their lines. */
export class FaultList {
  readonly #first: RowFault[] = [];
  readonly #more = new Map<string, { field: string; reason: string; count: number }>();
  #total = 0;

  add(line: number, field: string, value: string | null, reason: string, also?: number): void {
    this.#total += 1;
    if (this.#first.length < MOST_NAMED) {
      this.#first.push({
        line,
        field,
        value: value === null ? null : shortened(value),
        reason,
        ...(also === undefined ? {} : { also }),
      });
      return;
    }
    const key = `${field} ${reason}`;
    const kind = this.#more.get(key) ?? { field, reason, count: 0 };
    this.#more.set(key, kind);
    kind.count += 1;
  }

  get faults(): RowFaults {
    return { total: this.#total, first: this.#first, more: [...this.#more.values()] };
  }
}

/** @returns an error as text, such as `phone: must be a phone number (found "12")`. */
export const faultText = ({ field, value, reason }: Omit<RowFault, "line">): string =>
  `${field === "" ? "" : `${field}: `}${reason}${value === null ? "" : ` (found ${JSON.stringify(value)})`}`;

/** @returns the rest of the errors as text, such as `and 99,900 rows more: phone must be a phone number`. */
export const kindText = ({ field, reason, count }: FaultKind): string =>
  `and ${counted(count)} ${count === 1 ? "row" : "rows"} more: ${field === "" ? "" : `${field} `}${reason}`;

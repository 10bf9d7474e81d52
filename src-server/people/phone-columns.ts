/** What the columns with numbers are: where they are, whether any is not whole, and how their bare digits are meant. */
import { type Steps, someInSteps } from "#contract/steps.ts";
import { isPhone, phoneValue } from "#contract/words/phone-words.ts";
import type { PeopleColumn } from "./columns.ts";
import { homeOfRow, type PhoneContext } from "./phone-reader.ts";
import type { Reading } from "./phone-rules.ts";
import type { RowOptions } from "./row-reader.ts";
import type { Table } from "./table.ts";
import { textOf } from "./values.ts";

/** So many numbers show of which countries they are. */
export const MOST_LOOKED_AT = 1_000;
/** Targets whose values may be numbers, which may need the rules of their country. */
export const PHONES: ReadonlySet<string> = new Set(["phone", "login"]);

/** @returns the places of the columns with numbers. */
export const phonePlaces = (columns: readonly PeopleColumn[]): readonly number[] =>
  columns.flatMap(({ target }, i) => (PHONES.has(target) ? [i] : []));

/** @returns whether some number is not whole. */
export const needsRules = ({ rows }: Table, places: readonly number[]): Steps<boolean> =>
  someInSteps(rows, ({ values }) =>
    places.some((place) => {
      const text = textOf(values[place]);
      return text !== undefined && !isPhone(phoneValue(text));
    }),
  );

/** @returns whole numbers of a table. */
export const wholeNumbers = ({ rows }: Table, places: readonly number[]): readonly string[] =>
  rows
    .slice(0, MOST_LOOKED_AT)
    .flatMap(({ values }) => places.map((place) => phoneValue(textOf(values[place]) ?? "")))
    .filter(isPhone);

/**
 * @returns the one way in which all bare digits of the columns are numbers; undefined: both are, or neither. Known before
 * the rows are read, so that only one of the two readings is tried for each.
 */
export function* wayOf(
  table: Table,
  places: readonly number[],
  { rules, plan: { homes } }: RowOptions,
): Steps<PhoneContext["way"]> {
  if (rules === undefined || (rules.home === undefined && homes.length === 0)) return undefined;
  const all: Record<Reading, boolean> = { international: true, national: true };
  yield* someInSteps(table.rows, ({ values: row }) => {
    for (const place of places) {
      const digits = phoneValue(textOf(row[place]) ?? "");
      if (!/^[1-9]\d{5,14}$/.test(digits)) continue;
      all.international &&= rules.international(digits) !== undefined;
      all.national &&= rules.national(digits, homeOfRow({ rules, homes, row }) ?? rules.home) !== undefined;
    }
    return !all.international && !all.national;
  });
  if (all.international === all.national) return undefined;
  return all.international ? "international" : "national";
}

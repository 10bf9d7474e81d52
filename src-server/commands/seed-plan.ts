/** What becomes of a file with users, for people: as a table, in a line, and as JSON. */
import type { UserCounts } from "#contract/service/apps.ts";
import { counted, many } from "#contract/words/words.ts";
import type { PeopleColumn } from "#people/columns.ts";
import type { FilePlan } from "#server/fixtures/read-fixtures.ts";
import { printable } from "#server/plumbing/io.ts";

/** Names in the line after an import. */
const MOST_NAMES = 12;
/** Users that are shown as they will be stored. */
const EXAMPLES = 3;
/** Characters of such a user. */
const MOST_SHOWN = 200;
const cutAt = (most: number, text: string): string => (text.length > most ? `${text.slice(0, most)}…` : text);

const targetWords = ({ target, isSecret }: PeopleColumn): string => {
  if (target !== "") return target;
  return isSecret ? "left out: looks like a secret" : "left out";
};

const cells = (column: PeopleColumn, rows: number): readonly string[] => [
  column.name,
  `→ ${targetWords(column)}`,
  column.example ?? "",
  `${counted(column.count)} of ${counted(rows)}`,
];

/** @returns the plan as a table: column, field, example, rows; empty columns are only counted. */
export const planTable = ({ name, people }: FilePlan): string => {
  const { columns, rows, form, notices, profiles } = people;
  const filled = columns.filter(({ count, isSecret }) => count > 0 || isSecret);
  const lines = filled.map((column) => cells(column, rows).map(printable));
  const widths = [0, 1, 2].map((i) => Math.max(0, ...lines.map((line) => [...(line[i] ?? "")].length)));
  const table = lines.map((line) =>
    line.map((cell, i) => cell + " ".repeat(Math.max(0, (widths[i] ?? 0) - [...cell].length))).join("  "),
  );
  const empty = columns.length - filled.length;
  const title = `${printable(name)}: ${form}, ${many(rows, "row")}`;
  const rest = [
    ...(empty > 0 ? [`${many(empty, "column")} without values`] : []),
    ...notices,
    ...(profiles.length === 0 ? [] : ["As they will be stored:"]),
    ...profiles.slice(0, EXAMPLES).map((profile) => `  ${cutAt(MOST_SHOWN, JSON.stringify(profile))}`),
  ].map(printable);
  return `${[title, ...[...table, ...rest].map((line) => `  ${line.trimEnd()}`)].join("\n")}\n`;
};

const some = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(", ")
    : `${names.slice(0, MOST_NAMES).join(", ")} and ${names.length - MOST_NAMES} more`;

/** @returns the plan in a line. */
export const planLine = ({ name, people }: FilePlan): string => {
  const filled = people.columns.filter(({ count, isSecret }) => count > 0 || isSecret);
  const isMetadata = ({ target }: PeopleColumn): boolean => target.startsWith("metadata");
  const fields = filled.filter((column) => column.target !== "" && !isMetadata(column));
  const kept = filled.filter(isMetadata).map((column) => column.name);
  const left = filled.filter(({ target }) => target === "").map((column) => column.name);
  const parts = [
    ...(fields.length === 0 ? [] : [some(fields.map((column) => `${column.name} → ${column.target}`))]),
    ...(kept.length === 0 ? [] : [`metadata: ${some(kept)}`]),
    ...(left.length === 0 ? [] : [`left out: ${some(left)}`]),
  ];
  return printable(`${name}: ${people.form}, ${many(people.rows, "row")}: ${parts.join("; ")}`);
};

/** @returns what becomes of the users. */
export const usersWords = ({ new: added, changed, same }: UserCounts): string =>
  `${counted(added)} new, ${counted(changed)} updated, ${counted(same)} unchanged`;

/** @returns the plan for `--json`. */
export const planAnswer = ({ name, people: { form, rows, columns, notices, profiles } }: FilePlan) => ({
  file: name,
  form,
  rows,
  columns: columns.map(({ name: column, target, example, count }) => ({ column, target, example, count })),
  notices,
  examples: profiles.slice(0, EXAMPLES),
});

/** Decides what becomes of each column: a field, metadata, or nothing. */
import type { ReadAs } from "#contract/control/fixture-source.ts";
import type { JsonValue } from "#contract/scalars.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { nearestName } from "#contract/validation.ts";
import { phoneValue } from "#contract/words/phone-words.ts";
import { shortened } from "./faults.ts";
import { FIELDS, type Field, fieldOf, speaksOf } from "./fields.ts";
import { isSecret } from "./secrets.ts";
import type { Table } from "./table.ts";
import { filled, isAddress, plainName, textOf } from "./values.ts";

/** What a column becomes: a field, all metadata, one key of it such as `metadata.plan`; empty: left out. */
export type Target = Field | "metadata" | `metadata.${string}` | "";

/** A column of a plan. */
export interface PeopleColumn {
  readonly name: string;
  readonly target: Target;
  /** Left out because its name is that of a secret: it has no example. */
  readonly isSecret: boolean;
  readonly isChosen: boolean;
  /** Whether it is a field by its values, because no name is that of one. Absent: no. */
  readonly isGuessed?: boolean;
  /** How good the name is for the field: 0 is best. */
  readonly rank: number;
  /** The first value; null: there is none, or it is secret. */
  readonly example: string | null;
  /** In how many rows it has a value. */
  readonly count: number;
}

/** A user's choices for columns; the names in `map` are compared without case and punctuation. */
type ColumnChoices = Pick<ReadAs, "map" | "rest">;

const isTarget = (text: string): text is Target =>
  text === "" || text === "metadata" || /^metadata\..+/.test(text) || FIELDS.some((field) => field === text);

/** @returns the target of a text such as `Phone`, in any case; undefined: there is no such field. */
const targetOf = (text: string): Target | undefined => {
  const known = FIELDS.find((field) => field.toLowerCase() === text.trim().toLowerCase());
  const target = known ?? text.trim().replace(/^metadata\b/i, "metadata");
  return isTarget(target) ? target : undefined;
};

const TARGETS: readonly string[] = [...FIELDS, "metadata", "metadata.KEY"];

/** @returns the choice in `Column=field`; or what is wrong with it. */
export const choiceIn = (text: string): readonly [column: string, target: Target] | string => {
  const at = text.lastIndexOf("=");
  if (at < 1) return `${JSON.stringify(text)} must be "Column=field", or "Column=" to leave it out`;
  const target = targetOf(text.slice(at + 1));
  if (target !== undefined) return [text.slice(0, at).trim(), target];
  const name = text.slice(at + 1);
  const near = nearestName(name, TARGETS);
  return `"${name}" is not a field${near === undefined ? `. Fields: ${TARGETS.join(", ")}` : `; did you mean "${near}"?`}`;
};

const isFilled = (value: JsonValue | undefined): boolean =>
  value !== undefined &&
  value !== null &&
  (typeof value !== "string" || filled(value) !== undefined) &&
  (!Array.isArray(value) || value.length > 0);

const exampleOf = (value: JsonValue): string =>
  shortened(textOf(value) ?? (typeof value === "string" ? value : JSON.stringify(value)));

/** @returns the target of a column without a chosen one. */
const usualTarget = (name: string, rest: ColumnChoices["rest"]): { readonly target: Target; readonly rank: number } => {
  const known = fieldOf(name);
  if (known !== undefined) return { target: known.field, rank: known.rank };
  const own = /^metadata(?:\.(.+))?$/i.exec(name);
  if (own !== null) return { target: own[1] === undefined ? "metadata" : `metadata.${own[1]}`, rank: 0 };
  return { target: rest === "drop" ? "" : `metadata.${name}`, rank: 0 };
};

/** What the values of columns are, before it is known what they become. */
interface Values {
  readonly counts: readonly number[];
  readonly examples: readonly (string | null)[];
}

function* valuesIn({ columns, rows }: Table, secrets: readonly boolean[]): Steps<Values> {
  const counts = columns.map(() => 0);
  const examples = columns.map((): string | null => null);
  yield* inSteps(rows, ({ values }) => {
    for (const [i, value] of values.entries()) {
      if (value === undefined || !isFilled(value)) continue;
      counts[i] = (counts[i] ?? 0) + 1;
      if (examples[i] === null && secrets[i] === false) examples[i] = exampleOf(value);
    }
  });
  return { counts, examples };
}

/** @returns the targets that a user chose, by place; or what is wrong with the choices. */
const chosenTargets = (
  { columns }: Table,
  map: Readonly<Record<string, string>>,
  secrets: readonly boolean[],
): ReadonlyMap<number, Target> | { readonly wrong: string } => {
  const places = new Map<string, number>();
  for (const [i, name] of columns.entries()) if (!places.has(plainName(name))) places.set(plainName(name), i);
  const chosen = new Map<number, Target>();
  for (const [name, wanted] of Object.entries(map)) {
    const exact = columns.indexOf(name);
    const place = exact >= 0 ? exact : places.get(plainName(name));
    if (place === undefined) {
      const near = nearestName(name, columns);
      const said = near === undefined ? `. Columns: ${columns.slice(0, 30).join(", ")}` : `; did you mean "${near}"?`;
      return { wrong: `There is no column "${name}"${said}` };
    }
    const target = targetOf(wanted);
    if (target === undefined) return { wrong: `"${wanted}" is not a field` };
    if (target !== "" && secrets[place] === true)
      return { wrong: `"${columns[place]}" looks like a secret. Passwords, keys and the like are never read` };
    chosen.set(place, target);
  }
  return chosen;
};

/** What values of phones and addresses look like; of a column whose name does not say so, all must be certain. */
const LOOKS = {
  phone: {
    like: (text: string) => /^[^\p{L}@:]*$/u.test(text) && text.replaceAll(/\P{Nd}/gu, "").length >= 6,
    surely: (text: string) => /^(?:\+[1-9]|0)\d{7,14}$/.test(phoneValue(text)),
  },
  email: { like: isAddress, surely: isAddress },
} as const;
/** This many values show what a column is. */
const LOOKED_AT = 200;

/** @returns the column that is a phone or an email by what it is called in any language, or by its values. */
const guessedPlace = (
  { columns, rows }: Table,
  what: keyof typeof LOOKS,
  isFree: (place: number) => boolean,
): number | undefined => {
  const { like, surely } = LOOKS[what];
  const free = columns.flatMap((name, place) => {
    if (!isFree(place)) return [];
    const texts: string[] = [];
    for (const { values } of rows) {
      const text = textOf(values[place]);
      if (text !== undefined && texts.push(text) === LOOKED_AT) break;
    }
    return texts.length === 0 ? [] : [{ name, place, texts }];
  });
  const named = free.find(({ name, texts }) => speaksOf(name, what) && 2 * texts.filter(like).length > texts.length);
  const certain = free.filter(({ texts }) => texts.every(surely));
  return named?.place ?? (certain.length === 1 ? certain[0]?.place : undefined);
};

/** @returns the columns of a table; or what is wrong with the choices. */
export function* columnsOf(
  table: Table,
  { map = {}, rest }: ColumnChoices,
): Steps<readonly PeopleColumn[] | { readonly wrong: string }> {
  const secrets = table.columns.map(isSecret);
  const { counts, examples } = yield* valuesIn(table, secrets);
  const chosen = chosenTargets(table, map, secrets);
  if ("wrong" in chosen) return chosen;
  const columns = table.columns.map((name, i): PeopleColumn => {
    const choice = chosen.get(i);
    const usual = secrets[i] === true ? { target: "" as const, rank: 0 } : usualTarget(name, rest);
    return {
      name,
      ...(choice === undefined ? usual : { target: choice, rank: -1 }),
      isSecret: secrets[i] === true,
      isChosen: choice !== undefined,
      example: examples[i] ?? null,
      count: counts[i] ?? 0,
    };
  });
  for (const what of ["phone", "email"] as const) {
    if (columns.some(({ target, count }) => count > 0 && (target === what || target === "login"))) continue;
    const isFree = (place: number): boolean => {
      const { target = "", isChosen = true } = columns[place] ?? {};
      return !isChosen && (target.startsWith("metadata.") || (target === "" && secrets[place] === false));
    };
    const place = guessedPlace(table, what, isFree);
    const column = place === undefined ? undefined : columns[place];
    if (place !== undefined && column !== undefined) columns[place] = { ...column, target: what, isGuessed: true };
  }
  return columns;
}

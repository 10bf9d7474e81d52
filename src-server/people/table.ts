/** Users as a table, whatever they were written in: columns by name or path, and rows. */
import { BOUNDS } from "#contract/bounds.ts";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { isJsonArray, isJsonObject } from "#contract/scalars.ts";
import { counted } from "#contract/words/words.ts";
import { isTooDeep } from "./values.ts";

/** A row, and the line where it starts, from 1. `values` are by column; undefined: none. */
export interface TableRow {
  readonly line: number;
  readonly values: readonly (JsonValue | undefined)[];
}

/** A text that cannot be read as a table, at a line. */
export interface TableFlaw {
  readonly line: number;
  readonly reason: string;
}

/** What stands next to the users of a text, such as `roles`, and how many of it. */
export interface LeftOut {
  readonly name: string;
  readonly count: number;
}

/** What was read of a text. */
export interface Table {
  /** What it is written in, such as `CSV` or `a JSON list under "users"`. */
  readonly form: string;
  /** Names as in the header, or paths such as `name.givenName`. */
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  readonly flaws: readonly TableFlaw[];
  /** Whether cells are text that may stand for JSON, a number or nothing. */
  readonly isText: boolean;
  /** What is in the text next to its users, and is left out. Absent: nothing. */
  readonly left?: readonly LeftOut[];
}

/** This many are named. */
const MOST_NAMED = 8;

/** @returns what is left out in words, such as `roles (3), groups (2)`. */
export const leftWords = (list: readonly LeftOut[]): string => {
  const named = list.slice(0, MOST_NAMED).map(({ name, count }) => `${name} (${counted(count)})`);
  const more = list.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

/** More columns than this are not read: objects with a key for each user, for example. */
export const MOST_COLUMNS = 1_000;
/** Levels of objects that are columns of their own. */
const LEVELS = 4;

const textAt = (object: JsonObject, ...keys: readonly string[]): string | undefined => {
  for (const key of keys) {
    const value = object[key];
    if (typeof value === "string") return value;
  }
  return undefined;
};

/** @returns the pairs of a list such as Cognito's `[{"Name": "email", "Value": "…"}]`; undefined if it is none. */
const pairsIn = (list: readonly JsonValue[]): readonly (readonly [string, JsonValue])[] | undefined => {
  const pairs: [string, JsonValue][] = [];
  for (const entry of list) {
    if (!isJsonObject(entry)) return undefined;
    const name = textAt(entry, "Name", "name");
    const value = entry["Value"] ?? entry["value"];
    if (name === undefined || value === undefined || Object.keys(entry).length !== 2) return undefined;
    pairs.push([name, value]);
  }
  return pairs.length === 0 ? undefined : pairs;
};

/** @returns MongoDB's extended JSON as the plain value that it stands for; undefined if it is something else. */
const plainOf = (value: JsonObject): JsonValue | undefined => {
  const [key = "", ...more] = Object.keys(value);
  const inner = value[key];
  if (more.length > 0 || inner === undefined) return undefined;
  if (key === "$date") return isJsonObject(inner) ? (plainOf(inner) ?? null) : inner;
  if (key === "$oid" || key === "$uuid") return inner;
  return key === "$numberLong" || key === "$numberInt" || key === "$numberDouble" ? Number(inner) : undefined;
};

/** @returns a list of objects with the one first that another field of the record names, as Clerk's `primary_…_id` does. */
const primaryFirst = (record: JsonObject, key: string, list: readonly JsonValue[]): JsonValue[] => {
  const named = [key.replace(/s$/, ""), key.replace(/es$/, "")].map((one) => record[`primary_${one}_id`]);
  const at = list.findIndex(
    (entry) => isJsonObject(entry) && named.includes(entry["id"] ?? "") && entry["id"] !== null,
  );
  const primary = list[at];
  return primary === undefined ? [...list] : [primary, ...list.filter((_, i) => i !== at)];
};

/** @returns the JSON object in a text; undefined: it is none. */
const objectIn = (text: string): JsonObject | undefined => {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && Object.keys(value).length > 0 && !isTooDeep(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const TOO_DEEP = `has JSON that is nested deeper than ${BOUNDS.bodyDepth.most} levels`;

/** @returns whether a cell is JSON in text that is nested too deep. Only a text of some length can be. */
const isDeepText = (cell: string): boolean => {
  if (cell.length <= 2 * BOUNDS.bodyDepth.most || !/^\s*[[{]/.test(cell)) return false;
  try {
    return isTooDeep(JSON.parse(cell));
  } catch {
    return false;
  }
};

/** Lists of the ways in which one user signs in: their phones and addresses are the user's. */
const LOGINS = /^(?:login_?methods|sign_?in_?methods|auth_?methods|linked_?accounts|identifiers)$/i;
const CONTACT = /^(?:e_?mail|phone)(?:_?number|_?address)?$/i;

/** Collects rows whose columns are found on the way. */
export class TableBuilder {
  readonly columns: string[];
  readonly rows: TableRow[] = [];
  /** Rows that are not taken. */
  readonly flaws: TableFlaw[] = [];
  readonly #places: Map<string, number>;

  /** @param columns that are known from the start. */
  constructor(columns: readonly string[] = []) {
    this.columns = [...columns];
    this.#places = new Map(columns.map((name, i) => [name, i]));
  }

  /** Adds a row of known columns; a cell with a JSON object becomes columns such as `data.full_name`. */
  addCells(line: number, cells: readonly string[]): void {
    if (cells.some(isDeepText)) {
      this.flaws.push({ line, reason: TOO_DEEP });
      return;
    }
    const values: (JsonValue | undefined)[] = [...cells];
    for (const [i, cell] of cells.entries()) {
      const value = objectIn(cell);
      const name = this.columns[i];
      if (value === undefined || name === undefined || name === "scenario") continue;
      values[i] = undefined;
      this.#put(values, name, value, LEVELS - 1);
    }
    this.rows.push({ line, values });
  }

  /** Adds a record: nested objects become columns such as `name.givenName`. */
  add(line: number, record: JsonObject): void {
    if (isTooDeep(record)) {
      this.flaws.push({ line, reason: TOO_DEEP });
      return;
    }
    const values: (JsonValue | undefined)[] = [];
    this.#put(values, "", record, LEVELS);
    this.rows.push({ line, values });
  }

  #put(values: (JsonValue | undefined)[], path: string, record: JsonObject, levels: number): void {
    for (const [key, value] of Object.entries(record)) {
      const at = path === "" ? key : `${path}.${key}`;
      if (isJsonArray(value)) this.#putList(values, at, value, () => primaryFirst(record, key, value));
      else {
        const known = isJsonObject(value) ? (plainOf(value) ?? value) : value;
        const plain = typeof known === "string" ? (objectIn(known) ?? known) : known;
        if (isJsonObject(plain) && levels > 1 && at !== "scenario") this.#put(values, at, plain, levels - 1);
        else this.#set(values, at, plain);
      }
    }
  }

  /** @param ordered the list with its primary entry first. */
  #putList(
    values: (JsonValue | undefined)[],
    at: string,
    list: readonly JsonValue[],
    ordered: () => readonly JsonValue[],
  ): void {
    const pairs = pairsIn(list);
    for (const [name, inner] of pairs ?? []) this.#set(values, `${at}.${name}`, inner);
    if (pairs !== undefined) return;
    this.#set(values, at, [...ordered()]);
    if (LOGINS.test(at.slice(at.lastIndexOf(".") + 1))) this.#putContacts(values, list);
  }

  /** Adds the first phone and the first address of a list, as columns such as `loginMethods.email`. */
  #putContacts(values: (JsonValue | undefined)[], list: readonly JsonValue[]): void {
    for (const entry of list) {
      if (!isJsonObject(entry)) continue;
      for (const [key, value] of Object.entries(entry)) {
        const path = `loginMethods.${/^e/i.test(key) ? "email" : "phone"}`;
        const isNew = values[this.#places.get(path) ?? -1] === undefined;
        if (CONTACT.test(key) && typeof value === "string" && isNew) this.#set(values, path, value);
      }
    }
  }

  #set(values: (JsonValue | undefined)[], path: string, value: JsonValue): void {
    let place = this.#places.get(path);
    if (place === undefined) {
      if (this.columns.length >= MOST_COLUMNS) return;
      place = this.columns.length;
      this.columns.push(path);
      this.#places.set(path, place);
    }
    while (values.length <= place) values.push(undefined);
    values[place] = value;
  }
}

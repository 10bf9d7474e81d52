/** Makes a profile of a row, by the targets of its columns. */
import { isJsonObject, type JsonDraft, type JsonValue, readUuid } from "#contract/scalars.ts";
import { phoneValue } from "#contract/words/phone-words.ts";
import type { PeopleColumn } from "./columns.ts";
import { type Field, keysOf } from "./fields.ts";
import { type PhoneContext, type PhoneRead, readPhone } from "./phone-reader.ts";
import { withoutSecrets } from "./secrets.ts";
import { addressOf, filled, instantIn, isAddress, textOf, unpacked } from "./values.ts";

/** Fields of which a row has a value; others are parts of it, or say how to read it. */
type ValueField = Exclude<Field, "login" | "country">;
/** A value as it is stored, and whose field it is; or what is wrong with it; or undefined: it is kept as metadata. */
type Read = (PhoneRead & { readonly field?: ValueField }) | undefined;

type Taken = Extract<PhoneRead, { readonly value: JsonValue }>;

const RELATIVE = /^-\d{1,9}[smhdw]$/;
/** What is meant as a number, even where it cannot be read as one. */
const MEANT_AS_PHONE = /^[+(0][\d\s()./-]{7,}$/;

const readEmail = (text: string): Read => {
  const value = addressOf(text);
  return isAddress(value) ? { value } : { wrong: "must be an email address", given: text };
};

const readTime = (text: string, _context: PhoneContext, { name, isChosen }: PeopleColumn): Read => {
  const value = RELATIVE.test(text) ? text : instantIn(text);
  if (value !== undefined) return { value };
  // Fixtures' own names are meant; another one's time may be local, or in words.
  return isChosen || /^(?:created|updated)At$/.test(name)
    ? { wrong: "must be a time such as 2026-01-31T12:00:00Z, or seconds since 1970", given: text }
    : undefined;
};

/** Reads a login by what it is: an address, a number, an id of ours; else it is none of a user's fields. */
const readLogin = (text: string, context: PhoneContext): Read => {
  const address = addressOf(text);
  if (isAddress(address)) return { value: address, field: "email" };
  const uuid = readUuid(text);
  if (uuid !== undefined) return { value: uuid, field: "userId" };
  if (!/\d{6}/.test(phoneValue(text))) return undefined;
  const read = readPhone(text, { ...context, isSure: true });
  return "wrong" in read && !MEANT_AS_PHONE.test(text) ? undefined : { ...read, field: "phone" };
};

type ReadText = (text: string, context: PhoneContext, column: PeopleColumn) => Read;

/** The fields that are not any text. */
const READERS: { readonly [F in Field]?: ReadText } = {
  phone: readPhone,
  email: readEmail,
  createdAt: readTime,
  updatedAt: readTime,
  login: readLogin,
  country: () => undefined,
} satisfies { readonly [F in Field]?: ReadText };

/** @returns the value of a field in a cell. */
const readField = (field: Field, cell: JsonValue, column: PeopleColumn, context: PhoneContext): Read => {
  if (field === "scenario" && (isJsonObject(cell) || typeof cell === "string")) return { value: unpacked(cell) };
  const text = textOf(cell);
  if (text === undefined) return undefined;
  const read = READERS[field];
  return read === undefined ? { value: text } : read(text, context, column);
};

/** Sets a value at a path. @returns false if another value is in the way. */
const putAt = (into: JsonDraft, path: readonly string[], value: JsonValue): boolean => {
  const [key = "", ...rest] = path;
  if (key === "" || key === "__proto__") return false;
  const before = Object.hasOwn(into, key) ? into[key] : undefined;
  if (rest.length === 0) {
    if (before !== undefined) return false;
    into[key] = value;
    return true;
  }
  if (before !== undefined && !isJsonObject(before)) return false;
  const inner: JsonDraft = { ...before };
  if (!putAt(inner, rest, value)) return false;
  into[key] = inner;
  return true;
};

interface Placed {
  readonly column: PeopleColumn;
  readonly place: number;
}

/** Columns by what they become. */
export interface ColumnPlan {
  readonly fields: readonly (readonly [field: Field, columns: readonly Placed[]])[];
  readonly own: readonly Placed[];
  readonly rest: readonly Placed[];
  /** The places of those that say of which country the row's number is. */
  readonly homes: readonly number[];
  /** Whether what is no field is kept as metadata. */
  readonly keepsRest: boolean;
}

const isField = (target: PeopleColumn["target"]): target is Field =>
  target !== "" && target !== "metadata" && !target.startsWith("metadata.");

/** @returns the columns by what they become, the best of each field first, and logins last. */
export const columnPlan = (columns: readonly PeopleColumn[], keepsRest: boolean): ColumnPlan => {
  const byField = new Map<Field, Placed[]>();
  const own: Placed[] = [];
  const rest: Placed[] = [];
  for (const [place, column] of columns.entries()) {
    const { target } = column;
    if (target === "" || column.count === 0) continue;
    if (isField(target)) byField.set(target, [...(byField.get(target) ?? []), { column, place }]);
    else if (column.isChosen || /^metadata(?:\.|$)/i.test(column.name)) own.push({ column, place });
    else rest.push({ column, place });
  }
  const fields = [...byField]
    .map(([field, list]) => [field, list.sort((a, b) => a.column.rank - b.column.rank || a.place - b.place)] as const)
    .sort(([a], [b]) => Number(a === "login") - Number(b === "login"));
  return { fields, own, rest, homes: (byField.get("country") ?? []).map(({ place }) => place), keepsRest };
};

/** A value of a field that cannot be used. */
interface WrongValue {
  readonly field: Field | "metadata";
  readonly given: string;
  readonly wrong: string;
}

/** What was read of a row. */
export interface ReadRow {
  /** Without its metadata. */
  readonly profile: JsonDraft;
  readonly metadata: JsonDraft;
  /** Keys of the metadata that were not chosen: they make room for others. */
  readonly spare: readonly string[];
  readonly wrong: readonly WrongValue[];
  /** Columns with a time that cannot be read, kept as metadata. */
  readonly unread: readonly PeopleColumn[];
  /** What the values of logins are; null: metadata. */
  readonly logins: readonly (readonly [column: PeopleColumn, field: ValueField | null])[];
  /** What was cut off the number, such as `5`, which no message can be sent to; undefined: nothing. */
  readonly extension: string | undefined;
  /** Whether a plus was added to the number. */
  readonly lacksPlus: boolean;
}

/** How the rows of a table are read. */
export interface RowOptions extends Omit<PhoneContext, "row" | "homes"> {
  readonly plan: ColumnPlan;
  /** Whether a cell is text that may stand for JSON or for nothing. */
  readonly isText: boolean;
}

/** Where an id is kept that is no UUID, and what was cut off a number. */
const [EXTERNAL_ID, EXTENSION] = ["externalId", "extension"] as const;

/** Reads one row, step by step. */
class RowReader {
  readonly #values: readonly (JsonValue | undefined)[];
  readonly #options: RowOptions;
  readonly #found = new Map<Field, JsonValue>();
  readonly #wrong: WrongValue[] = [];
  readonly #left: Placed[] = [];
  readonly #unread: PeopleColumn[] = [];
  readonly #logins: [PeopleColumn, ValueField | null][] = [];
  readonly #metadata: JsonDraft = {};
  #external: JsonValue | undefined;
  #extension: string | undefined;
  #lacksPlus = false;

  constructor(values: readonly (JsonValue | undefined)[], options: RowOptions) {
    this.#values = values;
    this.#options = options;
  }

  read(): ReadRow {
    const { fields, keepsRest } = this.#options.plan;
    for (const [field, columns] of fields) this.#readField(field, columns);
    this.#putOwn();
    if (this.#extension !== undefined) putAt(this.#metadata, [EXTENSION], this.#extension);
    if (this.#external !== undefined && this.#found.get("userId") !== this.#external)
      putAt(this.#metadata, [EXTERNAL_ID], this.#external);
    const before = new Set(Object.keys(this.#metadata));
    if (keepsRest) this.#putRest();
    return {
      profile: this.#profile(),
      metadata: this.#metadata,
      spare: Object.keys(this.#metadata).filter((key) => !before.has(key)),
      wrong: this.#wrong,
      unread: this.#unread,
      logins: this.#logins,
      extension: this.#extension,
      lacksPlus: this.#lacksPlus,
    };
  }

  /** Takes the first value of a field that can be used; what else there is goes to the metadata. */
  #readField(field: Field, columns: readonly Placed[]): void {
    let error: WrongValue | undefined;
    for (const placed of columns) {
      const cell = this.#values[placed.place];
      if (cell === undefined || cell === null || cell === "") continue;
      const read = this.#found.has(field) ? undefined : readField(field, cell, placed.column, this.#context());
      const own = read?.field ?? field;
      if (read === undefined || (field === "login" && this.#found.has(own))) this.#leave(field, placed);
      else if ("wrong" in read) error ??= { ...read, field: own };
      else this.#take(own, read, placed, cell);
      if (field === "login" && textOf(cell) !== undefined) this.#logins.push([placed.column, read?.field ?? null]);
    }
    if (error !== undefined && !this.#found.has(error.field === "metadata" ? field : error.field))
      this.#wrong.push(error);
  }

  #context(): PhoneContext {
    const { rules, way, plan } = this.#options;
    return { rules, way, homes: plan.homes, row: this.#values };
  }

  #leave(field: Field, placed: Placed): void {
    const isMissed = (field === "createdAt" || field === "updatedAt") && !this.#found.has(field);
    if (isMissed) this.#unread.push(placed.column);
    this.#left.push(placed);
  }

  #take(field: Field, { value, extension, lacksPlus }: Taken, placed: Placed, cell: JsonValue): void {
    this.#extension ??= extension;
    this.#lacksPlus ||= lacksPlus === true;
    const uuid = field === "userId" && typeof value === "string" ? readUuid(value) : undefined;
    if (field !== "userId" || uuid !== undefined) this.#found.set(field, uuid ?? value);
    else if (this.#external === undefined) this.#external = typeof cell === "number" ? cell : value;
    else this.#left.push(placed);
  }

  /** Puts the columns that are metadata by choice or by name. */
  #putOwn(): void {
    const { plan, isText } = this.#options;
    for (const { column, place } of plan.own) {
      const cell = this.#values[place];
      if (cell === undefined || (isText && typeof cell === "string" && filled(cell) === undefined)) continue;
      const value = isText && column.target === "metadata" ? unpacked(cell) : cell;
      const kept = value === null || value === "" ? value : withoutSecrets(value);
      if (kept === undefined) continue;
      if (column.target !== "metadata") putAt(this.#metadata, column.target.slice("metadata.".length).split("."), kept);
      else if (!isJsonObject(kept))
        this.#wrong.push({ field: "metadata", given: String(cell), wrong: "must be a JSON object" });
      else for (const [key, inner] of Object.entries(kept)) putAt(this.#metadata, [key], inner);
    }
  }

  /** Puts what is no field, and what of fields is left. */
  #putRest(): void {
    const { plan, isText } = this.#options;
    let used: ReadonlySet<string> | undefined;
    for (const { column, place } of [...plan.rest, ...this.#left]) {
      const cell = this.#values[place];
      if (cell === undefined) continue;
      const value = withoutSecrets(isText ? unpacked(typeof cell === "string" ? (filled(cell) ?? "") : cell) : cell);
      if (value === undefined) continue;
      used ??= new Set([...this.#found.values(), this.#external].map(String));
      if (isField(column.target) && column.target !== "country" && used.has(textOf(value) ?? "")) continue;
      if (!putAt(this.#metadata, keysOf(column.name), value)) putAt(this.#metadata, [column.name], value);
    }
  }

  #profile(): JsonDraft {
    const found = this.#found;
    const profile: JsonDraft = {};
    const put = (field: string, value: JsonValue | undefined): void => {
      if (value !== undefined) profile[field] = value;
    };
    put("userId", found.get("userId"));
    put("name", found.get("name") ?? joinedName(found.get("firstName"), found.get("lastName")));
    for (const field of ["phone", "email", "testPasscode", "scenario", "createdAt", "updatedAt"] as const)
      put(field, found.get(field));
    return profile;
  }
}

/** East Asian names begin with the family's. */
const FAMILY_FIRST = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\s]+$/u;

const joinedName = (first: JsonValue | undefined, last: JsonValue | undefined): string | undefined => {
  const parts = [first, last].filter((part) => part !== undefined);
  if (parts.length === 2 && parts.every((part) => FAMILY_FIRST.test(String(part)))) parts.reverse();
  return parts.join(" ") || undefined;
};

/** @returns what a row says of a user. */
export const readRow = (values: readonly (JsonValue | undefined)[], options: RowOptions): ReadRow =>
  new RowReader(values, options).read();

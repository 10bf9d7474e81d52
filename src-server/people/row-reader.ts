/** Makes a profile of a row, by the targets of its columns. */
import { frozen } from "#contract/frozen.ts";
import { isJsonObject, type JsonDraft, type JsonValue, readUuid } from "#contract/scalars.ts";
import { isPhone, phoneValue } from "#contract/words/phone-words.ts";
import type { PeopleColumn } from "./columns.ts";
import { NATIONAL } from "./faults.ts";
import { type Field, isLogin, keysOf } from "./fields.ts";
import type { PhoneRules } from "./phone-rules.ts";
import { withoutSecrets } from "./secrets.ts";
import { addressOf, filled, firstOf, instantIn, isAddress, textOf, unpacked } from "./values.ts";

/** A value as it is stored; or what is wrong with it; or undefined: it is no value of the field, and kept as metadata. */
type Read = { readonly value: JsonValue } | { readonly wrong: string; readonly given: string } | undefined;

const ROUNDED = "is a number that a spreadsheet has rounded; format the column as text and save it again";
const NO_PHONE = "must be a phone number in E.164 form, such as +12025550100";
const RELATIVE = /^-\d{1,9}[smhdw]$/;

const readPhone = (text: string, rules: PhoneRules | undefined): Read => {
  const value = phoneValue(text);
  if (isPhone(value)) return { value };
  if (/^\d+(?:[.,]\d+)?E\+?\d+$/i.test(text)) return { wrong: ROUNDED, given: text };
  const first = firstOf(text);
  if (first !== text) return readPhone(first, rules);
  // An extension is not dialled for a message.
  const [, bare = ""] = /^(\+?\d+)(?:(?:x|ext\.?)\d{1,7})?$/i.exec(value) ?? [];
  if (isPhone(bare)) return { value: bare };
  const known = bare === "" ? undefined : (rules?.read(bare) ?? rules?.read(phoneValue(`+${text}`)));
  if (known !== undefined) return { value: known };
  return { wrong: /^\d{6,15}$/.test(value) ? NATIONAL : NO_PHONE, given: text };
};

const readEmail = (text: string, column: PeopleColumn): Read => {
  const value = addressOf(text);
  if (isAddress(value)) return { value };
  return isLogin(column.name) && !column.isChosen ? undefined : { wrong: "must be an email address", given: text };
};

const readTime = (text: string, { name, isChosen }: PeopleColumn): Read => {
  const value = RELATIVE.test(text) ? text : instantIn(text);
  if (value !== undefined) return { value };
  // Fixtures' own names are meant; another one's time may be local, or in words.
  return isChosen || /^(?:created|updated)At$/.test(name)
    ? { wrong: "must be a time such as 2026-01-31T12:00:00Z, or seconds since 1970", given: text }
    : undefined;
};

type ReadText = (text: string, column: PeopleColumn, rules: PhoneRules | undefined) => Read;

/** The fields that are not any text. */
const READERS: { readonly [F in Field]?: ReadText } = frozen({
  phone: (text, _column, rules) => readPhone(text, rules),
  email: readEmail,
  createdAt: readTime,
  updatedAt: readTime,
} satisfies { readonly [F in Field]?: ReadText });

/** @returns the value of a field in a cell. */
const readField = (field: Field, cell: JsonValue, column: PeopleColumn, rules: PhoneRules | undefined): Read => {
  if (field === "scenario" && (isJsonObject(cell) || typeof cell === "string")) return { value: unpacked(cell) };
  const text = textOf(cell);
  if (text === undefined) return undefined;
  const read = READERS[field];
  return read === undefined ? { value: text } : read(text, column, rules);
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
  /** Whether what is no field is kept as metadata. */
  readonly keepsRest: boolean;
}

const isField = (target: PeopleColumn["target"]): target is Field =>
  target !== "" && target !== "metadata" && !target.startsWith("metadata.");

/** @returns the columns by what they become, the best of each field first. */
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
  const fields = [...byField].map(
    ([field, list]) => [field, list.sort((a, b) => a.column.rank - b.column.rank || a.place - b.place)] as const,
  );
  return { fields, own, rest, keepsRest };
};

/** What was read of a row. `wrong` are unusable values of fields. */
export interface ReadRow {
  /** Without its metadata. */
  readonly profile: JsonDraft;
  readonly metadata: JsonDraft;
  /** Keys of the metadata that were not chosen: they make room for others. */
  readonly spare: readonly string[];
  readonly wrong: readonly { readonly field: Field | "metadata"; readonly given: string; readonly wrong: string }[];
  /** Columns with a time that cannot be read, kept as metadata. */
  readonly unread: readonly PeopleColumn[];
}

/** Where an id is kept that is no UUID. */
const EXTERNAL_ID = "externalId";

/** @param isText whether a cell is text that may stand for JSON or for nothing. */
export const readRow = (
  values: readonly (JsonValue | undefined)[],
  { fields, own, rest, keepsRest }: ColumnPlan,
  { isText, rules }: { readonly isText: boolean; readonly rules: PhoneRules | undefined },
): ReadRow => {
  const found = new Map<Field, JsonValue>();
  const wrong: { field: Field | "metadata"; given: string; wrong: string }[] = [];
  const left: Placed[] = [];
  const unread: PeopleColumn[] = [];
  let external: JsonValue | undefined;
  for (const [field, columns] of fields) {
    let error: { given: string; wrong: string } | undefined;
    for (const placed of columns) {
      const cell = values[placed.place];
      if (cell === undefined || cell === null || cell === "") continue;
      if (found.has(field)) {
        left.push(placed);
        continue;
      }
      const read = readField(field, cell, placed.column, rules);
      if (read === undefined) {
        left.push(placed);
        if (field === "createdAt" || field === "updatedAt") unread.push(placed.column);
      } else if ("wrong" in read) error ??= read;
      else if (field !== "userId") found.set(field, read.value);
      else {
        const uuid = typeof read.value === "string" ? readUuid(read.value) : undefined;
        if (uuid !== undefined) found.set(field, uuid);
        else if (external === undefined) external = typeof cell === "number" ? cell : read.value;
        else left.push(placed);
      }
    }
    if (error !== undefined && !found.has(field)) wrong.push({ field, ...error });
  }
  const metadata: JsonDraft = {};
  for (const { column, place } of own) {
    const cell = values[place];
    if (cell === undefined || (isText && typeof cell === "string" && filled(cell) === undefined)) continue;
    const value = isText && column.target === "metadata" ? unpacked(cell) : cell;
    const kept = value === null || value === "" ? value : withoutSecrets(value);
    if (kept === undefined) continue;
    if (column.target === "metadata" && isJsonObject(kept)) {
      for (const [key, inner] of Object.entries(kept)) putAt(metadata, [key], inner);
    } else if (column.target === "metadata")
      wrong.push({ field: "metadata", given: String(cell), wrong: "must be a JSON object" });
    else putAt(metadata, column.target.slice("metadata.".length).split("."), kept);
  }
  if (external !== undefined && found.get("userId") !== external) putAt(metadata, [EXTERNAL_ID], external);
  const before = new Set(Object.keys(metadata));
  if (keepsRest) {
    const used = new Set([...found.values(), external].map(String));
    for (const { column, place } of [...rest, ...left]) {
      const cell = values[place];
      if (cell === undefined) continue;
      const value = withoutSecrets(isText ? unpacked(typeof cell === "string" ? (filled(cell) ?? "") : cell) : cell);
      if (value === undefined) continue;
      if (isField(column.target) && used.has(textOf(value) ?? "")) continue;
      if (!putAt(metadata, keysOf(column.name), value)) putAt(metadata, [column.name], value);
    }
  }
  const profile: JsonDraft = {};
  const name =
    found.get("name") ??
    ([found.get("firstName"), found.get("lastName")].filter((part) => part !== undefined).join(" ") || undefined);
  for (const [field, value] of [
    ["userId", found.get("userId")],
    ["name", name],
  ] as const)
    if (value !== undefined) profile[field] = value;
  for (const field of ["phone", "email", "testPasscode", "scenario", "createdAt", "updatedAt"] as const) {
    const value = found.get(field);
    if (value !== undefined) profile[field] = value;
  }
  return { profile, metadata, spare: Object.keys(metadata).filter((key) => !before.has(key)), wrong, unread };
};

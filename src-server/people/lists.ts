/** Of the lists in a JSON value: the one of people, and what the others are. */
import { isJsonArray, isJsonObject, type JsonValue } from "#contract/scalars.ts";
import { holdsContact } from "./fields.ts";
import { type LeftOut, TableBuilder } from "./table.ts";
import { plainName, textOf } from "./values.ts";

/** A list of objects in a value, and the keys that lead to it. */
export interface List {
  readonly path: readonly string[];
  readonly entries: readonly JsonValue[];
  /** The key of each, where they stand by their ids, as Firebase's database has them. */
  readonly keys?: readonly string[];
}

/** Levels of objects in which a list of users is sought. */
const LEVELS = 4;
/** This many entries show what a list is of. */
const LOOKED_AT = 20;

/** What services call a list of users, the surest first. */
const PEOPLE: readonly string[] = "users people accounts members profiles identities contacts customers".split(" ");
/** What they call a list of anything. */
const ENVELOPES: readonly string[] = "data items results result rows resources records value".split(" ");
/** Lists that stand next to users, and are none however alone they are. */
const NO_PEOPLE: ReadonlySet<string> = new Set(
  "roles groups clients applications apps permissions scopes teams tenants organizations realms policies rules tokens sessions devices components".split(
    " ",
  ),
);

/** @returns the lists of objects in a value, in its order. */
const listsIn = (value: JsonValue, path: readonly string[] = [], levels = LEVELS): readonly List[] => {
  if (isJsonArray(value)) return value.some(isJsonObject) ? [{ path, entries: value }] : [];
  if (!isJsonObject(value) || levels === 0) return [];
  const byId = {
    path,
    entries: Object.entries(value).map(([id, inner]) => (isJsonObject(inner) ? { id, ...inner } : inner)),
    keys: Object.keys(value),
  };
  if (byId.entries.length > 1 && byId.entries.every(isJsonObject) && hasContacts(byId)) return [byId];
  return Object.entries(value).flatMap(([key, inner]) => listsIn(inner, [...path, key], levels - 1));
};

/** @returns whether rows have a phone or an email. */
const hasContacts = ({ entries }: List): boolean => {
  const table = new TableBuilder();
  for (const entry of entries.slice(0, LOOKED_AT)) if (isJsonObject(entry)) table.add(0, entry);
  return table.columns.some((name, i) =>
    table.rows.some(({ values }) => {
      const text = textOf(values[i]);
      return text !== undefined && holdsContact(name, text);
    }),
  );
};

const nameOf = ({ path }: List): string => plainName(path.at(-1) ?? "");
/** @returns how sure a list is to be of people, 0 is best; undefined: it is not. */
const rankOf = (list: List, isOnly: boolean): number | undefined => {
  const name = nameOf(list);
  const hasContact = hasContacts(list);
  if (list.path.length === 0) return 0;
  const known = PEOPLE.indexOf(name);
  if (known >= 0) return (hasContact ? 0 : PEOPLE.length) + known;
  const envelope = ENVELOPES.indexOf(name);
  if (hasContact) return envelope >= 0 ? 20 + envelope : 40;
  if (envelope >= 0) return 60 + envelope;
  return isOnly && !NO_PEOPLE.has(name) ? 80 : undefined;
};

/** A list of people among others; or only others. */
export interface FoundLists {
  readonly people: List | undefined;
  /** Whether it has one of the usual names, so that what is around it is no user. */
  readonly isNamed: boolean;
  readonly others: readonly LeftOut[];
}

/** @returns the list of people in a value. Of several equally good ones: the one nearer to the top, then the longer. */
export const listOfPeople = (value: JsonValue): FoundLists => {
  const all = listsIn(value);
  let best: { readonly list: List; readonly rank: number } | undefined;
  for (const list of all) {
    const rank = rankOf(list, all.length === 1);
    if (rank === undefined) continue;
    const order =
      best &&
      (rank - best.rank || list.path.length - best.list.path.length || best.list.entries.length - list.entries.length);
    if (order === undefined || order < 0) best = { list, rank };
  }
  const people = best?.list;
  return {
    people,
    isNamed: people !== undefined && (PEOPLE.includes(nameOf(people)) || ENVELOPES.includes(nameOf(people))),
    others: all.flatMap((list) =>
      list === people ? [] : [{ name: list.path.join("."), count: list.entries.filter(isJsonObject).length }],
    ),
  };
};

/**
 * What can still be read of a damaged `stagedoor.json`. It has one record a line, so that damage to a line is damage to a
 * record; what does not hold together is left out, record by record.
 */
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { checkDocument } from "#store/check.ts";
import { COLLECTIONS, DOCUMENT_VERSION, type StoreDocument } from "#store/document.ts";
import { WorldIndex } from "#store/indexes.ts";

/** A document that holds together, and how many records or apps were left out. */
export interface Salvaged {
  readonly document: StoreDocument;
  readonly lost: number;
  /** The signing key was lost: tokens that were issued are no longer valid. */
  readonly newKey: boolean;
}

/** More faults than this are not mended one by one. */
const MOST_FAULTS = 2_000;

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @returns the JSON in a line, without the comma at its end; undefined if it is damaged. */
const jsonIn = (text: string): JsonValue | undefined => {
  try {
    const value: JsonValue = JSON.parse(text.replace(/,$/, ""));
    return value;
  } catch {
    return undefined;
  }
};

/** Reads the lines of a snapshot, as the store writes them. */
const readLines = (text: string): { readonly value: JsonObject; readonly lost: number } => {
  const apps: JsonValue[] = [];
  const value: JsonObject = {};
  let app: JsonObject | undefined;
  let list: JsonValue[] | undefined;
  let lost = 0;
  for (const line of text.split("\n").map((raw) => raw.trim())) {
    const [, brace, name = "", rest = ""] = /^(\{?)"(\w+)":(.*)$/.exec(line) ?? [];
    const isList = COLLECTIONS.some((collection) => collection === name);
    if (name === "app" && brace === "{") {
      const record = jsonIn(rest);
      if (record === undefined) lost++;
      app = { app: record ?? null, clock: null, profiles: [], passcodes: [], sessions: [], connections: [] };
      list = undefined;
      // Records of an app that cannot be read have nowhere to go.
      if (record !== undefined) apps.push(app);
    } else if (app !== undefined && isList && brace === "") {
      list = [];
      app[name] = list;
    } else if (app !== undefined && name === "clock") app.clock = jsonIn(rest) ?? null;
    else if (app === undefined && /^(version|seq|generation|key|clock|fixtures)$/.test(name)) {
      const read = jsonIn(rest);
      if (read === undefined) lost++;
      else value[name] = read;
    } else if (!/^("apps":\[\]?|[[\]{}]*,?)$/.test(line)) {
      const record = list === undefined ? undefined : jsonIn(line);
      if (isObject(record)) list?.push(record);
      else lost++;
    }
  }
  return { value: { ...value, apps }, lost };
};

/** Takes the record, or failing that the app, at a path out of the document. @returns false if the path leads to none. */
const leaveOut = (value: JsonObject, path: readonly (string | number)[]): boolean => {
  const depth = path.findLastIndex((step, i) => typeof step === "number" && i <= 3);
  let inside: JsonValue | undefined = value;
  for (const step of path.slice(0, Math.max(depth, 0)))
    inside = Array.isArray(inside) ? inside[Number(step)] : isObject(inside) ? inside[step] : undefined;
  const place = path[depth];
  return Array.isArray(inside) && typeof place === "number" && inside.splice(place, 1).length === 1;
};

/** The highest number of a record: the least that the document's own may be. */
const highestSeq = (value: JsonValue): number => {
  if (Array.isArray(value)) return value.reduce((most: number, inner) => Math.max(most, highestSeq(inner)), 0);
  if (!isObject(value)) return 0;
  const own = typeof value.seq === "number" && Number.isSafeInteger(value.seq) ? value.seq : 0;
  return Object.values(value).reduce((most: number, inner) => Math.max(most, highestSeq(inner)), own);
};

const withHead = (value: JsonObject, { generation, key }: SalvageOptions): JsonObject => ({
  ...value,
  version: DOCUMENT_VERSION,
  seq: typeof value.seq === "number" ? value.seq : highestSeq(value),
  generation: typeof value.generation === "number" ? value.generation : generation,
  key: isObject(value.key) ? value.key : key,
  clock: isObject(value.clock) ? value.clock : { offsetMs: 0, frozenAtMs: null },
  fixtures: Array.isArray(value.fixtures) ? value.fixtures : [],
  apps: Array.isArray(value.apps) ? value.apps : [],
});

/** @see salvage */
export interface SalvageOptions {
  /** No journal stands beside the snapshot, so that records may get new numbers. */
  readonly alone: boolean;
  /** For a document that has lost its own: the number of the oldest journal, and a new signing key. */
  readonly generation: number;
  readonly key: JsonObject;
}

/**
 * @param bytes of the damaged snapshot.
 * @returns the document without what is damaged in it; undefined if no app is left of it.
 */
export const salvage = (bytes: Uint8Array, options: SalvageOptions): Salvaged | undefined => {
  const text = new TextDecoder().decode(bytes);
  const whole = jsonIn(text);
  const read = isObject(whole) ? { value: whole, lost: 0 } : readLines(text);
  const newKey = !isObject(read.value.key);
  const value = withHead(read.value, options);
  let { lost } = read;
  for (let faults = 0; faults < MOST_FAULTS; faults++) {
    const checked = checkDocument(value, options.alone);
    const fault = "fault" in checked ? checked.fault : new WorldIndex(checked.document).fault();
    if (fault === undefined && "document" in checked)
      return checked.document.apps.length === 0 ? undefined : { document: checked.document, lost, newKey };
    if (fault === undefined) return undefined;
    if (fault.path[0] === "seq") value.seq = highestSeq(value);
    else if (!leaveOut(value, fault.path)) return undefined;
    else lost++;
  }
  return undefined;
};

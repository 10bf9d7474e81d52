/**
 * Validates a document file, which users may have edited while Stagedoor was stopped. Each record gets a
 * fast check that nearly all pass (100,000 in some tens of milliseconds), and only otherwise zod, which normalises what
 * it can and reports the error.
 */
import { z } from "zod";
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import {
  COLLECTIONS,
  type Collection,
  connectionRecord,
  passcodeRecord,
  profileRecord,
  type RecordsOfApp,
  sessionRecord,
} from "#contract/service/records.ts";
import type { Flaw } from "../failure.ts";
import { documentFrame, emptyApp, type StoreDocument } from "./document.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Look = (value: unknown) => boolean;

/** @returns a fast check equivalent to the schema; types without one are left to zod. */
const lookBy = (schema: z.core.$ZodType): Look => {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodExactOptional) {
    const none = schema instanceof z.ZodNullable ? null : undefined;
    const look = lookBy(schema.unwrap());
    return (value) => value === none || look(value);
  }
  if (schema instanceof z.ZodPipe) return lookBy(schema.in);
  // A default is left to zod, which fills it in.
  if (schema instanceof z.ZodDefault) return lookBy(schema.unwrap());
  // Ids in upper case are left to zod, which normalises them.
  if (schema instanceof z.ZodGUID) return (value) => typeof value === "string" && UUID.test(value);
  if (schema instanceof z.ZodISODateTime) {
    const { pattern = /^/ } = schema._zod;
    return (value) => typeof value === "string" && pattern.test(value);
  }
  if (schema instanceof z.ZodString) return (value) => typeof value === "string";
  if (schema instanceof z.ZodNumberFormat) {
    const least = schema.minValue ?? Number.MIN_SAFE_INTEGER;
    return (value) => Number.isSafeInteger(value) && Number(value) >= least;
  }
  if (schema instanceof z.ZodArray) {
    const look = lookBy(schema.element);
    return (value) => Array.isArray(value) && value.every(look);
  }
  // The only custom type in records: JSON objects.
  if (schema instanceof z.ZodCustom) return isJsonObject;
  return (value) => z.safeParse(schema, value).success;
};

/** How to validate the records of one list. */
export interface RecordCheck<R> {
  /** The fast check: true means that zod would accept the value too. */
  readonly quick: (value: unknown) => value is R;
  readonly schema: z.ZodType<R>;
}

const check = <R>(schema: z.ZodObject & z.ZodType<R>): RecordCheck<R> => {
  const looks = Object.entries(schema.shape).map(([name, field]) => ({ name, look: lookBy(field) }));
  const quick = (value: unknown): value is R => {
    if (!isJsonObject(value)) return false;
    for (const { name, look } of looks) if (!look(value[name])) return false;
    return true;
  };
  return { quick, schema };
};

/** The checks by collection. */
export const recordChecks: { readonly [C in Collection]: RecordCheck<RecordsOfApp[C]> } = {
  profiles: check(profileRecord),
  passcodes: check(passcodeRecord),
  sessions: check(sessionRecord),
  connections: check(connectionRecord),
};

/** @returns the first zod issue as a flaw. */
const zodFlaw = ({ issues: [issue] }: z.ZodError): Flaw => ({
  path: issue?.path.map((step) => (typeof step === "number" ? step : String(step))) ?? [],
  message: issue?.message ?? "is not as it should be",
});

const withSmallIds = (fields: JsonObject): JsonObject => {
  const { id, userId } = fields;
  return {
    ...fields,
    ...(typeof id === "string" ? { id: id.toLowerCase() } : {}),
    ...(typeof userId === "string" ? { userId: userId.toLowerCase() } : {}),
  };
};

/** Reads an edited record. @returns it with ids in lower case (D13) and `seq` 0 if it has none; or its flaw. */
const readEdited = <R>({ schema }: RecordCheck<R>, value: unknown): { record: R } | { flaw: Flaw } => {
  const parsed = schema.safeParse(isJsonObject(value) ? { seq: 1, ...withSmallIds(value) } : value);
  if (!parsed.success) return { flaw: zodFlaw(parsed.error) };
  return { record: isJsonObject(value) && !("seq" in value) ? { ...parsed.data, seq: 0 } : parsed.data };
};

/** More than the API stores: a body has at most 32 levels, and the document adds five around a record. */
const MOST_LEVELS = 64;

const within = (step: string | number, flaw: Flaw | undefined): Flaw | undefined =>
  flaw === undefined ? undefined : { path: [step, ...flaw.path], message: flaw.message };

/** @returns the first place nested too deep to be written, or with a `__proto__` key (D5). @param level its own. */
export const treeFlaw = (value: unknown, level = 1): Flaw | undefined => {
  if (typeof value !== "object" || value === null) return undefined;
  if (level > MOST_LEVELS) return { path: [], message: `is nested more than ${MOST_LEVELS} levels deep` };
  let flaw: Flaw | undefined;
  if (isJsonObject(value)) {
    for (const key in value) {
      if (key === "__proto__") return { path: [key], message: "is not allowed as a key" };
      const inner = value[key];
      // Nearly all are plain values.
      if (typeof inner === "object") flaw = within(key, treeFlaw(inner, level + 1));
      if (flaw !== undefined) return flaw;
    }
  } else if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    for (let place = 0; place < list.length && flaw === undefined; place += 1)
      flaw = within(place, treeFlaw(list[place], level + 1));
  }
  return flaw;
};

/** A consistent document. `edited`: it differs from the file and must be written before anything is appended. */
export interface Checked {
  readonly document: StoreDocument;
  readonly edited: boolean;
}

/** Collected while checking the lists. */
interface Findings {
  /** There is no journal, because the document was closed cleanly, so records can be renumbered. */
  readonly alone: boolean;
  /** The highest number of a record or of the document so far. */
  highest: number;
  edited: boolean;
}

const NUMBER_FAULT =
  "is missing or not greater than the one before. Edit this file only after a clean stop, when there is no journal next to it";

/** @param before the number of the entry before. @returns a flaw if this number does not follow and must. */
const numberFlaw = (seq: number, before: number, findings: Findings): Flaw | undefined => {
  findings.highest = Math.max(findings.highest, seq);
  if (seq > before) return undefined;
  findings.edited = true;
  return findings.alone ? undefined : { path: ["seq"], message: NUMBER_FAULT };
};

/** Validates one list. Valid records stay the same objects. @returns a flaw if there is one. */
const checkList = <C extends Collection>(
  collection: C,
  values: readonly unknown[],
  list: RecordsOfApp[C][],
  findings: Findings,
): Flaw | undefined => {
  const check = recordChecks[collection];
  for (const [place, value] of values.entries()) {
    let record: RecordsOfApp[C];
    if (check.quick(value)) record = value;
    else {
      const read = readEdited(check, value);
      if ("flaw" in read) return within(place, read.flaw);
      ({ record } = read);
      findings.edited = true;
    }
    const flaw = numberFlaw(record.seq, list[place - 1]?.seq ?? 0, findings);
    if (flaw !== undefined) return within(place, flaw);
    list.push(record);
  }
  return undefined;
};

/** Renumbers from the first number on that does not follow, so that the list keeps the order of the file. */
const renumber = (list: { readonly seq: number }[], findings: Findings): void => {
  const first = list.findIndex(({ seq }, place) => seq <= (list[place - 1]?.seq ?? 0));
  if (first === -1) return;
  for (const [place, record] of list.slice(first).entries()) {
    findings.highest += 1;
    list[first + place] = { ...record, seq: findings.highest };
  }
};

/**
 * Validates the shape of a document. Duplicate ids and usernames are left to the index.
 * @param value parsed JSON, of this program's version. @param alone whether there is no journal: then records with a
 * missing or non-ascending `seq` (a copied line) are renumbered.
 */
export const checkDocument = (value: unknown, alone: boolean): Checked | { readonly flaw: Flaw } => {
  const frame = documentFrame.safeParse(value);
  if (!frame.success) return { flaw: zodFlaw(frame.error) };
  const findings: Findings = { alone, highest: frame.data.seq, edited: false };
  const apps = frame.data.apps.map(({ app, clock }) => ({ ...emptyApp({ ...app, seq: app.seq ?? 0 }), clock }));
  for (const [place, entry] of apps.entries()) {
    const lists = frame.data.apps[place];
    let flaw = within("app", numberFlaw(entry.app.seq, apps[place - 1]?.app.seq ?? 0, findings));
    for (const noun of COLLECTIONS) flaw ??= within(noun, checkList(noun, lists?.[noun] ?? [], entry[noun], findings));
    if (flaw !== undefined) return { flaw: { path: ["apps", place, ...flaw.path], message: flaw.message } };
  }
  if (!alone && findings.highest > frame.data.seq) {
    const message = "is less than that of a record below. Edit this file only when there is no journal next to it";
    return { flaw: { path: ["seq"], message } };
  }
  const edited = findings.edited || findings.highest > frame.data.seq;
  if (edited) {
    for (const entry of apps) for (const collection of COLLECTIONS) renumber(entry[collection], findings);
    if (apps.some(({ app }, place) => app.seq <= (apps[place - 1]?.app.seq ?? 0)))
      for (const entry of apps) {
        findings.highest += 1;
        entry.app = { ...entry.app, seq: findings.highest };
      }
  }
  return { document: { ...frame.data, seq: findings.highest, apps }, edited };
};

/** @param check returns the flaw of a key. @returns the first flaw of a signing key; undefined if all are usable. */
export const keyFlaw = (
  { key, keys }: Pick<StoreDocument, "key" | "keys">,
  check: (key: JsonObject) => string | undefined,
): Flaw | undefined => {
  for (const [place, one] of [key, ...keys].entries()) {
    const message = check(one);
    if (message !== undefined) return { path: place === 0 ? ["key"] : ["keys", place - 1], message };
  }
  return undefined;
};

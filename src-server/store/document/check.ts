/**
 * Validates a document file, which users may have edited while Stagedoor was stopped (CONTRACT 8). Each record gets a
 * fast check that nearly all pass (100,000 in some tens of milliseconds), and only otherwise zod, which normalises what
 * it can and reports the error.
 */
import { z } from "zod";
import {
  COLLECTIONS,
  type Collection,
  connectionRecord,
  passcodeRecord,
  profileRecord,
  type RecordsOfApp,
  sessionRecord,
} from "#contract/records.ts";
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import type { Flaw } from "../failure.ts";
import { type AppDocument, documentFrame, type StoreDocument } from "./document.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Look = (value: unknown) => boolean;

/** @returns a fast check equivalent to the schema; types without one are left to zod. */
const lookBy = (schema: z.core.$ZodType): Look => {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodExactOptional) {
    const [none, look] = [schema instanceof z.ZodNullable ? null : undefined, lookBy(schema.unwrap())];
    return (value) => value === none || look(value);
  }
  if (schema instanceof z.ZodPipe) return lookBy(schema.in);
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
  const looks = Object.entries(schema.shape).map(([name, field]) => [name, lookBy(field)] as const);
  const quick = (value: unknown): value is R => isJsonObject(value) && looks.every(([name, look]) => look(value[name]));
  return { quick, schema };
};

/** The checks by collection. */
export const recordChecks: { readonly [C in Collection]: RecordCheck<RecordsOfApp[C]> } = {
  profiles: check(profileRecord),
  passcodes: check(passcodeRecord),
  sessions: check(sessionRecord),
  connections: check(connectionRecord),
};

/** @param value a record as read. @returns it as an object with ids in lower case (D13); undefined if it is not one. */
const withSmallIds = (value: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields: Record<string, unknown> = { ...value };
  for (const name of ["id", "userId"]) {
    const id = fields[name];
    if (typeof id === "string") fields[name] = id.toLowerCase();
  }
  return fields;
};

/**
 * @param value a record that failed the fast check, because someone edited it.
 * @param seq its number if it has none.
 * @returns the record with ids in lower case, or its flaw.
 */
const mendRecord = <R>(check: RecordCheck<R>, value: unknown, seq: number): { record: R } | { flaw: Flaw } => {
  const fields = withSmallIds(value);
  const parsed = check.schema.safeParse(fields === undefined ? value : { ...fields, seq: fields["seq"] ?? seq });
  return parsed.success ? { record: parsed.data } : { flaw: zodFlaw(parsed.error) };
};

/** @returns the first zod issue as a flaw. */
const zodFlaw = (error: z.ZodError): Flaw => {
  const issue = error.issues[0];
  return {
    path: issue?.path.map((step) => (typeof step === "number" ? step : String(step))) ?? [],
    message: issue?.message ?? "is not as it should be",
  };
};

/** More than the API stores: a body has at most 32 levels, and the document adds five around a record. */
const MOST_LEVELS = 64;

const within = (step: string | number, flaw: Flaw | undefined): Flaw | undefined =>
  flaw === undefined ? undefined : { path: [step, ...flaw.path], message: flaw.message };

/**
 * @param value from JSON.parse. @param level its own depth.
 * @returns the first place that is nested too deep to be written again, or has a `__proto__` key (D5).
 */
export const treeFlaw = (value: unknown, level = 1): Flaw | undefined => {
  if (typeof value !== "object" || value === null) return undefined;
  if (level > MOST_LEVELS) return { path: [], message: `is nested more than ${MOST_LEVELS} levels deep` };
  let flaw: Flaw | undefined;
  if (isJsonObject(value)) {
    for (const key in value) {
      if (key === "__proto__") return { path: [key], message: "is not allowed as a key" };
      flaw = within(key, treeFlaw(value[key], level + 1));
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
  readonly mayRenumber: boolean;
  /** The highest number of a record or of the document so far. */
  highest: number;
  edited: boolean;
  /** Assign new numbers; run once `highest` is known. */
  readonly renumber: (() => void)[];
}

const NUMBER_FAULT =
  "is missing or not greater than the one before. Edit this file only after a clean stop, when no journal stands beside it";

/** Validates one list. Valid records stay the same objects. @returns a flaw if there is one. */
const checkList = <C extends Collection>(
  collection: C,
  values: readonly unknown[],
  list: RecordsOfApp[C][],
  findings: Findings,
): Flaw | undefined => {
  const check = recordChecks[collection];
  let before = 0;
  let firstBad = -1;
  for (const [place, value] of values.entries()) {
    let record: RecordsOfApp[C];
    let numbered = true;
    if (check.quick(value)) record = value;
    else {
      const mended = mendRecord(check, value, before + 1);
      if ("flaw" in mended) return { path: [place, ...mended.flaw.path], message: mended.flaw.message };
      record = mended.record;
      findings.edited = true;
      numbered = typeof value === "object" && value !== null && "seq" in value && value.seq === record.seq;
    }
    if (firstBad === -1 && (!numbered || record.seq <= before)) {
      if (!findings.mayRenumber) return { path: [place, "seq"], message: NUMBER_FAULT };
      firstBad = place;
    }
    before = record.seq;
    if (numbered && before > findings.highest) findings.highest = before;
    list.push(record);
  }
  // Renumber everything from the first bad number on, so that the list keeps the order of the file.
  if (firstBad !== -1) {
    findings.renumber.push(() => {
      for (let place = firstBad; place < list.length; place += 1) {
        const record = list[place];
        if (record !== undefined) list[place] = { ...record, seq: nextNumber(findings) };
      }
    });
  }
  return undefined;
};

const nextNumber = (findings: Findings): number => {
  findings.highest += 1;
  findings.edited = true;
  return findings.highest;
};

type FrameApp = (typeof documentFrame)["_output"]["apps"][number];

const checkApp = (entry: FrameApp, before: number, findings: Findings): { entry: AppDocument } | { flaw: Flaw } => {
  const { seq } = entry.app;
  const numbered = seq !== undefined && seq > before;
  if (!numbered && !findings.mayRenumber) return { flaw: { path: ["app", "seq"], message: NUMBER_FAULT } };
  const checked: AppDocument = {
    app: { ...entry.app, seq: seq ?? before + 1 },
    clock: entry.clock,
    profiles: [],
    passcodes: [],
    sessions: [],
    connections: [],
  };
  if (numbered) findings.highest = Math.max(findings.highest, seq);
  for (const collection of COLLECTIONS) {
    const flaw = checkList(collection, entry[collection], checked[collection], findings);
    if (flaw !== undefined) return { flaw: { path: [collection, ...flaw.path], message: flaw.message } };
  }
  return { entry: checked };
};

/**
 * Validates the shape of a document. Duplicate ids and usernames are left to the index.
 * @param value parsed JSON, of this program's version. @param alone whether there is no journal: then records with a
 * missing or non-ascending `seq` (a copied line) are renumbered.
 */
export const checkDocument = (value: unknown, alone: boolean): Checked | { readonly flaw: Flaw } => {
  const frame = documentFrame.safeParse(value);
  if (!frame.success) return { flaw: zodFlaw(frame.error) };
  const findings: Findings = { mayRenumber: alone, highest: frame.data.seq, edited: false, renumber: [] };
  const apps: AppDocument[] = [];
  let before = 0;
  let inOrder = true;
  for (const [place, entry] of frame.data.apps.entries()) {
    const checked = checkApp(entry, before, findings);
    if ("flaw" in checked) {
      return { flaw: { path: ["apps", place, ...checked.flaw.path], message: checked.flaw.message } };
    }
    if (entry.app.seq === undefined || entry.app.seq <= before) inOrder = false;
    before = checked.entry.app.seq;
    apps.push(checked.entry);
  }
  if (!alone && findings.highest > frame.data.seq) {
    const message = "is less than that of a record below. Edit this file only when no journal stands beside it";
    return { flaw: { path: ["seq"], message } };
  }
  for (const renumber of findings.renumber) renumber();
  if (!inOrder) for (const entry of apps) entry.app = { ...entry.app, seq: nextNumber(findings) };
  const edited = findings.edited || findings.highest > frame.data.seq;
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

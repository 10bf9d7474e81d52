/**
 * The check of a whole snapshot, which people may have edited while nothing ran (CONTRACT 8).
 */
import type { Collection, RecordsOfApp } from "#contract/records.ts";
import { type AppDocument, COLLECTIONS, documentFrame, type StoreDocument } from "./document.ts";
import type { Fault } from "./failure.ts";
import { mendRecord, recordChecks, zodFault } from "./record-check.ts";

/** A document that holds together. `edited`: it differs from the file and must be written before anything is added. */
export interface Checked {
  readonly document: StoreDocument;
  readonly edited: boolean;
}

/** What the check of the lists finds out on its way. */
interface Findings {
  /** No journal stands beside the snapshot: it was closed cleanly, so that numbers may be given anew. */
  readonly mayRenumber: boolean;
  /** The highest number so far, of a record or of the document. */
  highest: number;
  edited: boolean;
  /** Gives new numbers, once `highest` is known. */
  readonly renumber: (() => void)[];
}

const NUMBER_FAULT =
  "is missing or not greater than the one before. Edit this file only after a clean stop, when no journal stands beside it";

/** Checks one list. Records that are fine stay the very objects that were read. @returns a fault, if there is one. */
const checkList = <C extends Collection>(
  collection: C,
  values: readonly unknown[],
  list: RecordsOfApp[C][],
  findings: Findings,
): Fault | undefined => {
  const check = recordChecks[collection];
  let before = 0;
  let firstBad = -1;
  for (const [place, value] of values.entries()) {
    let record: RecordsOfApp[C];
    let numbered = true;
    if (check.quick(value)) record = value;
    else {
      const mended = mendRecord(check, value, before + 1);
      if ("fault" in mended) return { path: [place, ...mended.fault.path], message: mended.fault.message };
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
  // From the first bad number on all get new ones, so that the order of the file stays the order of the list.
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

const checkApp = (entry: FrameApp, before: number, findings: Findings): { entry: AppDocument } | { fault: Fault } => {
  const { seq } = entry.app;
  const numbered = seq !== undefined && seq > before;
  if (!numbered && !findings.mayRenumber) return { fault: { path: ["app", "seq"], message: NUMBER_FAULT } };
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
    const fault = checkList(collection, entry[collection], checked[collection], findings);
    if (fault !== undefined) return { fault: { path: [collection, ...fault.path], message: fault.message } };
  }
  return { entry: checked };
};

/**
 * Checks the shape of a document. Ids and usernames that two records share are for the index to find.
 * @param value as JSON.parse gave it, of this program's version. @param alone whether no journal stands beside it: then
 * records whose `seq` is missing or not greater than that before (a copied line) get new ones.
 */
export const checkDocument = (value: unknown, alone: boolean): Checked | { readonly fault: Fault } => {
  const frame = documentFrame.safeParse(value);
  if (!frame.success) return { fault: zodFault(frame.error) };
  const findings: Findings = { mayRenumber: alone, highest: frame.data.seq, edited: false, renumber: [] };
  const apps: AppDocument[] = [];
  let before = 0;
  let inOrder = true;
  for (const [place, entry] of frame.data.apps.entries()) {
    const checked = checkApp(entry, before, findings);
    if ("fault" in checked) {
      return { fault: { path: ["apps", place, ...checked.fault.path], message: checked.fault.message } };
    }
    if (entry.app.seq === undefined || entry.app.seq <= before) inOrder = false;
    before = checked.entry.app.seq;
    apps.push(checked.entry);
  }
  if (!alone && findings.highest > frame.data.seq) {
    const message = "is less than that of a record below. Edit this file only when no journal stands beside it";
    return { fault: { path: ["seq"], message } };
  }
  for (const renumber of findings.renumber) renumber();
  if (!inOrder) for (const entry of apps) entry.app = { ...entry.app, seq: nextNumber(findings) };
  const edited = findings.edited || findings.highest > frame.data.seq;
  return { document: { ...frame.data, seq: findings.highest, apps }, edited };
};

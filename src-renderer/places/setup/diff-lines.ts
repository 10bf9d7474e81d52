/** Snapshot ids in URLs, and the changes since a snapshot as lines: a heading per kind, and records with their fields. */
import type { Snapshot, SnapshotDiff } from "#client/index.ts";
import { isObject } from "#contract/service/wire-body.ts";
import { finds } from "#contract/words/fold.ts";
import { counted, many } from "#contract/words/words.ts";
import { shownName } from "../../api/queries.ts";
import { shiftWords } from "../../ui/words.ts";
import type { SnapshotRef } from "./snapshot-queries.ts";

/** @returns the id of a snapshot in a URL: `before-login@demo-app`; of all apps `before-login@`. */
export const idOf = ({ name, appId }: SnapshotRef): string => `${name}@${appId ?? ""}`;

/**
 * The scope in which a snapshot is shown and restored. While one app (null: all) is shown, a snapshot of all apps applies
 * to that app alone, unless the app has its own one of that name, which the server prefers.
 */
export const restoreTargetOf = (snapshot: Snapshot, shown: string | null, all: readonly Snapshot[]): SnapshotRef => {
  const { name, appId } = snapshot;
  const hidden = all.some((one) => one.name === name && one.appId === shown);
  return { name, appId: appId ?? (hidden ? null : shown) };
};

const CHANGES = ["changed", "added", "removed"] as const;
type Change = (typeof CHANGES)[number];
/** The kinds of record, in display order. */
const KINDS = ["apps", "profiles", "connections", "passcodes", "sessions"] as const;
type Kind = (typeof KINDS)[number];

interface FieldChange {
  /** Keys joined by dots, such as `metadata.plan`. */
  readonly path: string;
  /** Null: absent. */
  readonly before: string | null;
  readonly after: string | null;
}

/** An added, changed or removed record. */
export interface RecordChange {
  readonly key: string;
  readonly change: Change;
  /** Empty if it is identified by its user. */
  readonly title: string;
  /** A detail beside it: number, address. */
  readonly about: string;
  readonly appId: string | null;
  readonly userId: string | null;
  readonly fields: readonly FieldChange[];
}

/** A record, or the heading of some; `cut`: there are more than are listed. */
export type DiffLine = RecordChange | { readonly key: string; readonly words: string; readonly cut: boolean };

/** Changes with every other field. */
const TOLD_LAST = "updatedAt";
const NEVER_TOLD = "seq";

const valueText = (value: unknown): string =>
  typeof value === "string" && value !== "" ? value : (JSON.stringify(value) ?? "");

const fieldsOf = (value: object, path = ""): (readonly [path: string, text: string])[] =>
  Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const at = path === "" ? key : `${path}.${key}`;
    if (at === NEVER_TOLD) return [];
    return isObject(inner) && Object.keys(inner).length > 0 ? fieldsOf(inner, at) : [[at, valueText(inner)] as const];
  });

/** @returns the fields in which two records differ, in order; `updatedAt` only if it is the only one. */
export const fieldChanges = (before: object, after: object): FieldChange[] => {
  const old = new Map(fieldsOf(before));
  const now = new Map(fieldsOf(after));
  const all = [...new Set([...old.keys(), ...now.keys()])].flatMap((path): FieldChange[] => {
    const was = old.get(path) ?? null;
    const is = now.get(path) ?? null;
    return was === is ? [] : [{ path, before: was, after: is }];
  });
  const telling = all.filter(({ path }) => path !== TOLD_LAST);
  return telling.length > 0 ? telling : all;
};

type ClockChange = SnapshotDiff["changed"]["clocks"][number];

const clockWords = (clock: ClockChange["before"]): string => {
  if (clock === null) return "clock of all apps";
  if (clock.frozenAt !== null) return `frozen at ${clock.frozenAt}`;
  return clock.offsetSeconds === 0 ? "real time" : shiftWords(clock.offsetSeconds);
};

const clockChange = ({ appId, before, after }: ClockChange): RecordChange => {
  const fields = [{ path: "shows", before: clockWords(before), after: clockWords(after) }];
  return { key: `clock ${appId}`, change: "changed", title: "Clock", about: "", appId, userId: null, fields };
};

/** Fields that identify records of the different kinds. */
type Named = { readonly appId: string } & Partial<Readonly<Record<"id" | "userId" | "code" | "to", string>>> &
  Partial<Readonly<Record<"name" | "phone" | "email", string | null>>>;

const NAMES: Readonly<Record<Kind, (record: Named) => readonly [title: string, about: string]>> = {
  apps: ({ name, appId }) => [name ?? appId, appId],
  profiles: ({ name, phone, email }) => [shownName(name), phone ?? email ?? ""],
  connections: ({ name }) => [name ?? "", ""],
  passcodes: ({ code = "", to = "" }) => [code, to],
  sessions: ({ id = "" }) => ["", id.slice(0, 8)],
};

const recordChange = (kind: Kind, change: Change, record: Named, fields: readonly FieldChange[] = []): RecordChange => {
  const [title, about] = NAMES[kind](record);
  const userId = kind === "sessions" || kind === "connections" ? (record.userId ?? null) : null;
  const key = `${kind} ${change} ${record.appId} ${record.id ?? record.userId ?? ""}`;
  return { key, change, title, about, appId: record.appId, userId, fields };
};

const textsIn = ({ title, about, appId, fields }: RecordChange): (string | null)[] => [
  title,
  about,
  appId,
  ...fields.flatMap(({ path, before, after }) => [path, before, after]),
];

/** @param limit maximum entries per list. @param sought only records that contain this text; empty: all. */
export const diffLines = (diff: SnapshotDiff, limit: number, sought = ""): DiffLine[] => {
  const wanted = sought.trim();
  const isFound = finds(wanted);
  const part = (key: string, noun: string, change: Change, records: readonly RecordChange[]): DiffLine[] => {
    const shown = records.filter((record) => textsIn(record).some((text) => text !== null && isFound(text)));
    if (shown.length === 0) return [];
    const cut = records.length >= limit;
    const words = `${cut && wanted === "" ? "First " : ""}${many(shown.length, noun)} ${change}`;
    return [{ key, words, cut }, ...shown];
  };
  const ofKind = (kind: Kind, change: Change): RecordChange[] =>
    change === "changed"
      ? diff.changed[kind].map(({ before, after }) => recordChange(kind, change, after, fieldChanges(before, after)))
      : diff[change][kind].map((record) => recordChange(kind, change, record));
  return [
    ...KINDS.flatMap((kind) =>
      CHANGES.flatMap((change) => part(`${kind} ${change}`, kind.slice(0, -1), change, ofKind(kind, change))),
    ),
    ...part("clocks", "clock", "changed", diff.changed.clocks.map(clockChange)),
  ];
};

type Counts = SnapshotDiff["counts"];

/** @returns how many records differ. */
export const changesIn = ({ added, changed, removed }: Counts): number => added + changed + removed;

/** @returns the counts of a diff as text, such as `12 added, 3 changed`; `nothing` if there are none. */
export const changeWords = (counts: Counts): string => {
  const told = (["added", "changed", "removed"] as const).filter((change) => counts[change] > 0);
  return told.map((change) => `${counted(counts[change])} ${change}`).join(", ") || "nothing";
};

/** @returns the counts of a diff in two lines: `3 changes since`, and in a quieter style `1 added, 2 changed`. */
export const sinceWords = (counts: Counts): readonly [string, string] => {
  const total = changesIn(counts);
  if (total === 0) return ["nothing changed", "since then"];
  // With a single kind of change the total would repeat it.
  if (total === Math.max(counts.added, counts.changed, counts.removed)) return [changeWords(counts), "since then"];
  return [`${counted(total)} changes since`, changeWords(counts)];
};

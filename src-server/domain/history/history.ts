/** What the newest transactions changed, as the store remembers it. */
import type { EpochMs } from "#contract/scalars.ts";
import type { Problem } from "#contract/service/problems.ts";
import { type ClockRecord, type Collection, idOf, type RecordsOfApp } from "#contract/service/records.ts";
import { counted } from "#contract/words/words.ts";
import type { Change } from "../decision.ts";
import type { AppData } from "../world.ts";
import type { Difference, RecordDifference } from "./differences.ts";

/** A past transaction. */
export interface HistoryEntry {
  /** The numbers of its first and last change. */
  readonly first: number;
  readonly seq: number;
  /** Real time in milliseconds since 1970. */
  readonly realMs: number;
  /** The same by the service clock of the app. */
  readonly atMs: EpochMs;
  /** The row of the request log; null without one. */
  readonly requestId: string | null;
  /** For a rewind: the number that it returned to. */
  readonly rewoundTo?: number;
  /** For an undo: the `seq` of the transaction that it undid. */
  readonly undoes?: number | undefined;
  /** Whether it was done in a window of the console. */
  readonly byConsole?: boolean;
  /** What it did, in words, where its changes do not tell. */
  readonly what?: string | undefined;
  readonly differences: readonly Difference[];
  /** The apps that it concerns; null: the global clock. */
  readonly appIds: readonly (string | null)[];
  /** Those of which the timeline no longer has the changes. */
  readonly lost?: readonly (string | null)[];
}

/** The bound that the timeline of an app has met. */
export interface Cut {
  /** Of that app alone, of all apps together, of which it held the most, or of the memory of all apps of the join token. */
  readonly of: "app" | "all" | "shared";
  readonly unit: "transactions" | "bytes";
  readonly most: number;
}

/** How far the timeline reaches back. */
export interface Extent {
  /** The earliest moment that can be restored: right after this number. */
  readonly oldestSeq: number;
  /** The app of which the most was dropped; null: the global clock. Absent: the timeline begins there. */
  readonly cut?: Cut & { readonly appId: string | null };
}

/** The transactions, as far as they are kept. */
export interface HistoryView {
  /** In order. */
  readonly items: readonly HistoryEntry[];
  /** @param appId undefined: of every app. */
  extent(appId?: string): Extent;
  /** @returns why the transaction with this number is not there; undefined if none was dropped. */
  dropped(seq: number): Extent | undefined;
  /** @returns the real time of the newest transaction up to this number, in milliseconds since 1970. */
  msAt(seq: number): number;
}

/** The history of all apps, as the store has it. */
export interface History extends HistoryView {
  /** @returns whether there is room for a transaction with these loads, so that it can be undone. */
  holds(loads: ReadonlyMap<string | null, { readonly bytes: number }>): boolean;
  /** The last of its items, cheaply. */
  readonly latest: HistoryEntry | undefined;
  /** @returns those after this number, in order. */
  after(seq: number): readonly HistoryEntry[];
  /** @returns the transaction whose last change has this number; undefined if it is not there. */
  at(seq: number): HistoryEntry | undefined;
}

const MIB = 1_048_576;

/** @returns the 410 that says which bound it was, and whose. */
export const tooFar = ({ oldestSeq, cut }: Extent): Problem => {
  const most =
    cut &&
    (cut.unit === "bytes" && cut.most % MIB === 0 ? `${cut.most / MIB} MiB` : `${counted(cut.most)} ${cut.unit}`);
  const whose = cut === undefined ? "" : ` of ${cut.appId ?? "the global clock"}`;
  const why = {
    app: `: it keeps at most ${most} of an app.`,
    shared: ": the memory of the apps of the join token was full.",
    all: `: it keeps at most ${most} of all apps, and dropped the oldest of the app with the most.`,
  };
  const begins = `The timeline${whose} begins with change ${oldestSeq}${cut === undefined ? "." : why[cut.of]}`;
  return { code: "rewound_too_far", instruction: `${begins} Nothing was changed.`, more: { oldestSeq } };
};

/** @returns the numbers (`seq`) of the transactions that are undone; undoing an undo does one again. */
export const undoneIn = (items: readonly HistoryEntry[]): ReadonlySet<number> => {
  const undone = new Set<number>();
  for (const { seq, undoes } of items.toReversed()) if (undoes !== undefined && !undone.has(seq)) undone.add(undoes);
  return undone;
};

/** The world before a transaction, as far as `differencesOf` needs it. */
export interface Before {
  readonly clock: ClockRecord;
  app(appId: string):
    | {
        readonly entry: AppData;
        find<C extends Collection>(noun: C, id: string): RecordsOfApp[C] | undefined;
      }
    | undefined;
}

/** @param world before the transaction. @returns adds a change to `differences`, with what was there before. */
export const differencesIn = (world: Before, differences: Difference[]): ((change: Change) => void) => {
  /** Apps that this transaction itself has removed: nothing in them existed before. */
  const removed = new Set<string>();
  const known = (appId: string) => (removed.has(appId) ? undefined : world.app(appId));
  const add = <C extends Collection>(noun: C, appId: string, id: string, after: RecordsOfApp[C] | undefined): void => {
    // A union of all collections: TypeScript cannot tell that `noun` and the records match.
    differences.push({ noun, appId, before: known(appId)?.find(noun, id), after } as RecordDifference);
  };
  return (change) => {
    if ("remove" in change) {
      const { appId } = change;
      if (change.remove !== "app") for (const id of change.ids) add(change.remove, appId, id, undefined);
      else {
        const data = known(appId)?.entry;
        if (data !== undefined) differences.push({ noun: "apps", appId, before: data.app, after: undefined, data });
        removed.add(appId);
      }
    } else if (change.put === "app") {
      const { appId } = change.record;
      differences.push({ noun: "apps", appId, before: known(appId)?.entry.app, after: change.record });
    } else if (change.put === "clock") {
      const { appId, record: after } = change;
      const before = appId === null ? world.clock : (known(appId)?.entry.clock ?? null);
      differences.push({ noun: "clocks", appId, before, after });
    } else add(change.put, change.appId, idOf(change.record), change.record);
  };
};

/** @param world before the transaction. @returns its changes with what was there before. */
export const differencesOf = (world: Before, changes: readonly Change[]): Difference[] => {
  const differences: Difference[] = [];
  const add = differencesIn(world, differences);
  for (const change of changes) add(change);
  return differences;
};

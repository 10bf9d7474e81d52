/** What the newest transactions changed, as the store remembers it. */

import type { EpochMs } from "#contract/scalars.ts";
import type { Problem } from "#contract/service/problems.ts";
import {
  type AppRecord,
  type ClockRecord,
  type Collection,
  idOf,
  type RecordsOfApp,
} from "#contract/service/records.ts";
import { counted } from "#contract/words/words.ts";
import type { Change } from "../decision.ts";
import type { AppMoment } from "../world.ts";

/** A record of an app that a transaction stored or removed; `before` undefined: created, `after` undefined: removed. */
export type AlteredRecord = {
  [C in Collection]: {
    readonly noun: C;
    readonly appId: string;
    readonly before: RecordsOfApp[C] | undefined;
    readonly after: RecordsOfApp[C] | undefined;
  };
}[Collection];

/** One change of a past transaction. */
export type Altered =
  | AlteredRecord
  /** `moment`: everything of an app that was removed. */
  | {
      readonly noun: "apps";
      readonly appId: string;
      readonly before: AppRecord | undefined;
      readonly after: AppRecord | undefined;
      readonly moment?: AppMoment;
    }
  /** `appId` null: the global clock. A clock of null follows the global one. */
  | {
      readonly noun: "clocks";
      readonly appId: string | null;
      readonly before: ClockRecord | null;
      readonly after: ClockRecord | null;
    };

/** A past transaction. */
export interface Past {
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
  readonly altered: readonly Altered[];
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
export interface Reach {
  /** The earliest moment that can be restored: right after this number. */
  readonly oldestSeq: number;
  /** The app of which the most was dropped; null: the global clock. Absent: the timeline begins there. */
  readonly cut?: Cut & { readonly appId: string | null };
}

/** The past transactions, as far as they are kept. */
export interface Timeline {
  /** In order. */
  readonly items: readonly Past[];
  /** @param appId undefined: of every app. */
  reach(appId?: string): Reach;
  /** @returns why the transaction with this number is not there; undefined if none was dropped. */
  dropped(seq: number): Reach | undefined;
  /** @returns whether the transaction with this number is there, with all its changes: it can be undone. */
  has(seq: number): boolean;
  /** @returns whether a transaction with these loads will be. */
  holds(loads: { readonly byApp: ReadonlyMap<string | null, { readonly bytes: number }> }): boolean;
  /** @returns the real time of the newest transaction up to this number, in milliseconds since 1970. */
  msAt(seq: number): number;
}

/** The timeline of all apps, as the store has it. */
export interface WholeTimeline extends Timeline {
  /** The last of its items, cheaply. */
  readonly latest: Past | undefined;
  /** @returns those after this number, in order. */
  after(seq: number): readonly Past[];
  /** @returns the transaction whose last change has this number; undefined if it is not there. */
  at(seq: number): Past | undefined;
}

const MIB = 1_048_576;

/** @returns the 410 that says which bound it was, and whose. */
export const tooFar = ({ oldestSeq, cut }: Reach): Problem => {
  const most =
    cut &&
    (cut.unit === "bytes" && cut.most % MIB === 0 ? `${cut.most / MIB} MiB` : `${counted(cut.most)} ${cut.unit}`);
  const whose = cut?.appId === null ? "the global clock" : cut?.appId;
  const why =
    cut === undefined
      ? `The timeline begins with change ${oldestSeq}.`
      : cut.of === "app"
        ? `The timeline of ${whose} begins with change ${oldestSeq}: it keeps at most ${most} of an app.`
        : cut.of === "shared"
          ? `The timeline of ${whose} begins with change ${oldestSeq}: the memory of the apps of the join token was full.`
          : `The timeline of ${whose} begins with change ${oldestSeq}: it keeps at most ${most} of all apps, and dropped the oldest of the app with the most.`;
  return { code: "rewound_too_far", instruction: `${why} Nothing was changed.`, more: { oldestSeq } };
};

/** @returns the numbers (`seq`) of the transactions that are undone; undoing an undo does one again. */
export const undoneIn = (items: readonly Past[]): ReadonlySet<number> => {
  const undone = new Set<number>();
  for (const { seq, undoes } of items.toReversed()) if (undoes !== undefined && !undone.has(seq)) undone.add(undoes);
  return undone;
};

/** The world before a transaction, as far as `alteredBy` needs it. */
export interface Before {
  readonly clock: ClockRecord;
  app(appId: string):
    | {
        readonly entry: AppMoment;
        find<C extends Collection>(noun: C, id: string): RecordsOfApp[C] | undefined;
      }
    | undefined;
}

/** @param world before the transaction. @returns adds a change to `altered`, with what was there before. */
export const alteredIn = (world: Before, altered: Altered[]): ((change: Change) => void) => {
  /** Apps that this transaction itself has removed: nothing in them existed before. */
  const removed = new Set<string>();
  const known = (appId: string) => (removed.has(appId) ? undefined : world.app(appId));
  const add = <C extends Collection>(noun: C, appId: string, id: string, after: RecordsOfApp[C] | undefined): void => {
    // A union of all collections: TypeScript cannot tell that `noun` and the records match.
    altered.push({ noun, appId, before: known(appId)?.find(noun, id), after } as AlteredRecord);
  };
  return (change) => {
    if ("remove" in change) {
      const { appId } = change;
      if (change.remove !== "app") for (const id of change.ids) add(change.remove, appId, id, undefined);
      else {
        const moment = known(appId)?.entry;
        if (moment !== undefined) altered.push({ noun: "apps", appId, before: moment.app, after: undefined, moment });
        removed.add(appId);
      }
    } else if (change.put === "app") {
      const { appId } = change.record;
      altered.push({ noun: "apps", appId, before: known(appId)?.entry.app, after: change.record });
    } else if (change.put === "clock") {
      const { appId, record: after } = change;
      const before = appId === null ? world.clock : (known(appId)?.entry.clock ?? null);
      altered.push({ noun: "clocks", appId, before, after });
    } else add(change.put, change.appId, idOf(change.record), change.record);
  };
};

/** @param world before the transaction. @returns its changes with what was there before. */
export const alteredBy = (world: Before, changes: readonly Change[]): Altered[] => {
  const altered: Altered[] = [];
  const add = alteredIn(world, altered);
  for (const change of changes) add(change);
  return altered;
};

/** The timeline in the form of the control API. */

import type { TimelineItem } from "#contract/control/timeline.ts";
import { cutText, type EpochMs, isoInstant } from "#contract/scalars.ts";
import { type Collection, idOf, NOUNS, type RecordsOfApp } from "#contract/service/records.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { appFields } from "#domain/apps.ts";
import { clockShown } from "#domain/clock.ts";
import { connectionItem } from "#domain/connections.ts";
import type { Difference } from "#domain/history/differences.ts";
import type { HistoryEntry, HistoryView } from "#domain/history/history.ts";
import { passcodeItem } from "#domain/passcodes.ts";
import { profileItem } from "#domain/profiles.ts";
import { sessionItem } from "#domain/sessions.ts";
import type { World } from "#domain/world.ts";
import type { Sized } from "#http/answering/pages.ts";
import { entryWords, userOf } from "./history-words.ts";

/** Which part of the timeline is shown. */
export interface HistoryScope {
  readonly appId?: string | undefined;
  readonly userId?: string | undefined;
  /** Whether what concerns this app alone is left out. */
  readonly hides?: (appId: string | null) => boolean;
  /** Only what was done in a window of the console. */
  readonly by?: "console" | undefined;
}

const isOf = (one: Difference, { appId, userId }: HistoryScope): boolean => {
  if (appId !== undefined && one.appId !== appId) return false;
  if (userId === undefined) return true;
  return one.noun !== "apps" && one.noun !== "clocks" && (one.before ?? one.after)?.userId === userId;
};

/** A transaction with its changes in the scope. */
export interface Shown {
  readonly entry: HistoryEntry;
  readonly differences: readonly Difference[];
}

/** @returns the transactions that changed something in the scope, newest first. */
export function* entriesOf(items: readonly HistoryEntry[], { appId, userId, by, hides }: HistoryScope): Steps<Shown[]> {
  const shown: Shown[] = [];
  yield* inSteps(items.toReversed(), (entry) => {
    if (by !== undefined && !entry.byConsole) return;
    if (appId !== undefined && !entry.appIds.includes(appId)) return;
    if (hides !== undefined && entry.appIds.every(hides)) return;
    const isWhole = userId === undefined && (appId === undefined || entry.appIds.length === 1);
    const differences = isWhole ? entry.differences : entry.differences.filter((one) => isOf(one, { appId, userId }));
    if (differences.length > 0) shown.push({ entry, differences });
  });
  return shown;
}

/** @returns the timeline of an app since it was created: before, another app may have had its id. */
export const sinceCreation = (history: HistoryView, appId: string): HistoryView => {
  const isCreated = (one: Difference): boolean =>
    one.noun === "apps" && one.appId === appId && one.before === undefined;
  const at = history.items.findLastIndex((entry) => entry.appIds.includes(appId) && entry.differences.some(isCreated));
  const birth = at < 0 ? undefined : history.items[at]?.seq;
  return {
    items: at < 0 ? history.items : history.items.slice(at),
    extent: () => {
      const extent = history.extent(appId);
      return birth === undefined || extent.oldestSeq >= birth ? extent : { oldestSeq: birth };
    },
    dropped: (seq) => {
      if (birth !== undefined && seq <= birth) return { oldestSeq: birth };
      const dropped = history.dropped(seq);
      return dropped?.cut === undefined || dropped.cut.appId === appId ? dropped : undefined;
    },
    msAt: (seq) => history.msAt(seq),
  };
};

const MASK = "***";

/** Characters of what happened, and of a name: in a lenient app that can be 1 MB. */
const MOST_WORDS = 200;
const MOST_NAME = 100;

/** What an item has next to its changes, as JSON. */
const FRAME = 600;

/** @param isBrief without changes. @returns a function that shows a transaction, with as many changes as find room. */
export const createHistoryItems = (world: World, undone: ReadonlySet<number> = new Set(), isBrief = false) => {
  const items = (now: EpochMs): { [C in Collection]: (appId: string, record: RecordsOfApp[C]) => unknown } => ({
    profiles: profileItem,
    passcodes: (appId, record) => passcodeItem(appId, record, world.app(appId)?.find("profiles", record.userId), now),
    sessions: (appId, record) => sessionItem(appId, record, now),
    connections: connectionItem,
  });
  const NOUN = { ...NOUNS, apps: "app", clocks: "clock" } as const satisfies Record<
    Difference["noun"],
    TimelineItem["changes"][number]["resource"]
  >;

  return function* ({ entry, differences }: Shown, bytes: number = Infinity): Steps<Sized<TimelineItem>> {
    const ofApp = differences.find(({ appId }) => appId !== null)?.appId ?? "";
    const app = world.app(ofApp);
    const deleted = differences.find((one) => one.noun === "apps" && one.before !== undefined);
    const name = app?.app.name ?? (deleted?.noun === "apps" ? deleted.before?.name : undefined);
    const show = items(entry.atMs);
    const shown = (one: Difference) => {
      const resource = NOUN[one.noun];
      if (one.noun === "clocks")
        return { resource, id: one.appId ?? "", before: clockShown(one.before), after: clockShown(one.after) };
      if (one.noun === "apps") {
        const masked = (record: typeof one.before) => (record ? { ...appFields(record), secret: MASK } : null);
        return { resource, id: one.appId, before: masked(one.before), after: masked(one.after) };
      }
      // A union of all collections: TypeScript cannot tell that the function and the record match.
      const item = show[one.noun] as (appId: string, record: NonNullable<typeof one.after>) => unknown;
      const [before, after] = [one.before, one.after].map((record) => record && item(one.appId, record));
      const record = one.before ?? one.after;
      return { resource, id: record ? idOf(record) : "", before: before ?? null, after: after ?? null };
    };
    const user = userOf(differences, app);
    const changes: TimelineItem["changes"] = [];
    let size = FRAME;
    for (const one of isBrief ? [] : differences) {
      if (changes.length > 0 && size > bytes) break;
      const change = shown(one);
      size += JSON.stringify(change).length;
      changes.push(change);
      yield undefined;
    }
    const more = isBrief ? 0 : differences.length - changes.length;
    const item = {
      seq: entry.seq,
      at: isoInstant(entry.atMs),
      requestId: entry.requestId,
      what: cutText(entryWords(entry, differences, app), MOST_WORDS),
      ...(user !== undefined && { user: cutText(user, MOST_NAME) }),
      ...(name !== undefined && differences.every(({ appId }) => appId === ofApp) && { app: cutText(name, MOST_NAME) }),
      ...(entry.byConsole === true && { byConsole: true as const }),
      ...(entry.undoes !== undefined && { undoes: entry.undoes }),
      ...(undone.has(entry.seq) && { undone: true as const }),
      changes,
      ...(more > 0 && { moreChanges: more }),
    };
    return { item, size };
  };
};

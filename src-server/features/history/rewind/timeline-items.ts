/** The timeline in the form of the control API. */

import type { TimelineItem } from "#contract/control/timeline.ts";
import { cutText, type EpochMs, isoInstant } from "#contract/scalars.ts";
import { type Collection, NOUNS, type RecordsOfApp } from "#contract/service/records.ts";
import { appFields } from "#domain/apps.ts";
import { clockShown } from "#domain/clock.ts";
import { connectionItem } from "#domain/connections.ts";
import type { Altered, Past, Timeline } from "#domain/history/timeline.ts";
import { passcodeItem } from "#domain/passcodes.ts";
import { profileItem } from "#domain/profiles.ts";
import { sessionItem } from "#domain/sessions.ts";
import { inSteps, type Steps } from "#domain/steps.ts";
import type { World } from "#domain/world.ts";
import type { Sized } from "#http/answering/pages.ts";
import { pastWords, userOf } from "./what-happened.ts";

/** Which part of the timeline is shown. */
export interface TimelineScope {
  readonly appId?: string | undefined;
  readonly userId?: string | undefined;
  /** Whether what concerns this app alone is left out. */
  readonly hides?: (appId: string | null) => boolean;
  /** Only what was done in a window of the console. */
  readonly by?: "console" | undefined;
}

const isOf = (one: Altered, { appId, userId }: TimelineScope): boolean => {
  if (appId !== undefined && one.appId !== appId) return false;
  if (userId === undefined) return true;
  return one.noun !== "apps" && one.noun !== "clocks" && (one.before ?? one.after)?.userId === userId;
};

/** A transaction with its changes in the scope. */
export interface Shown {
  readonly past: Past;
  readonly altered: readonly Altered[];
}

/** @returns the transactions that changed something in the scope, newest first. */
export function* pastOf(items: readonly Past[], { appId, userId, by, hides }: TimelineScope): Steps<Shown[]> {
  const shown: Shown[] = [];
  yield* inSteps(items.toReversed(), (past) => {
    if (by !== undefined && !past.byConsole) return;
    if (appId !== undefined && !past.appIds.includes(appId)) return;
    if (hides !== undefined && past.appIds.every(hides)) return;
    const isWhole = userId === undefined && (appId === undefined || past.appIds.length === 1);
    const altered = isWhole ? past.altered : past.altered.filter((one) => isOf(one, { appId, userId }));
    if (altered.length > 0) shown.push({ past, altered });
  });
  return shown;
}

/** @returns the timeline of an app since it was created: before, another app may have had its id. */
export const sinceCreation = (timeline: Timeline, appId: string): Timeline => {
  const isCreated = (one: Altered): boolean => one.noun === "apps" && one.appId === appId && one.before === undefined;
  const at = timeline.items.findLastIndex((past) => past.appIds.includes(appId) && past.altered.some(isCreated));
  const birth = at < 0 ? undefined : timeline.items[at]?.seq;
  return {
    items: at < 0 ? timeline.items : timeline.items.slice(at),
    reach: () => {
      const reach = timeline.reach(appId);
      return birth === undefined || reach.oldestSeq >= birth ? reach : { oldestSeq: birth };
    },
    dropped: (seq) => {
      if (birth !== undefined && seq <= birth) return { oldestSeq: birth };
      const dropped = timeline.dropped(seq);
      return dropped?.cut === undefined || dropped.cut.appId === appId ? dropped : undefined;
    },
    has: (seq) => timeline.has(seq),
    holds: (loads) => timeline.holds(loads),
    msAt: (seq) => timeline.msAt(seq),
  };
};

const MASK = "***";

/** Characters of what happened, and of a name: in a lenient app that can be 1 MB. */
const MOST_WORDS = 200;
const MOST_NAME = 100;

/** What an item has beside its changes, as JSON. */
const FRAME = 600;

/** @param isBrief without changes. @returns a function that shows a transaction, with as many changes as find room. */
export const createTimelineItems = (world: World, undone: ReadonlySet<number> = new Set(), isBrief = false) => {
  const items = (now: EpochMs): { [C in Collection]: (appId: string, record: RecordsOfApp[C]) => unknown } => ({
    profiles: profileItem,
    passcodes: (appId, record) => passcodeItem(appId, record, world.app(appId)?.find("profiles", record.userId), now),
    sessions: (appId, record) => sessionItem(appId, record, now),
    connections: connectionItem,
  });
  const NOUN = { ...NOUNS, apps: "app", clocks: "clock" } as const satisfies Record<
    Altered["noun"],
    TimelineItem["changes"][number]["resource"]
  >;

  return function* ({ past, altered }: Shown, bytes: number = Infinity): Steps<Sized<TimelineItem>> {
    const ofApp = altered.find(({ appId }) => appId !== null)?.appId ?? "";
    const app = world.app(ofApp);
    const deleted = altered.find((one) => one.noun === "apps" && one.before !== undefined);
    const name = app?.app.name ?? (deleted?.noun === "apps" ? deleted.before?.name : undefined);
    const show = items(past.atMs);
    const pairOf = <C extends Collection>(
      noun: C,
      {
        appId,
        before,
        after,
      }: { appId: string; before: RecordsOfApp[C] | undefined; after: RecordsOfApp[C] | undefined },
    ) => ({
      before: before === undefined ? null : show[noun](appId, before),
      after: after === undefined ? null : show[noun](appId, after),
    });
    const shown = (one: Altered) => {
      const resource = NOUN[one.noun];
      if (one.noun === "clocks")
        return { resource, id: one.appId ?? "", before: clockShown(one.before), after: clockShown(one.after) };
      if (one.noun === "apps") {
        const masked = (record: typeof one.before) =>
          record === undefined ? null : { ...appFields(record), secret: MASK };
        return { resource, id: one.appId, before: masked(one.before), after: masked(one.after) };
      }
      const { userId, ...rest } = one.before ?? one.after ?? { userId: "" };
      return { resource, id: "id" in rest ? rest.id : userId, ...pairOf<Collection>(one.noun, one) };
    };
    const user = userOf(altered, app);
    const changes: TimelineItem["changes"] = [];
    let size = FRAME;
    for (const one of isBrief ? [] : altered) {
      if (changes.length > 0 && size > bytes) break;
      const change = shown(one);
      size += JSON.stringify(change).length;
      changes.push(change);
      yield undefined;
    }
    const more = isBrief ? 0 : altered.length - changes.length;
    const item = {
      seq: past.seq,
      at: isoInstant(past.atMs),
      requestId: past.requestId,
      what: cutText(pastWords(past, altered, app), MOST_WORDS),
      ...(user !== undefined && { user: cutText(user, MOST_NAME) }),
      ...(name !== undefined && altered.every(({ appId }) => appId === ofApp) && { app: cutText(name, MOST_NAME) }),
      ...(past.byConsole === true && { byConsole: true as const }),
      ...(past.undoes !== undefined && { undoes: past.undoes }),
      ...(undone.has(past.seq) && { undone: true as const }),
      changes,
      ...(more > 0 && { moreChanges: more }),
    };
    return { item, size };
  };
};

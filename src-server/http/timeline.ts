/** The timeline in the form of the control API (CONTRACT 14). */
import { type Collection, NOUNS, type RecordsOfApp } from "#contract/records.ts";
import { type EpochMs, isoInstant } from "#contract/scalars.ts";
import type { TimelineItem } from "#contract/timeline.ts";
import { appFields } from "#domain/apps.ts";
import { clockShown } from "#domain/clock.ts";
import { connectionItem } from "#domain/connections.ts";
import type { Altered, Past, Timeline } from "#domain/history/timeline.ts";
import { pastWords, userOf } from "#domain/history/what-happened.ts";
import { passcodeItem } from "#domain/passcodes.ts";
import { profileItem } from "#domain/profiles.ts";
import { sessionItem } from "#domain/sessions.ts";
import type { World } from "#domain/world.ts";

/** Which part of the timeline is shown. */
export interface TimelineScope {
  readonly appId?: string | undefined;
  readonly userId?: string | undefined;
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
export const pastOf = (items: readonly Past[], scope: TimelineScope): Shown[] => {
  const isWhole = scope.appId === undefined && scope.userId === undefined;
  const shown: Shown[] = [];
  for (let at = items.length - 1; at >= 0; at--) {
    const past = items[at];
    if (past === undefined || (scope.by !== undefined && !past.byConsole)) continue;
    const altered = isWhole ? past.altered : past.altered.filter((one) => isOf(one, scope));
    if (altered.length > 0) shown.push({ past, altered });
  }
  return shown;
};

/** @returns the timeline since the app was created: before, its id may have been that of somebody else's app. */
export const sinceCreation = (timeline: Timeline, appId: string): Timeline => {
  const isCreated = (one: Altered): boolean => one.noun === "apps" && one.appId === appId && one.before === undefined;
  const items = timeline.items.slice(
    Math.max(
      0,
      timeline.items.findLastIndex(({ altered }) => altered.some(isCreated)),
    ),
  );
  const [first] = items;
  return first?.altered.some(isCreated) ? { items, oldestSeq: first.seq, oldestMs: first.realMs } : timeline;
};

const MASK = "***";

/** @param isBrief without changes. @returns a function that shows a transaction. */
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

  return ({ past, altered }: Shown): TimelineItem => {
    const ofApp = altered.find(({ appId }) => appId !== null)?.appId ?? "";
    const app = world.app(ofApp);
    const deleted = altered.map((one) => (one.noun === "apps" ? one.before?.name : undefined)).find(Boolean);
    const name = app?.app.name ?? deleted;
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
    return {
      seq: past.seq,
      at: isoInstant(past.atMs),
      requestId: past.requestId,
      what: pastWords(past, altered, app),
      ...(user !== undefined && { user }),
      ...(name !== undefined && altered.every(({ appId }) => appId === ofApp) && { app: name }),
      ...(past.byConsole === true && { byConsole: true }),
      ...(past.undoes !== undefined && { undoes: past.undoes }),
      ...(undone.has(past.seq) && { undone: true }),
      changes: isBrief ? [] : altered.map(shown),
    };
  };
};

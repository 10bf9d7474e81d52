/** Rewinding an app, or one user of it, to an earlier moment: computes the changes that recreate it. */
import { type Problem, problem } from "#contract/service/problems.ts";
import {
  type AppRecord,
  type ClockRecord,
  COLLECTIONS,
  type Collection,
  type RecordsOfApp,
} from "#contract/service/records.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { clockShownAgain } from "#domain/clock.ts";
import { Changes, type Decision } from "#domain/decision.ts";
import { type Difference, sameRecord } from "#domain/history/differences.ts";
import { type HistoryEntry, type HistoryView, tooFar } from "#domain/history/history.ts";
import type { AppWorld, World } from "#domain/world.ts";
import type { RewindAnswer } from "./contract/rewind.ts";
import { alsoTakenBy, effectOf, putRecords, type RecordsThen, takenBy } from "./effect.ts";

/** What to rewind. */
export interface RewindOrder {
  readonly appId: string;
  /** Only this user; undefined: the whole app. */
  readonly userId: string | undefined;
  /** The moment: right after this number. */
  readonly to: number;
  readonly turnsClock: boolean;
  /** That moment in real milliseconds since 1970; undefined: that of the change. */
  readonly realMs?: number | undefined;
}

/** Removes from `wanted` what is not the user's. @returns whether the user exists, or did then. */
function* keepOnly(wanted: RecordsThen, now: AppWorld | undefined, userId: string): Steps<boolean> {
  for (const noun of COLLECTIONS)
    yield* inSteps<[string, RecordsOfApp[Collection] | undefined]>(wanted[noun], ([id, was]) => {
      if ((was ?? now?.find(noun, id))?.userId !== userId) wanted[noun].delete(id);
    });
  return COLLECTIONS.some((noun) => wanted[noun].size > 0) || now?.find("profiles", userId) !== undefined;
}

/** @returns what a transaction did to an app, or to the global clock (null). */
const ofApp = ({ differences }: HistoryEntry, appId: string | null): readonly Difference[] =>
  differences.filter((one) => one.appId === appId);

/** @param undone oldest first. @returns the app's clock before the last rewinds; undefined: nothing is to be set. */
const clockBeforeRewinds = (undone: readonly HistoryEntry[], appId: string): ClockRecord | null | undefined => {
  let clock: ClockRecord | null | undefined;
  for (const entry of undone.toReversed()) {
    const set = entry.differences.find((one) => one.noun === "clocks" && one.appId === appId);
    if (set?.noun !== "clocks") continue;
    if (entry.rewoundTo === undefined) break;
    clock = set.before;
  }
  return clock;
};

/** Adds the changes of the app's own record. @param app as it becomes. @returns why it, or a profile, cannot come back. */
function* putApp(
  changes: Changes,
  world: World,
  app: AppRecord,
  was: AppRecord,
  profiles: RecordsThen["profiles"],
  isWhole: boolean,
): Steps<Problem | undefined> {
  const now = world.app(app.appId);
  if (now === undefined) {
    if (world.appBySecret(app.secret) !== undefined) return { code: "secret_taken" };
    changes.putApp(app);
    return undefined;
  }
  if (isWhole) changes.returnCount(was, app);
  // The whole app is as it was, and what it shared then was allowed.
  return (yield* takenBy(now, profiles)) ?? (isWhole ? undefined : yield* alsoTakenBy(now.app, now, profiles));
}

/** @returns the clock that the app then has; undefined: the one of now. */
function* clockThen(
  history: HistoryView,
  { appId, to, realMs, turnsClock }: RewindOrder,
  undone: readonly HistoryEntry[],
  { world, app, own, nowMs }: { world: World; app: AppRecord; own: ClockRecord | null; nowMs: number },
): Steps<ClockRecord | null | undefined> {
  // An app that comes back has the clock that it had.
  if (!turnsClock) return world.app(appId) === undefined ? own : clockBeforeRewinds(undone, appId);
  const common = yield* effectOf(undone.flatMap((entry) => ofApp(entry, null)));
  return clockShownAgain(own ?? common.clock?.before ?? world.clock, app, realMs ?? history.msAt(to), nowMs);
}

/** @returns the rule that rewinds. @param realMs real time now, in milliseconds since 1970. */
export const rewindTo = (history: HistoryView, order: RewindOrder, realMs: number) =>
  function* (world: World): Steps<Decision<RewindAnswer["changed"]>> {
    const { appId, userId, to } = order;
    const extent = history.extent(appId);
    if (to < extent.oldestSeq) return { problem: tooFar(extent) };
    const undone = history.items.filter(({ seq }) => seq > to);
    const effect = yield* effectOf(undone.flatMap((entry) => ofApp(entry, appId)));
    const now = world.app(appId);
    const was = effect.app === undefined ? now?.app : effect.app.before;
    if (was === undefined) return problem("unknown_record", { instruction: `There was no app "${appId}" then.` });
    if (userId !== undefined && !(yield* keepOnly(effect.before, now, userId))) return problem("unknown_profile");
    const changes = new Changes(world);
    // An app that comes back has lost its token.
    const { joined: _, ...free } = effect.app?.removed ?? was;
    const app = now?.app ?? free;
    const refusal = yield* putApp(changes, world, app, was, effect.before.profiles, userId === undefined);
    if (refusal !== undefined) return { problem: refusal };
    const changed = { profiles: 0, passcodes: 0, sessions: 0, connections: 0 };
    const stranger = yield* putRecords(changes, appId, effect.before, now, changed, { userId });
    if (stranger !== undefined)
      return problem("username_taken_since", {
        instruction: `The id ${stranger} belongs to another user now. Nothing was changed.`,
      });
    const own = effect.clock === undefined ? (now?.clock ?? null) : effect.clock.before;
    const clock = yield* clockThen(history, order, undone, { world, app, own, nowMs: realMs });
    if (clock !== undefined && !sameRecord(clock, now?.clock ?? null)) changes.putClock(appId, clock);
    const decided = userId === undefined ? changes.restored(changed, appId) : changes.decided(changed);
    return { ...decided, rewoundTo: to };
  };

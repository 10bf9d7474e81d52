/** Undoes one transaction, whole or not at all: refused where what others have changed since is in the way. */

import { type Problem, problem } from "#contract/service/problems.ts";
import { COLLECTIONS, type Collection, type RecordsOfApp } from "#contract/service/records.ts";
import { inSteps, type Steps } from "#contract/steps.ts";
import { collisionIn } from "#domain/apps.ts";
import { Changes, type Decision } from "#domain/decision.ts";
import { sameApp, sameRecord } from "#domain/history/differences.ts";
import { type HistoryEntry, type HistoryView, tooFar, undoneIn } from "#domain/history/history.ts";
import { nameOf } from "#domain/profile-rules.ts";
import type { AppWorld, World } from "#domain/world.ts";
import type { RewindAnswer } from "./contract/rewind.ts";
import { alsoTakenBy, type Effect, effectOf, putRecords, takenBy } from "./effect.ts";

const SINCE: { readonly [C in Collection]: (who: string) => string } = {
  profiles: (who) => `${who} was created`,
  passcodes: (who) => `a passcode was sent to ${who}`,
  sessions: (who) => `${who} has signed in`,
  connections: (who) => `${who} has a new connection`,
};

const OF_USERS = ["passcodes", "sessions", "connections"] as const;

/** @returns what happened since to what the transaction changed, in words, each thing once. */
function* changedSince(effect: Effect, now: AppWorld | undefined, appId: string): Steps<ReadonlySet<string>> {
  const said = new Set<string>();
  const { app, clock, before, after } = effect;
  const stays = app === undefined ? now !== undefined : app.before !== undefined;
  if (app === undefined ? now === undefined : (app.after === undefined) !== (now === undefined))
    return new Set([`the app ${appId} was ${now === undefined ? "deleted" : "created again"}`]);
  if (app !== undefined && !sameApp(app.after, now?.app)) said.add(`the app ${appId} has changed`);
  if (clock !== undefined && now !== undefined && !sameRecord(clock.after, now.clock))
    said.add(`the clock of ${appId} was changed`);
  const profileThen = (userId: string) =>
    before.profiles.has(userId) ? before.profiles.get(userId) : now?.find("profiles", userId);
  const who = (userId: string): string => {
    const profile = now?.find("profiles", userId) ?? before.profiles.get(userId) ?? after.profiles.get(userId);
    return profile === undefined ? `the user ${userId}` : nameOf(profile);
  };
  const check = <C extends Collection>(noun: C): Steps<void> =>
    inSteps(after[noun], ([id, left]) => {
      const is = now?.find(noun, id);
      if (sameRecord(left ?? null, is ?? null)) return;
      const { userId } = left ?? is ?? { userId: id };
      const isGone = now?.find("profiles", userId) === undefined;
      said.add(
        left === undefined ? SINCE[noun](who(userId)) : `${who(userId)} ${isGone ? "was deleted" : "has changed"}`,
      );
    });
  for (const noun of COLLECTIONS) yield* check(noun);
  for (const noun of OF_USERS) {
    // Whoever goes must leave nothing behind.
    yield* inSteps(before.profiles, ([userId, was]) => {
      for (const { id } of (was === undefined && now?.of(noun, userId)) || [])
        if (!before[noun].has(id)) said.add(SINCE[noun](who(userId)));
    });
    // Whoever comes back needs its user.
    yield* inSteps<RecordsOfApp[(typeof OF_USERS)[number]] | undefined>(before[noun].values(), (was) => {
      const isDisabled = was !== undefined && "status" in was && was.status === "disabled";
      if (was !== undefined && !isDisabled && profileThen(was.userId) === undefined)
        said.add(`${who(was.userId)} was deleted`);
    });
  }
  if (!stays)
    yield* inSteps(now?.profiles ?? [], ({ userId }) => {
      if (!after.profiles.has(userId)) said.add(SINCE.profiles(who(userId)));
    });
  // A valid code is the only one.
  yield* inSteps(before.passcodes.values(), (was) => {
    if (was?.state === "active")
      for (const { id, state } of now?.of("passcodes", was.userId) ?? [])
        if (state === "active" && !before.passcodes.has(id)) said.add(SINCE.passcodes(who(was.userId)));
  });
  return said;
}

/** So many are named. */
const MOST_NAMED = 3;

const refusalOf = (said: ReadonlySet<string>): Problem => {
  const named = [...said].slice(0, MOST_NAMED).join(", ");
  const more = said.size > MOST_NAMED ? `, and ${said.size - MOST_NAMED} more` : "";
  const instruction = `${named.charAt(0).toUpperCase()}${named.slice(1)}${more} since. Nothing was changed.`;
  return { code: "changed_since", instruction };
};

/** @returns why the app cannot be as it was: a secret, a username or a unique field that another app or user has now. */
function* refusedBy(world: World, now: AppWorld | undefined, { app, before }: Effect): Steps<Problem | undefined> {
  const was = app?.before;
  const holder = was && world.appBySecret(was.secret);
  if (was !== undefined && holder !== undefined && holder.app.appId !== was.appId) return { code: "secret_taken" };
  if (now === undefined || (app !== undefined && was === undefined)) return undefined;
  const alsoTaken = yield* alsoTakenBy(was ?? now.app, now, before.profiles);
  if (was === undefined || was.strategy === now.app.strategy)
    return (yield* takenBy(now, before.profiles)) ?? alsoTaken;
  const others = now.profiles.filter(({ userId }) => !before.profiles.has(userId));
  const all = [...others, ...[...before.profiles.values()].filter((profile) => profile !== undefined)];
  return collisionIn(all, was.strategy) ?? alsoTaken;
}

function* putBack(
  changes: Changes,
  appId: string,
  { app, clock, before }: Effect,
  now: AppWorld | undefined,
  changed: RewindAnswer["changed"],
): Steps<void> {
  const was = app?.before;
  // An app that was created again has another position: it is put back with what others have added to it.
  const isAnew = now !== undefined && was !== undefined && was.seq !== now.app.seq;
  if (isAnew) changes.removeApp(appId);
  if (was !== undefined && (isAnew || now === undefined)) {
    const { joined, ...free } = was;
    changes.putApp(joined !== undefined && joined === now?.app.joined ? was : free);
  }
  const isGone = app !== undefined && was === undefined;
  yield* putRecords(changes, appId, before, now, changed, { isAnew, isGone });
  if (isGone) {
    changes.removeApp(appId);
    return;
  }
  const isClock = isAnew ? null : (now?.clock ?? null);
  const wasClock = clock === undefined ? isClock : clock.before;
  if (!sameRecord(wasClock, isClock)) changes.putClock(appId, wasClock);
  // Last, because a changed strategy reads the usernames of the restored profiles.
  if (now !== undefined && was !== undefined && !isAnew && !sameApp(was, now.app)) changes.changeApp(now.app, was);
}

/** @returns the transaction with this change, or why it cannot be undone. @param only as in `undoOf`. */
const entryOf = (
  history: HistoryView,
  seq: number,
  only: string | undefined,
): HistoryEntry | { readonly problem: Problem } => {
  const { items } = history;
  const entry = items.find((one) => one.first <= seq && seq <= one.seq);
  const { appIds = [], lost = [] } = entry ?? {};
  const isOthers = only !== undefined && appIds.some((appId) => appId !== only);
  const dropped = entry === undefined || (lost.length > 0 && !isOthers) ? history.dropped(seq) : undefined;
  if (dropped !== undefined) return { problem: tooFar(dropped) };
  if (entry === undefined || isOthers)
    return problem("unknown_record", { instruction: `There is no change ${seq}${only ? ` of ${only} alone` : ""}.` });
  return undoneIn(items).has(entry.seq)
    ? problem("changed_since", { instruction: "It was already undone. Nothing was changed." })
    : entry;
};

/** Adds the changes that undo the effect on one app. @returns why that cannot be. */
function* undoIn(
  changes: Changes,
  world: World,
  appId: string,
  effect: Effect,
  changed: RewindAnswer["changed"],
): Steps<Problem | undefined> {
  const now = world.app(appId);
  const said = yield* changedSince(effect, now, appId);
  const refused = said.size > 0 ? refusalOf(said) : yield* refusedBy(world, now, effect);
  if (refused === undefined) yield* putBack(changes, appId, effect, now, changed);
  return refused;
}

/** @param only the app that it must concern alone; undefined: any. @returns the rule that undoes a transaction. */
export const undoOf = (history: HistoryView, seq: number, only: string | undefined) =>
  function* (world: World): Steps<Decision<RewindAnswer["changed"]>> {
    const entry = entryOf(history, seq, only);
    if ("problem" in entry) return entry;
    const changes = new Changes(world);
    const changed = { profiles: 0, passcodes: 0, sessions: 0, connections: 0 };
    for (const appId of entry.appIds) {
      const effect = yield* effectOf(entry.differences.filter((one) => one.appId === appId));
      if (appId !== null) {
        const refused = yield* undoIn(changes, world, appId, effect, changed);
        if (refused !== undefined) return { problem: refused };
      } else if (effect.clock !== undefined) {
        if (!sameRecord(effect.clock.after, world.clock))
          return { problem: refusalOf(new Set(["the clock was changed"])) };
        changes.putClock(null, effect.clock.before);
      }
    }
    return { ...changes.decided(changed), undoes: entry.seq };
  };

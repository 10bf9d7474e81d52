/** Rewinding an app, or one user of it, to an earlier moment: computes the changes that recreate it. */

import { foldUsername } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { type Problem, problem } from "#contract/service/problems.ts";
import {
  type AppRecord,
  type ClockRecord,
  COLLECTIONS,
  type Collection,
  idOf,
  type Lists,
  type ProfileRecord,
  type RecordsOfApp,
} from "#contract/service/records.ts";
import { USERNAMES, usernameField } from "#contract/service/strategies.ts";
import { clockShownAgain } from "#domain/clock.ts";
import { Changes, type Decision } from "#domain/decision.ts";
import { sameRecord } from "#domain/history/differences.ts";
import { type Altered, type AlteredRecord, type Past, type Timeline, tooFar } from "#domain/history/timeline.ts";
import { nameOf } from "#domain/profile-rules.ts";
import { inSteps, type Steps } from "#domain/steps.ts";
import type { AppMoment, AppWorld, World } from "#domain/world.ts";
import type { RewindAnswer } from "./contract/rewind.ts";

/** Records by id, as they were at a moment; undefined: it did not exist. */
export type Wanted = { readonly [C in Collection]: Map<string, RecordsOfApp[C] | undefined> };

/** @returns no records. */
export const nothing = (): Wanted => ({
  profiles: new Map(),
  passcodes: new Map(),
  sessions: new Map(),
  connections: new Map(),
});

/** An app at an earlier moment, as far as it was different. */
interface Then {
  /** All of it, where the app was removed since; `same`: it was not; undefined: it did not exist. */
  base: AppMoment | "same" | undefined;
  /** By id; undefined: it did not exist. */
  wanted: Wanted;
  clock: ClockRecord | null;
  /** The clock that later rewinds replaced, if nothing else set it since; undefined: none did. */
  clockBefore: ClockRecord | null | undefined;
  /** The global clock. */
  common: ClockRecord;
  /** Its own record. */
  record: AppRecord | undefined;
}

const want = <C extends Collection>(wanted: Wanted, noun: C, id: string, record: RecordsOfApp[C] | undefined): void =>
  void wanted[noun].set(id, record);

const never = (): never => {
  throw new Error("A change has neither what was there before nor what came.");
};

const wantBefore = (wanted: Wanted, { noun, before, after }: AlteredRecord): void => {
  // A union of all collections: TypeScript cannot tell that the list and the record match.
  const records: Map<string, unknown> = wanted[noun];
  records.set(idOf(before ?? after ?? never()), before);
};

/** Goes back from now, one transaction after the other. @param undone newest first. */
function* goBack(world: World, appId: string, undone: readonly Past[]): Steps<Then> {
  const now = world.app(appId);
  const then: Then = {
    base: now === undefined ? undefined : "same",
    wanted: nothing(),
    clock: now?.clock ?? null,
    clockBefore: undefined,
    common: world.clock,
    record: now?.app,
  };
  let isSet = false;
  const back = (one: Altered, isRewind: boolean): void => {
    if (one.noun === "clocks") {
      if (one.appId === null) then.common = one.before ?? then.common;
      if (one.appId !== appId) return;
      then.clock = one.before;
      if (!isRewind) isSet = true;
      else if (!isSet) then.clockBefore = one.before;
    } else if (one.appId !== appId) return;
    else if (one.noun !== "apps") wantBefore(then.wanted, one);
    else {
      then.record = one.before;
      const isOther = one.before === undefined || one.after === undefined;
      if (isOther) then.wanted = nothing();
      if (one.before === undefined) then.base = undefined;
      else if (one.moment !== undefined) {
        then.base = one.moment;
        then.clock = one.moment.clock;
      }
    }
  };
  for (const { altered, rewoundTo } of undone)
    yield* inSteps(altered.toReversed(), (one) => back(one, rewoundTo !== undefined));
  return then;
}

/** @returns what to restore: for an app that was removed since, everything; otherwise what was changed. */
function* wantedOf({ base, wanted }: Then, now: AppWorld | undefined): Steps<Wanted> {
  if (base === "same" || base === undefined) return wanted;
  const all = nothing();
  const lists: Lists = base;
  function* fill<C extends Collection>(noun: C): Steps<void> {
    const present: Lists | undefined = now;
    yield* inSteps<RecordsOfApp[C]>(present?.[noun] ?? [], (record) => want(all, noun, idOf(record), undefined));
    yield* inSteps<RecordsOfApp[C]>(lists[noun], (record) => want(all, noun, idOf(record), record));
    yield* inSteps(wanted[noun], ([id, record]) => want(all, noun, id, record));
  }
  for (const noun of COLLECTIONS) yield* fill(noun);
  return all;
}

const takenSince = (value: string, who: string, userId: string): Problem => ({
  code: "username_taken_since",
  instruction: `${value} belongs to ${JSON.stringify(who)} (${userId}) now. Nothing was changed.`,
});

/** @returns why a profile cannot come back: another one, which stays, has its username. */
export function* takenBy(app: AppWorld, wanted: Wanted["profiles"]): Steps<Problem | undefined> {
  const field = usernameField(app.app);
  const names = new Map<string, string>();
  let taken: Problem | undefined;
  const look = ([userId, profile]: readonly [string, ProfileRecord | undefined]): void => {
    const username = profile?.[field];
    if (taken !== undefined || username === null || username === undefined) return;
    const key = foldUsername(username);
    const holder = app.profileByUsername(key);
    const after = holder && (wanted.has(holder.userId) ? wanted.get(holder.userId) : holder);
    const isTaken = after !== undefined && after.userId !== userId && foldUsername(after[field] ?? "") === key;
    const other = isTaken ? nameOf(after) : names.get(key);
    if (other !== undefined) taken = takenSince(username, other, after?.userId ?? "same app");
    names.set(key, nameOf(profile ?? never()));
  };
  yield* inSteps(wanted, look);
  return taken;
}

/**
 * @param app its settings and strategy, as they will be. @param now its profiles.
 * @returns why a profile cannot come back to an app with `profile.unique: "both"`: another one, which stays, has its
 *   phone or email that is not the username (D9).
 */
export function* alsoTakenBy(app: AppRecord, now: AppWorld, wanted: Wanted["profiles"]): Steps<Problem | undefined> {
  if (effectiveSettings(app.settings).profile.unique !== "both") return undefined;
  for (const field of USERNAMES[usernameField(app)].others) {
    const back = new Set<string>();
    yield* inSteps(wanted, ([userId, profile]) => {
      const value = profile?.[field] ?? null;
      // What it has kept can be shared from before the setting.
      if (value !== null && value !== now.find("profiles", userId)?.[field]) back.add(foldUsername(value));
    });
    if (back.size === 0) continue;
    const isTaken = (profile: ProfileRecord): boolean =>
      profile[field] !== null && !wanted.has(profile.userId) && back.has(foldUsername(profile[field]));
    let holder: ProfileRecord | undefined;
    // A copy, because others can change the list between the steps.
    yield* inSteps(now.profiles.slice(), (profile) => {
      if (holder === undefined && isTaken(profile)) holder = profile;
    });
    if (holder !== undefined) return takenSince(holder[field] ?? "", nameOf(holder), holder.userId);
  }
  return undefined;
}

/** What to rewind. */
export interface RewindOrder {
  readonly appId: string;
  /** Only this user; undefined: the whole app. */
  readonly userId: string | undefined;
  /** The moment: right after this number. */
  readonly to: number;
  /** Whether the app's clock shows that moment again. */
  readonly turnsClock: boolean;
  /** That moment in real milliseconds since 1970; undefined: that of the change. */
  readonly realMs?: number | undefined;
}

/** Removes from `wanted` what is not the user's. @returns whether the user exists, or did then. */
function* keepOnly(wanted: Wanted, now: AppWorld | undefined, userId: string): Steps<boolean> {
  for (const noun of COLLECTIONS)
    yield* inSteps<[string, RecordsOfApp[Collection] | undefined]>(wanted[noun], ([id, was]) => {
      if ((was ?? now?.find(noun, id))?.userId !== userId) wanted[noun].delete(id);
    });
  return COLLECTIONS.some((noun) => wanted[noun].size > 0) || now?.find("profiles", userId) !== undefined;
}

/** @returns the records of a list to remove, and those to put as they were. @param userId as in the order. */
export function* stepsBack<C extends Collection>(
  noun: C,
  wanted: Wanted,
  now: AppWorld | undefined,
  userId?: string,
): Steps<{ readonly gone: readonly string[]; readonly back: readonly RecordsOfApp[C][]; readonly stranger?: string }> {
  const gone: string[] = [];
  const back: RecordsOfApp[C][] = [];
  let stranger: string | undefined;
  yield* inSteps(wanted[noun], ([id, was]) => {
    const is = now?.find(noun, id);
    if (was === undefined) {
      if (is !== undefined) gone.push(id);
    } else if (is === undefined || !sameRecord(was, is)) {
      back.push(was);
      // Only an import can give an id to another user.
      if (userId !== undefined && is !== undefined && is.userId !== userId) stranger ??= id;
    }
  });
  return { gone, back: back.sort((a, b) => a.seq - b.seq), ...(stranger !== undefined && { stranger }) };
}

/** @returns an app that was removed, to put. */
const appBack = ({ base }: Then): AppRecord => {
  const { joined: _, ...free } = (base === "same" || base === undefined ? never() : base).app;
  return free;
};

/** @returns the rule that rewinds. @param realMs real time now, in milliseconds since 1970. */
export const rewindTo = (
  timeline: Timeline,
  { appId, userId, to, turnsClock, realMs: momentMs }: RewindOrder,
  realMs: number,
) =>
  function* (world: World): Steps<Decision<RewindAnswer["changed"]>> {
    const reach = timeline.reach(appId);
    if (to < reach.oldestSeq) return { problem: tooFar(reach) };
    const undone = timeline.items.filter(({ seq }) => seq > to).reverse();
    const then = yield* goBack(world, appId, undone);
    if (then.base === undefined) return problem("unknown_record", { instruction: `There was no app "${appId}" then.` });
    const now = world.app(appId);
    const wanted = yield* wantedOf(then, now);
    if (userId !== undefined && !(yield* keepOnly(wanted, now, userId))) return problem("unknown_profile");
    const changes = new Changes(world);
    const app = now?.app ?? appBack(then);
    if (now === undefined) {
      if (world.appBySecret(app.secret) !== undefined) return problem("secret_taken");
      changes.putApp(app);
    } else if (userId === undefined) changes.returnCount(then.record, app);
    const taken =
      now &&
      ((yield* takenBy(now, wanted.profiles)) ??
        // The whole app is as it was, and what it shared then was allowed.
        (userId === undefined ? undefined : yield* alsoTakenBy(now.app, now, wanted.profiles)));
    if (taken !== undefined) return { problem: taken };
    const changed = { profiles: 0, passcodes: 0, sessions: 0, connections: 0 };
    let stranger: string | undefined;
    function* restore<C extends Collection>(noun: C): Steps<void> {
      const steps = yield* stepsBack(noun, wanted, now, userId);
      const { gone, back } = steps;
      stranger ??= steps.stranger;
      changed[noun] = gone.length + back.length;
      changes.remove(noun, appId, gone);
      yield* inSteps(back, (record) => void changes.put(noun, appId, record));
    }
    for (const noun of COLLECTIONS) yield* restore(noun);
    if (stranger !== undefined) {
      const instruction = `The id ${stranger} belongs to another user now. Nothing was changed.`;
      return problem("username_taken_since", { instruction });
    }
    const thenMs = momentMs ?? timeline.msAt(to);
    // An app that comes back has the clock that it had.
    const kept = now === undefined ? then.clock : then.clockBefore;
    const clock = turnsClock ? clockShownAgain(then.clock ?? then.common, app, thenMs, realMs) : kept;
    if (clock !== undefined && !sameRecord(clock, now?.clock ?? null)) changes.putClock(appId, clock);
    const decided = userId === undefined ? changes.restored(changed, appId) : changes.decided(changed);
    return { ...decided, rewoundTo: to };
  };

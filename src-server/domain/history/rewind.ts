/** Rewinding an app, or one user of it, to an earlier moment: computes the changes that recreate it (CONTRACT 14). */
import { effectiveSettings } from "#contract/effective-settings.ts";
import { type Problem, problem } from "#contract/problems.ts";
import {
  type AppRecord,
  type ClockRecord,
  COLLECTIONS,
  type Collection,
  idOf,
  type Lists,
  type ProfileRecord,
  type RecordsOfApp,
} from "#contract/records.ts";
import { foldUsername } from "#contract/scalars.ts";
import { USERNAMES, usernameField } from "#contract/strategies.ts";
import type { RewindAnswer } from "#contract/timeline.ts";
import { clockReading } from "../clock.ts";
import { Changes, type Decision } from "../decision.ts";
import { isDeterministic, runningTime } from "../deterministic.ts";
import type { AppMoment, AppWorld, World } from "../world.ts";
import { sameRecord } from "./differences.ts";
import { type AlteredRecord, type Past, type Timeline, tooFar } from "./timeline.ts";

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
  /** The transaction count of a deterministic app. */
  steps: number | undefined;
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
const goBack = (world: World, appId: string, undone: readonly Past[]): Then => {
  const now = world.app(appId);
  const then: Then = {
    base: now === undefined ? undefined : "same",
    wanted: nothing(),
    clock: now?.clock ?? null,
    clockBefore: undefined,
    common: world.clock,
    steps: now?.app.steps,
  };
  let isSet = false;
  for (const { altered, rewoundTo } of undone)
    for (const one of altered.toReversed()) {
      if (one.noun === "clocks") {
        if (one.appId === null) then.common = one.before ?? then.common;
        if (one.appId !== appId) continue;
        then.clock = one.before;
        if (rewoundTo === undefined) isSet = true;
        else if (!isSet) then.clockBefore = one.before;
      } else if (one.appId !== appId) continue;
      else if (one.noun !== "apps") wantBefore(then.wanted, one);
      else {
        then.steps = one.before?.steps;
        const isOther = one.before === undefined || one.after === undefined;
        if (isOther) then.wanted = nothing();
        if (one.before === undefined) then.base = undefined;
        else if (one.moment !== undefined) {
          then.base = one.moment;
          then.clock = one.moment.clock;
        }
      }
    }
  return then;
};

/** @returns what to restore: for an app that was removed since, everything; otherwise what was changed. */
const wantedOf = ({ base, wanted }: Then, now: AppWorld | undefined): Wanted => {
  if (base === "same" || base === undefined) return wanted;
  const all = nothing();
  const lists: Lists = base;
  const fill = <C extends Collection>(noun: C): void => {
    for (const record of now?.[noun] ?? []) want(all, noun, idOf(record), undefined);
    for (const record of lists[noun]) want(all, noun, idOf(record), record);
    for (const [id, record] of wanted[noun]) want(all, noun, id, record);
  };
  for (const noun of COLLECTIONS) fill(noun);
  return all;
};

/** @returns what people call a user. */
export const nameOf = ({ name, phone, email, userId }: ProfileRecord): string => name ?? phone ?? email ?? userId;

const takenSince = (value: string, who: string, userId: string): Problem => ({
  code: "username_taken_since",
  instruction: `${value} belongs to ${JSON.stringify(who)} (${userId}) now. Nothing was changed.`,
});

/** @returns why a profile cannot come back: another one, which stays, has its username. */
export const takenBy = (app: AppWorld, wanted: Wanted["profiles"]): Problem | undefined => {
  const field = usernameField(app.app);
  const names = new Map<string, string>();
  for (const [userId, profile] of wanted) {
    const username = profile?.[field];
    if (username === null || username === undefined) continue;
    const key = foldUsername(username);
    const holder = app.profileByUsername(key);
    const after = holder && (wanted.has(holder.userId) ? wanted.get(holder.userId) : holder);
    const isTaken = after !== undefined && after.userId !== userId && foldUsername(after[field] ?? "") === key;
    const other = isTaken ? nameOf(after) : names.get(key);
    if (other !== undefined) return takenSince(username, other, after?.userId ?? "same app");
    names.set(key, nameOf(profile ?? never()));
  }
  return undefined;
};

/**
 * @param app its settings and strategy, as they will be. @param now its profiles.
 * @returns why a profile cannot come back to an app with `profile.unique: "both"`: another one, which stays, has its
 *   phone or email that is not the username (D9).
 */
export const alsoTakenBy = (app: AppRecord, now: AppWorld, wanted: Wanted["profiles"]): Problem | undefined => {
  if (effectiveSettings(app.settings).profile.unique !== "both") return undefined;
  for (const field of USERNAMES[usernameField(app)].others) {
    const back = new Set<string>();
    for (const [userId, profile] of wanted) {
      const value = profile?.[field] ?? null;
      // What it has kept can be shared from before the setting.
      if (value !== null && value !== now.find("profiles", userId)?.[field]) back.add(foldUsername(value));
    }
    const isTaken = (profile: ProfileRecord): boolean =>
      profile[field] !== null && !wanted.has(profile.userId) && back.has(foldUsername(profile[field]));
    const holder = back.size === 0 ? undefined : now.profiles.find(isTaken);
    if (holder !== undefined) return takenSince(holder[field] ?? "", nameOf(holder), holder.userId);
  }
  return undefined;
};

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

/** @param realMs real time now, in milliseconds since 1970. @returns the clock that shows that moment again. */
const clockOfThen = (then: Then, app: AppRecord, thenMs: number, realMs: number): ClockRecord => {
  const clock = then.clock ?? then.common;
  if (clock.frozenAtMs !== null || isDeterministic(app)) return clock;
  return { offsetMs: clockReading(clock, thenMs) - runningTime(app, realMs), frozenAtMs: null };
};

/** Removes from `wanted` what is not the user's. @returns whether the user exists, or did then. */
const keepOnly = (wanted: Wanted, now: AppWorld | undefined, userId: string): boolean => {
  const isOwn = <C extends Collection>(noun: C, id: string, was: RecordsOfApp[C] | undefined): boolean =>
    (was ?? now?.find(noun, id))?.userId === userId;
  for (const noun of COLLECTIONS)
    for (const [id, was] of wanted[noun]) if (!isOwn(noun, id, was)) wanted[noun].delete(id);
  return COLLECTIONS.some((noun) => wanted[noun].size > 0) || now?.find("profiles", userId) !== undefined;
};

/** @returns the records of a list to remove, and those to put as they were. @param userId as in the order. */
export const stepsBack = <C extends Collection>(
  noun: C,
  wanted: Wanted,
  now: AppWorld | undefined,
  userId?: string,
) => {
  const gone: string[] = [];
  const back: RecordsOfApp[C][] = [];
  let stranger: string | undefined;
  for (const [id, was] of wanted[noun]) {
    const is = now?.find(noun, id);
    if (was === undefined) {
      if (is !== undefined) gone.push(id);
    } else if (is === undefined || !sameRecord(was, is)) {
      back.push(was);
      // Only an import can give an id to another user.
      if (userId !== undefined && is !== undefined && is.userId !== userId) stranger ??= id;
    }
  }
  return { gone, back: back.sort((a, b) => a.seq - b.seq), stranger };
};

/** @returns the app to put: one that was removed, or one whose count of transactions was another; undefined: none. */
const appBack = ({ base, steps }: Then, now: AppRecord | undefined): AppRecord | undefined => {
  if (now === undefined) {
    const { joined: _, ...free } = (base === "same" || base === undefined ? never() : base).app;
    return free;
  }
  if (!isDeterministic(now) || now.steps === steps) return undefined;
  const { steps: _, ...rest } = now;
  return steps === undefined ? rest : { ...rest, steps };
};

/** @returns the rule that rewinds. @param realMs real time now, in milliseconds since 1970. */
export const rewindTo =
  (timeline: Timeline, { appId, userId, to, turnsClock, realMs: momentMs }: RewindOrder, realMs: number) =>
  (world: World): Decision<RewindAnswer["changed"]> => {
    const reach = timeline.reach(appId);
    if (to < reach.oldestSeq) return { problem: tooFar(reach) };
    const undone = timeline.items.filter(({ seq }) => seq > to).reverse();
    const then = goBack(world, appId, undone);
    if (then.base === undefined) return problem("unknown_record", { instruction: `There was no app "${appId}" then.` });
    const now = world.app(appId);
    const wanted = wantedOf(then, now);
    if (userId !== undefined && !keepOnly(wanted, now, userId)) return problem("unknown_profile");
    const changes = new Changes(world);
    const app = now === undefined || userId === undefined ? appBack(then, now?.app) : undefined;
    if (now === undefined && app !== undefined && world.appBySecret(app.secret) !== undefined)
      return problem("secret_taken");
    if (app !== undefined) changes.putApp(app);
    const taken =
      now &&
      (takenBy(now, wanted.profiles) ??
        // The whole app is as it was, and what it shared then was allowed.
        (userId === undefined ? undefined : alsoTakenBy(now.app, now, wanted.profiles)));
    if (taken !== undefined) return { problem: taken };
    const changed = { profiles: 0, passcodes: 0, sessions: 0, connections: 0 };
    const restore = <C extends Collection>(noun: C): string | undefined => {
      const { gone, back, stranger } = stepsBack(noun, wanted, now, userId);
      changed[noun] = gone.length + back.length;
      changes.remove(noun, appId, gone);
      for (const record of back) changes.put(noun, appId, record);
      return stranger;
    };
    const [stranger] = COLLECTIONS.flatMap((noun) => restore(noun) ?? []);
    if (stranger !== undefined) {
      const instruction = `The id ${stranger} belongs to another user now. Nothing was changed.`;
      return problem("username_taken_since", { instruction });
    }
    const thenMs = momentMs ?? timeline.msAt(to);
    // An app that comes back has the clock that it had.
    const kept = now === undefined ? then.clock : then.clockBefore;
    const clock = turnsClock ? clockOfThen(then, app ?? now?.app ?? never(), thenMs, realMs) : kept;
    if (clock !== undefined && !sameRecord(clock, now?.clock ?? null)) changes.putClock(appId, clock);
    return { ...changes.decided(changed), rewoundTo: to, ...(userId === undefined && { keepsSteps: true }) };
  };

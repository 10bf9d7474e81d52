/** Rewinding an app, or one user of it, to an earlier moment: computes the changes that recreate it (CONTRACT 14). */
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
import { usernameField } from "#contract/strategies.ts";
import type { RewindAnswer } from "#contract/timeline.ts";
import { clockReading } from "../clock.ts";
import { Changes, type Decision } from "../decision.ts";
import { isDeterministic, runningTime } from "../deterministic.ts";
import type { AppMoment, AppWorld, World } from "../world.ts";
import { sameRecord } from "./differences.ts";
import type { AlteredRecord, Past, Timeline } from "./timeline.ts";

type Wanted = { readonly [C in Collection]: Map<string, RecordsOfApp[C] | undefined> };

const nothing = (): Wanted => ({
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

const nameOf = ({ name, phone, email, userId }: ProfileRecord): string => name ?? phone ?? email ?? userId;

/** @returns why a profile cannot come back: another one, which stays, has its username. */
const takenBy = (app: AppWorld, wanted: Wanted["profiles"]): Problem | undefined => {
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
    if (other !== undefined) {
      const instruction = `${username} belongs to ${JSON.stringify(other)} (${after?.userId ?? "same app"}) now. Nothing was changed.`;
      return { code: "username_taken_since", instruction };
    }
    names.set(key, nameOf(profile ?? never()));
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

/** @returns the rule that rewinds. @param realMs real time now, in milliseconds since 1970. */
export const rewindTo =
  (timeline: Timeline, { appId, userId, to, turnsClock, realMs: momentMs }: RewindOrder, realMs: number) =>
  (world: World): Decision<RewindAnswer["changed"]> => {
    if (to < timeline.oldestSeq) return problem("rewound_too_far", { more: { oldestSeq: timeline.oldestSeq } });
    const undone = timeline.items.filter(({ seq }) => seq > to).reverse();
    const then = goBack(world, appId, undone);
    const now = world.app(appId);
    if (then.base === undefined) return problem("unknown_record", { instruction: `There was no app "${appId}" then.` });
    const changes = new Changes(world);
    const changed = { profiles: 0, passcodes: 0, sessions: 0, connections: 0 };
    const wanted = wantedOf(then, now);
    if (userId !== undefined) {
      const isOwn = <C extends Collection>(noun: C, id: string, was: RecordsOfApp[C] | undefined): boolean =>
        (was ?? now?.find(noun, id))?.userId === userId;
      const known = COLLECTIONS.some((noun) => [...wanted[noun]].some(([id, was]) => isOwn(noun, id, was)));
      if (!known && now?.find("profiles", userId) === undefined) return problem("unknown_profile");
      for (const noun of COLLECTIONS)
        for (const [id, was] of wanted[noun]) if (!isOwn(noun, id, was)) wanted[noun].delete(id);
    }
    if (now === undefined) {
      const { joined: _, ...free } = (then.base === "same" ? never() : then.base).app;
      if (world.appBySecret(free.secret) !== undefined) return problem("secret_taken");
      changes.putApp(free);
    } else {
      const taken = takenBy(now, wanted.profiles);
      if (taken !== undefined) return { problem: taken };
    }
    const restore = <C extends Collection>(noun: C): Problem | undefined => {
      const gone: string[] = [];
      const back: RecordsOfApp[C][] = [];
      for (const [id, was] of wanted[noun]) {
        const is = now?.find(noun, id);
        if (was === undefined) {
          if (is !== undefined) gone.push(id);
        } else if (is === undefined || !sameRecord(was, is)) {
          // Only an import can give an id to another user.
          if (userId !== undefined && is !== undefined && is.userId !== userId)
            return {
              code: "username_taken_since",
              instruction: `The id ${id} belongs to another user now. Nothing was changed.`,
            };
          back.push(was);
        }
      }
      changed[noun] = gone.length + back.length;
      changes.remove(noun, appId, gone);
      back.sort((a, b) => a.seq - b.seq);
      for (const record of back) changes.put(noun, appId, record);
      return undefined;
    };
    for (const noun of COLLECTIONS) {
      const conflict = restore(noun);
      if (conflict !== undefined) return { problem: conflict };
    }
    const app = now?.app ?? (then.base === "same" ? undefined : then.base.app);
    if (userId === undefined && now !== undefined && isDeterministic(app) && app?.steps !== then.steps && app) {
      const { steps: _, ...rest } = app;
      changes.putApp(then.steps === undefined ? rest : { ...rest, steps: then.steps });
    }
    const thenMs = momentMs ?? timeline.items.findLast(({ seq }) => seq <= to)?.realMs ?? timeline.oldestMs;
    // An app that comes back has the clock that it had.
    const kept = now === undefined ? then.clock : then.clockBefore;
    const clock = turnsClock && app !== undefined ? clockOfThen(then, app, thenMs, realMs) : kept;
    if (clock !== undefined && !sameRecord(clock, now?.clock ?? null)) changes.putClock(appId, clock);
    return { ...changes.decided(changed), rewoundTo: to, ...(userId === undefined && { keepsSteps: true }) };
  };

/** What transactions did to one app, and what puts it back: for a rewind, and for an undo. */
import { foldUsername } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { Problem } from "#contract/service/problems.ts";
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
import { inSteps, type Steps } from "#contract/steps.ts";
import type { Changes } from "#domain/decision.ts";
import { type Difference, type RecordDifference, sameRecord } from "#domain/history/differences.ts";
import { nameOf } from "#domain/profile-rules.ts";
import type { AppWorld } from "#domain/world.ts";
import type { RewindAnswer } from "./contract/rewind.ts";

/** Records by id, as they were at a moment; undefined: it did not exist. */
export type RecordsThen = { readonly [C in Collection]: Map<string, RecordsOfApp[C] | undefined> };

const noRecords = (): RecordsThen => ({
  profiles: new Map(),
  passcodes: new Map(),
  sessions: new Map(),
  connections: new Map(),
});

/** What transactions found, and what they left; `app` and `clock` undefined: untouched. */
export interface Effect {
  app?: {
    readonly before: AppRecord | undefined;
    readonly after: AppRecord | undefined;
    /** As it was when it was first removed. */
    readonly removed: AppRecord | undefined;
  };
  clock?: { readonly before: ClockRecord | null; readonly after: ClockRecord | null };
  readonly before: RecordsThen;
  readonly after: RecordsThen;
}

type Noted = Pick<RecordDifference, "noun" | "before" | "after">;
const noteRecord = (effect: Effect, { noun, before, after }: Noted): void => {
  // A union of all collections: TypeScript cannot tell that the list and the record match.
  const [was, is]: Map<string, unknown>[] = [effect.before[noun], effect.after[noun]];
  const record = before ?? after;
  if (was === undefined || is === undefined || record === undefined) return;
  const id = idOf(record);
  if (!was.has(id)) was.set(id, before);
  is.set(id, after);
};

/** So many differences are noted at a time. */
const STEP = 64;

/** @param differences of one app, in order. @returns what they did together. */
export function* effectOf(differences: readonly Difference[]): Steps<Effect> {
  const effect: Effect = { before: noRecords(), after: noRecords() };
  for (const [i, one] of differences.entries()) {
    if (i % STEP === 0) yield undefined;
    if (one.noun === "clocks") effect.clock = { before: (effect.clock ?? one).before, after: one.after };
    else if (one.noun !== "apps") noteRecord(effect, one);
    else {
      const { data } = one;
      const { before, removed } = effect.app ?? { before: one.before, removed: undefined };
      effect.app = { before, after: one.after, removed: removed ?? data?.app };
      if (data === undefined) continue;
      effect.clock = { before: (effect.clock ?? { before: data.clock }).before, after: null };
      for (const noun of COLLECTIONS)
        yield* inSteps<RecordsOfApp[Collection]>(data[noun], (record) =>
          noteRecord(effect, { noun, before: record, after: undefined } as Noted),
        );
    }
  }
  return effect;
}

const takenSince = (value: string, who: string, userId: string): Problem => ({
  code: "username_taken_since",
  instruction: `${value} belongs to ${JSON.stringify(who)} (${userId}) now. Nothing was changed.`,
});

/** @returns why a profile cannot come back: another one, which stays, has its username. */
export function* takenBy(app: AppWorld, wanted: RecordsThen["profiles"]): Steps<Problem | undefined> {
  const field = usernameField(app.app);
  const names = new Map<string, string>();
  let taken: Problem | undefined;
  const look = ([userId, profile]: readonly [string, ProfileRecord | undefined]): void => {
    const username = profile?.[field] ?? null;
    if (taken !== undefined || profile === undefined || username === null) return;
    const key = foldUsername(username);
    const holder = app.profileByUsername(key);
    const after = holder && (wanted.has(holder.userId) ? wanted.get(holder.userId) : holder);
    const isTaken = after !== undefined && after.userId !== userId && foldUsername(after[field] ?? "") === key;
    const other = isTaken ? nameOf(after) : names.get(key);
    if (other !== undefined) taken = takenSince(username, other, after?.userId ?? "same app");
    names.set(key, nameOf(profile));
  };
  yield* inSteps(wanted, look);
  return taken;
}

/** @returns whose phone or email keeps a profile from coming back, with `profile.unique: "both"` (D9). */
export function* alsoTakenBy(
  app: AppRecord,
  now: AppWorld,
  wanted: RecordsThen["profiles"],
): Steps<Problem | undefined> {
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

/** How records are put back. */
interface Way {
  /** Only those of this user. */
  readonly userId?: string | undefined;
  /** The app was removed before: the other records that it has now are put again, too. */
  readonly isAnew?: boolean;
  /** The app goes: they are only counted. */
  readonly isGone?: boolean;
}

/** Adds the changes that put records back, and counts them. @returns an id that another user has by now. */
export function* putRecords(
  changes: Changes,
  appId: string,
  wanted: RecordsThen,
  now: AppWorld | undefined,
  changed: RewindAnswer["changed"],
  { userId, isAnew = false, isGone = false }: Way,
): Steps<string | undefined> {
  let stranger: string | undefined;
  function* restore<C extends Collection>(noun: C): Steps<void> {
    const gone: string[] = [];
    const back: RecordsOfApp[C][] = [];
    yield* inSteps(wanted[noun], ([id, was]) => {
      const is = now?.find(noun, id);
      if (was !== undefined && (is === undefined || !sameRecord(was, is))) {
        back.push(was);
        // Only an import can give an id to another user.
        if (userId !== undefined && is !== undefined && is.userId !== userId) stranger ??= id;
      } else if (was === undefined && is !== undefined) gone.push(id);
    });
    changed[noun] += gone.length + back.length;
    if (isGone) return;
    if (!isAnew) changes.remove(noun, appId, gone);
    const lists: Lists | undefined = isAnew ? now : undefined;
    const kept: readonly RecordsOfApp[C][] = lists?.[noun] ?? [];
    const ours = new Set([...gone, ...back.map(idOf)]);
    const all = [...kept.filter((record) => !ours.has(idOf(record))), ...back].sort((a, b) => a.seq - b.seq);
    yield* inSteps(all, (record) => void changes.put(noun, appId, record));
  }
  for (const noun of COLLECTIONS) yield* restore(noun);
  return stranger;
}

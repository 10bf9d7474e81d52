/**
 * Apps that repeat themselves (setting `deterministic.seed`): ids, codes and times follow from the seed and from how many
 * transactions have changed the app. See docs/deterministic.md.
 */
import type { AppRecord } from "#contract/records.ts";
import { type EpochMs, epochMs } from "#contract/scalars.ts";
import type { Change, Decision } from "./decision.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** When the time of a deterministic app begins: 2026-01-01T00:00:00.000Z. */
export const FIRST_INSTANT: EpochMs = epochMs(Date.UTC(2026, 0, 1));

/** @returns the seed of an app as text (`42` and `"42"` are one seed); undefined: it goes by real time and chance. */
export const seedOf = (app: Pick<AppRecord, "settings">): string | undefined => {
  const seed = app.settings.deterministic?.seed ?? undefined;
  return seed === undefined ? undefined : String(seed);
};

/**
 * The time that an app's clock is set against. @param realMs milliseconds since 1970 by the machine.
 * @returns real time; of a deterministic app, its own, which stands and steps on 1 ms with each transaction.
 */
export const runningTime = (app: Pick<AppRecord, "settings" | "steps"> | undefined, realMs: number): number =>
  app === undefined || seedOf(app) === undefined ? realMs : FIRST_INSTANT + (app.steps ?? 0);

/**
 * Names one draw of a deterministic app. The app's id is in it, so that two apps of one seed do not meet.
 * @param what it is for; no two draws of one transaction say the same. @returns undefined: the app repeats nothing.
 */
export const lotOf = (app: AppRecord, what: string): string | undefined => {
  const seed = seedOf(app);
  return seed === undefined ? undefined : JSON.stringify([seed, app.appId, app.steps ?? 0, what]);
};

/** @param isTaken asked of a deterministic app alone: its lots may have been drawn before, as after an import. @returns a new id. */
export const drawId = (env: Env, app: AppRecord, what: string, isTaken: (id: string) => boolean): string => {
  let id = env.uuid(lotOf(app, what));
  if (seedOf(app) !== undefined)
    for (let again = 2; isTaken(id); again++) id = env.uuid(lotOf(app, `${what} ${again}`));
  return id;
};

/** @returns whether a profile, or anything of one, has this id. */
export const isIdTaken = (app: AppWorld, id: string): boolean =>
  app.find("profiles", id) !== undefined ||
  app.find("passcodes", id) !== undefined ||
  app.find("sessions", id) !== undefined ||
  app.find("connections", id) !== undefined ||
  app.of("connections", id).length > 0;

/** @param what such as `session`, once in a transaction. @returns the id of a new record of an app. */
export const newId = (env: Env, app: AppWorld, what: string): string =>
  drawId(env, app.app, what, (id) => isIdTaken(app, id));

/** @returns the id that a record gives the request which made it: its row in the log; null where it has none. */
export const requestIdOf = (env: Env, { app }: AppWorld): string | null =>
  env.request.id === null || seedOf(app) === undefined ? env.request.id : env.uuid(lotOf(app, "request"));

/** @returns an app as it is before its first transaction. */
export const begun = ({ steps: _, ...app }: AppRecord): AppRecord => app;

/** @param after the app that a change makes of `before`. @returns it with its count, which goes on while the seed is the same. */
export const withSteps = (before: AppRecord | undefined, after: AppRecord): AppRecord => {
  const steps = before?.steps;
  const goesOn = steps !== undefined && before !== undefined && seedOf(before) === seedOf(after);
  return goesOn ? { ...after, steps } : begun(after);
};

/** The apps that changes touch, by id: as they are after them, and the place of the change that puts them, if one does. */
type Touched = Map<string, { readonly record: AppRecord | undefined; readonly at: number | undefined }>;

/** @returns undefined where none is put, removed or deterministic. */
const touchedApps = (world: World, changes: readonly Change[]): Touched | undefined => {
  let touched: Touched | undefined;
  let last: string | null = null;
  for (let at = 0; at < changes.length; at++) {
    const change = changes[at];
    if (change === undefined) break;
    if ("put" in change && change.put === "app") {
      last = change.record.appId;
      touched ??= new Map();
      touched.set(last, { record: change.record, at });
    } else if ("remove" in change && change.remove === "app") {
      last = change.appId;
      touched ??= new Map();
      touched.set(last, { record: undefined, at: undefined });
    } else if (change.appId !== null && change.appId !== last) {
      last = change.appId;
      const record = touched?.has(last) === true ? undefined : world.app(last)?.app;
      if (record === undefined || seedOf(record) === undefined) continue;
      touched ??= new Map();
      touched.set(last, { record, at: undefined });
    }
  }
  return touched;
};

/**
 * Counts a transaction for each deterministic app that it changes. An app that is new or begun anew counts from here.
 * @param world as it is before. @returns the decision, with the count among its changes; most often just as it was.
 */
export const stepped = <T>(world: World, decision: Decision<T>): Decision<T> => {
  const { changes } = decision;
  const touched = changes === undefined ? undefined : touchedApps(world, changes);
  if (changes === undefined || touched === undefined || ("keepsSteps" in decision && decision.keepsSteps))
    return decision;
  let all: Change[] | undefined;
  for (const { record, at } of touched.values()) {
    if (record === undefined || seedOf(record) === undefined) continue;
    all ??= [...changes];
    const change: Change = { put: "app", record: { ...record, steps: (record.steps ?? 0) + 1 } };
    if (at === undefined) all.push(change);
    else all[at] = change;
  }
  return all === undefined ? decision : { ...decision, changes: all };
};

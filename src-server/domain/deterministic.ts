/**
 * Deterministic apps (setting `deterministic.seed`): ids, codes and times are derived from the seed and the number of
 * transactions that have changed the app. See docs/deterministic.md.
 */
import type { AppRecord } from "#contract/records.ts";
import { type EpochMs, epochMs } from "#contract/scalars.ts";
import type { Change, Decision } from "./decision.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** The initial time of a deterministic app: 2026-01-01T00:00:00.000Z. */
export const FIRST_INSTANT: EpochMs = epochMs(Date.UTC(2026, 0, 1));

/** @returns the seed of an app as text (`42` and `"42"` are the same seed); undefined if it is not deterministic. */
export const seedOf = (app: Pick<AppRecord, "settings">): string | undefined => {
  const seed = app.settings.deterministic?.seed ?? undefined;
  return seed === undefined ? undefined : String(seed);
};

/**
 * The time that an app's clock is based on. @param realMs machine time in milliseconds since 1970.
 * @returns real time; for a deterministic app its own time, which advances by 1 ms with each transaction.
 */
export const runningTime = (app: Pick<AppRecord, "settings" | "steps"> | undefined, realMs: number): number =>
  app === undefined || seedOf(app) === undefined ? realMs : FIRST_INSTANT + (app.steps ?? 0);

/**
 * Names a random draw of a deterministic app. The name includes the app id: apps with the same seed differ.
 * @param what its purpose, unique within the transaction. @returns undefined if the app is not deterministic.
 */
export const drawKey = (app: AppRecord, what: string): string | undefined => {
  const seed = seedOf(app);
  return seed === undefined ? undefined : JSON.stringify([seed, app.appId, app.steps ?? 0, what]);
};

/** @param isTaken asked only for a deterministic app, which can draw an id again after an import. @returns a new id. */
export const drawId = (env: Env, app: AppRecord, what: string, isTaken: (id: string) => boolean): string => {
  let id = env.uuid(drawKey(app, what));
  if (seedOf(app) !== undefined)
    for (let again = 2; isTaken(id); again++) id = env.uuid(drawKey(app, `${what} ${again}`));
  return id;
};

/** @returns whether a profile has this id, or any record refers to it as its user. */
export const isIdTaken = (app: AppWorld, id: string): boolean =>
  app.find("profiles", id) !== undefined ||
  app.find("passcodes", id) !== undefined ||
  app.find("sessions", id) !== undefined ||
  app.find("connections", id) !== undefined ||
  app.of("connections", id).length > 0;

/** @param what such as `session`, unique within a transaction. @returns the id for a new record. */
export const newId = (env: Env, app: AppWorld, what: string): string =>
  drawId(env, app.app, what, (id) => isIdTaken(app, id));

/** @returns the id of the request that creates a record (its row in the log); null if there is none. */
export const requestIdOf = (env: Env, { app }: AppWorld): string | null =>
  env.request.id === null || seedOf(app) === undefined ? env.request.id : env.uuid(drawKey(app, "request"));

/** @returns the app with its transaction count cleared. */
export const withoutSteps = ({ steps: _, ...app }: AppRecord): AppRecord => app;

/** @param after `before`, changed. @returns it with the transaction count, which continues for the same seed. */
export const withSteps = (before: AppRecord | undefined, after: AppRecord): AppRecord => {
  const steps = before?.steps;
  const goesOn = steps !== undefined && before !== undefined && seedOf(before) === seedOf(after);
  return goesOn ? { ...after, steps } : withoutSteps(after);
};

/** Apps affected by changes, by id: the app after them, and the index of the change that stores it, if any. */
type Touched = Map<string, { readonly record: AppRecord | undefined; readonly at: number | undefined }>;

/** @returns undefined if no app is stored or removed, and no changed app is deterministic. */
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
 * Counts a transaction for each affected deterministic app. A new or emptied app starts counting here.
 * @param world before the changes. @returns the decision with the updated counts; usually unchanged.
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

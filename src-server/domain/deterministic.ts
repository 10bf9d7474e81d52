/**
 * Deterministic apps (setting `deterministic.seed`): ids, codes and times are derived from the seed and the number of
 * transactions that have changed the app. See docs/deterministic.md.
 */
import type { AppRecord } from "#contract/records.ts";
import { type EpochMs, epochMs } from "#contract/scalars.ts";
import type { Change, Decision } from "./decision.ts";
import type { World } from "./world.ts";

/** The initial time of a deterministic app: 2026-01-01T00:00:00.000Z. */
export const FIRST_INSTANT: EpochMs = epochMs(Date.UTC(2026, 0, 1));

/** @returns the seed of an app as text (`42` and `"42"` are the same seed); undefined if it is not deterministic. */
export const seedOf = (app: Pick<AppRecord, "settings">): string | undefined => {
  const seed = app.settings.deterministic?.seed ?? undefined;
  return seed === undefined ? undefined : String(seed);
};

/** @returns whether the app is there and has a seed. */
export const isDeterministic = (app: Pick<AppRecord, "settings"> | undefined): boolean =>
  app !== undefined && seedOf(app) !== undefined;

/** @returns the app with its transaction count cleared. */
export const withoutSteps = ({ steps: _, ...app }: AppRecord): AppRecord => app;

/** @param after `before`, changed. @returns it with the transaction count, which continues for the same seed. */
export const withSteps = (before: AppRecord | undefined, after: AppRecord): AppRecord => {
  const { steps } = before ?? {};
  const goesOn = before !== undefined && seedOf(before) === seedOf(after);
  return goesOn && steps !== undefined ? { ...after, steps } : withoutSteps(after);
};

/** Counts a transaction for each affected deterministic app; a new or emptied one starts counting here. */
export const stepped = <T>(world: World, decision: Decision<T>): Decision<T> => {
  const { changes } = decision;
  if (changes === undefined || "restores" in decision) return decision;
  // Nearly always there is none.
  const concerns = (change: Change): boolean =>
    "put" in change && change.put === "app"
      ? isDeterministic(change.record)
      : change.appId !== null && isDeterministic(world.app(change.appId)?.app);
  if (!changes.some(concerns)) return decision;
  /** The affected apps after the changes, and the index of the change that stores one, if any. */
  const touched = new Map<string, { readonly record: AppRecord | undefined; readonly at?: number }>();
  for (const [at, change] of changes.entries()) {
    if ("put" in change && change.put === "app") touched.set(change.record.appId, { record: change.record, at });
    else if ("remove" in change && change.remove === "app") touched.set(change.appId, { record: undefined });
    else if (change.appId !== null && !touched.has(change.appId))
      touched.set(change.appId, { record: world.app(change.appId)?.app });
  }
  const counting = [...touched.values()].filter(({ record }) => isDeterministic(record));
  if (counting.length === 0) return decision;
  const all = [...changes];
  for (const { record, at = all.length } of counting)
    if (record !== undefined) all[at] = { put: "app", record: { ...record, steps: (record.steps ?? 0) + 1 } };
  return { ...decision, changes: all };
};

/**
 * Deterministic apps (setting `deterministic.seed`): ids, codes and times are derived from the seed and the number of
 * transactions that have changed the app. See docs/deterministic.md.
 */
import { type EpochMs, epochMs } from "#contract/scalars.ts";
import type { AppRecord } from "#contract/service/records.ts";

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

/** @returns an app with the transaction count of an earlier state; undefined if it counts none, or has that count. */
export const withStepsOf = (then: AppRecord | undefined, now: AppRecord): AppRecord | undefined => {
  const { steps } = then ?? {};
  if (!isDeterministic(now) || now.steps === steps) return undefined;
  return steps === undefined ? withoutSteps(now) : { ...withoutSteps(now), steps };
};

/** @returns the app after one more transaction; a new or emptied one starts counting here. */
export const stepped = (app: AppRecord): AppRecord => ({ ...app, steps: (app.steps ?? 0) + 1 });

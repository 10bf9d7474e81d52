import { useQueries, useQuery } from "@tanstack/react-query";
import type { ClockInput } from "#client/index.ts";
import { cache } from "./cache.ts";
import { emulator, ofApp } from "./emulator.ts";
import { appsQuery, clockQuery } from "./queries.ts";

/** Whose clocks are looked at where all apps are shown. */
export const MOST_APPS = 20;

/** @returns the clock of an app (all apps: null); null where the server has none to show. */
export const useClock = (appId: string | null) => {
  const common = useQuery(clockQuery(null)).data;
  // A server without a clock is asked once, not once for each app.
  const own = useQuery({ ...clockQuery(appId), enabled: Boolean(common) }).data;
  return own ?? common ?? null;
};

/**
 * Real time as the time that an app goes by (all apps: null); real time if its clock is not known. It asks the cache, which
 * `useOddClock` keeps current: rows ask by the dozen, and a query for each would cost more than all else that they do.
 */
export const serverTime = (appId: string | null, realMs: number): number => {
  const read = (id: string | null) => cache.getQueryData(clockQuery(id).queryKey);
  const clock = read(appId) ?? read(null);
  if (!clock) return realMs;
  return clock.frozenAt === null ? realMs + clock.aheadMs : Date.parse(clock.frozenAt);
};

/** Hears of every change of a clock. @returns how to stop. */
export const watchClocks = (listener: () => void): (() => void) =>
  cache.getQueryCache().subscribe(({ type, query }) => {
    if (type === "updated" && query.queryKey[0] === "clock") listener();
  });

/** One clock that does not show real time, and whose it is. */
export interface OddClock {
  readonly appId: string | null;
  readonly offsetSeconds: number;
  readonly frozenAt: string | null;
}

/** @returns the first of these clocks (of all apps: null) that is not set as another is. */
const useFirstUnlike = (
  appIds: readonly (string | null)[],
  other: Omit<OddClock, "appId"> | undefined | null,
): OddClock | null => {
  const clocks = useQueries({ queries: appIds.map((id) => clockQuery(id)) });
  const at = clocks.findIndex(
    ({ data }) => data && other && (data.frozenAt !== other.frozenAt || data.offsetSeconds !== other.offsetSeconds),
  );
  const found = clocks[at]?.data;
  return found ? { appId: appIds[at] ?? null, offsetSeconds: found.offsetSeconds, frozenAt: found.frozenAt } : null;
};

const REAL = { offsetSeconds: 0, frozenAt: null };
const useAppIds = (): readonly string[] =>
  (useQuery(appsQuery()).data?.items ?? []).slice(0, MOST_APPS).map(({ appId }) => appId);

/** @returns the clock that is not real, of an app; of all apps (null): theirs, else the first that one of them has of its own. */
export const useOddClock = (appId: string | null): OddClock | null => {
  const known = useClock(null) !== null;
  const appIds = useAppIds();
  return useFirstUnlike(known ? [appId, ...(appId === null ? appIds : [])] : [], REAL);
};

/** @returns the first clock that an app has of its own, other than that of all apps; null: none is known. */
export const useOwnClock = (): OddClock | null => {
  const common = useQuery(clockQuery(null)).data;
  const appIds = useAppIds();
  return useFirstUnlike(common ? appIds : [], common);
};

/** Sets a clock. @param appId null: of all apps; those that had a clock of their own then follow it. */
export const setClock = async (appId: string | null, setting: ClockInput): Promise<void> => {
  await emulator.clock.set(setting, ofApp(appId));
};

/** Moves a clock on by seconds, or back. @param appId null: of all apps; each clock moves from where it is. */
export const advanceClock = async (appId: string | null, seconds: number): Promise<void> => {
  await emulator.clock.advance(seconds, ofApp(appId));
};

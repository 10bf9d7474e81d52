import { useQueries, useQuery } from "@tanstack/react-query";
import type { Clock } from "#client/index.ts";
import { cache } from "./cache.ts";
import { appsQuery, clockQuery } from "./queries.ts";

/** Maximum number of apps whose clocks are read while all apps are shown. */
const MOST_APPS = 20;

/** @returns the clock of an app (all apps: null); null if the server has none. */
export const useClock = (appId: string | null) => {
  const common = useQuery(clockQuery(null)).data;
  // A server without clocks is asked once, not once per app.
  const own = useQuery({ ...clockQuery(appId), enabled: Boolean(common) }).data;
  return own ?? common ?? null;
};

/** Converts real time to an app's (all apps: null), if its clock is in the cache: a query for each row is expensive. */
export const serverTime = (appId: string | null, realMs: number): number => {
  const read = (id: string | null) => cache.getQueryData(clockQuery(id).queryKey);
  const clock = read(appId) ?? read(null);
  if (!clock) return realMs;
  return clock.frozenAt === null ? realMs + clock.aheadMs : Date.parse(clock.frozenAt);
};

/** Calls the listener on every change of a clock. @returns unsubscribe. */
export const watchClocks = (listener: () => void): (() => void) =>
  cache.getQueryCache().subscribe(({ type, query }) => {
    if (type === "updated" && query.queryKey[0] === "clock") listener();
  });

/** A clock that does not show real time, and its app. */
export interface OddClock extends Pick<Clock, "offsetSeconds" | "frozenAt"> {
  readonly appId: string | null;
}

/** @returns the first of these clocks (all apps: null) that differs from another one. */
const useFirstUnlike = (appIds: readonly (string | null)[], other: Omit<OddClock, "appId">): OddClock | null => {
  const clocks = useQueries({ queries: appIds.map((id) => clockQuery(id)) });
  const found = clocks.flatMap(({ data }, at) => (data ? [{ ...data, appId: appIds[at] ?? null }] : []));
  return found.find((own) => own.frozenAt !== other.frozenAt || own.offsetSeconds !== other.offsetSeconds) ?? null;
};

const REAL = { offsetSeconds: 0, frozenAt: null };
const useAppIds = (): readonly string[] =>
  (useQuery(appsQuery()).data?.items ?? []).slice(0, MOST_APPS).map(({ appId }) => appId);

/** @returns the clock of an app if it is not real; for all apps (null) the global one, or the first of an app's own. */
export const useOddClock = (appId: string | null): OddClock | null => {
  const known = useClock(null) !== null;
  const appIds = useAppIds();
  return useFirstUnlike(known ? [appId, ...(appId === null ? appIds : [])] : [], REAL);
};

/** @returns the first app clock that differs from the global one; null if none is known. */
export const useOwnClock = (): OddClock | null => {
  const common = useQuery(clockQuery(null)).data;
  const appIds = useAppIds();
  return useFirstUnlike(common ? appIds : [], common ?? REAL);
};

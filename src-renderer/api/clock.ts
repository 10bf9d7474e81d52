import { useQueries, useQuery } from "@tanstack/react-query";
import { routes } from "#contract/routes.ts";
import { ask } from "./client.ts";
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

/** @returns what turns this browser's time into the time that the app goes by (all apps: null); real time if unknown. */
export const useServerTime = (appId: string | null): ((realMs: number) => number) => {
  const clock = useClock(appId);
  if (clock === null) return (realMs) => realMs;
  if (clock.frozenAt !== null) {
    const standing = Date.parse(clock.frozenAt);
    return () => standing;
  }
  return (realMs) => realMs + clock.aheadMs;
};

/** One clock that does not show real time, and whose it is. */
export interface OddClock {
  /** Null: of all apps. */
  readonly appId: string | null;
  readonly offsetSeconds: number;
  readonly frozenAt: string | null;
}

/** @returns the clock that is not real, of an app; of all apps (null): theirs, else the first that one of them has of its own. */
export const useOddClock = (appId: string | null): OddClock | null => {
  const known = useClock(null) !== null;
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const looked = known ? [appId, ...(appId === null ? apps.slice(0, MOST_APPS).map((app) => app.appId) : [])] : [];
  const clocks = useQueries({ queries: looked.map((id) => clockQuery(id)) });
  const at = clocks.findIndex(({ data }) => data && (data.frozenAt !== null || data.offsetSeconds !== 0));
  const odd = clocks[at]?.data;
  return odd ? { appId: looked[at] ?? null, offsetSeconds: odd.offsetSeconds, frozenAt: odd.frozenAt } : null;
};

/** @returns the first clock that an app has of its own, other than that of all apps; null: none is known. */
export const useOwnClock = (): OddClock | null => {
  const common = useQuery(clockQuery(null)).data;
  const apps = useQuery(appsQuery()).data?.items.slice(0, MOST_APPS) ?? [];
  const clocks = useQueries({ queries: common ? apps.map(({ appId }) => clockQuery(appId)) : [] });
  const at = clocks.findIndex(
    ({ data }) => data && common && (data.frozenAt !== common.frozenAt || data.offsetSeconds !== common.offsetSeconds),
  );
  const own = clocks[at]?.data;
  const appId = apps[at]?.appId;
  return own && appId !== undefined ? { appId, offsetSeconds: own.offsetSeconds, frozenAt: own.frozenAt } : null;
};

/** What a clock is set to; nothing: real time. `frozenAt` is an ISO instant; absent or null, it runs. */
export interface ClockSetting {
  readonly offsetSeconds?: number;
  readonly frozenAt?: string | null;
}

const ofApp = (appId: string | null) => (appId === null ? {} : { appId });

/** Sets a clock. @param appId null: of all apps; those that had a clock of their own then follow it. */
export const setClock = async (appId: string | null, setting: ClockSetting): Promise<void> => {
  await ask(routes.setClock, { body: setting, query: ofApp(appId) });
};

/** Moves a clock on by seconds, or back. @param appId null: of all apps; each clock moves from where it is. */
export const advanceClock = async (appId: string | null, seconds: number): Promise<void> => {
  await ask(routes.advanceClock, { body: { seconds }, query: ofApp(appId) });
};

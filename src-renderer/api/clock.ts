import { useQuery } from "@tanstack/react-query";
import { clockQuery } from "./queries.ts";

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

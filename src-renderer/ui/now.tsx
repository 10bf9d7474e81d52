import { useInterval } from "@mantine/hooks";
import { useEffect } from "react";
import { create } from "zustand";
import { serverTime, useOddClock, watchClocks } from "../api/clock.ts";
import { useAddress } from "./address.ts";
import { agoWords, clockWords, exactWords } from "./words.ts";

const TICK_MS = 1_000;
const useTime = create<{ readonly nowMs: number }>(() => ({ nowMs: Date.now() }));
const tick = (): void => useTime.setState({ nowMs: Date.now() });

/** Lets time pass on the page: one timer for every countdown, so that they all step together, and by every clock at once. */
export const useTicks = (): void => {
  useOddClock(useAddress().address.app);
  useInterval(tick, TICK_MS, { autoInvoke: true });
  useEffect(() => watchClocks(tick), []);
};

const useRealNow = (): number => useTime().nowMs;

/** @returns the time of an app's clock (all apps: null) in ms since 1970, anew each second. */
export const useNow = (appId: string | null): number => serverTime(appId, useRealNow());

interface RelativeTimeProps {
  readonly instant: string;
  /** Of whose clock (all apps: null); absent: dated by real time, whatever the clocks show. */
  readonly appId?: string | null;
}

/** How long ago something was; the exact time on hover. */
export const RelativeTime = ({ instant, appId }: RelativeTimeProps) => {
  const realNow = useRealNow();
  return (
    <time dateTime={instant} title={`${exactWords(instant)} (${instant})`}>
      {agoWords((appId === undefined ? realNow : serverTime(appId, realNow)) - Date.parse(instant))}
    </time>
  );
};

/** The time of day of something, and all of it on hover. */
export const ClockTime = ({ at }: { readonly at: string }) => (
  <time className="mono small" dateTime={at} title={at}>
    {clockWords(at)}
  </time>
);

/** The day and time of something. */
export const ExactTime = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={at}>
    {exactWords(at)}
  </time>
);

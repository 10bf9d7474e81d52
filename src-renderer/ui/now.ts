import { useInterval } from "@mantine/hooks";
import { useEffect } from "react";
import { create } from "zustand";
import { serverTime, useOddClock, watchClocks } from "../api/clock.ts";
import { useAddress } from "./address.ts";

const TICK_MS = 1_000;
const useTime = create<{ readonly nowMs: number }>(() => ({ nowMs: Date.now() }));
const tick = (): void => useTime.setState({ nowMs: Date.now() });

/** Lets time pass on the page: one timer for every countdown, so that they all step together, and by every clock at once. */
export const useTicks = (): void => {
  useOddClock(useAddress().address.app);
  useInterval(tick, TICK_MS, { autoInvoke: true });
  useEffect(() => watchClocks(tick), []);
};

/** @returns real time in ms since 1970, anew each second. */
export const useRealNow = (): number => useTime().nowMs;

/** @returns the time of an app's clock (all apps: null) in ms since 1970, anew each second. */
export const useNow = (appId: string | null): number => serverTime(appId, useRealNow());

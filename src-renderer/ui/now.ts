import { useSyncExternalStore } from "react";
import { useServerTime } from "../api/clock.ts";

const TICK_MS = 1_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

const tick = (): void => {
  now = Date.now();
  for (const listener of listeners) listener();
};

// One timer for every countdown on the page, so that they all step together.
const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
};

/** @returns real time in ms since 1970, anew each second. */
export const useRealNow = (): number => useSyncExternalStore(subscribe, () => now);

/** @returns the time of an app's clock (all apps: null) in ms since 1970, anew each second. */
export const useNow = (appId: string | null): number => {
  const real = useRealNow();
  return useServerTime(appId)(real);
};

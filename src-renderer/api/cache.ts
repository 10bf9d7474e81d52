/**
 * The cache of what the screens read. Nothing goes stale by age: events keep it current (live.ts).
 */
import { onlineManager, QueryClient } from "@tanstack/react-query";

/**
 * The cache. While the server is out of reach queries wait, and what was read stays on the screen; actions fail at once,
 * rather than happen minutes later.
 */
export const cache = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: "always" },
  },
});

// The server is on this machine or near: whether the browser has "internet" says nothing about it.
onlineManager.setEventListener(() => undefined);

/** Reads again what a screen shows of these queries, from the beginning of their keys; the rest when it is next shown. */
export const readAgain = (...keys: readonly string[]): Promise<unknown> =>
  Promise.all(keys.map((key) => cache.invalidateQueries({ queryKey: [key] })));

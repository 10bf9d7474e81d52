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

/**
 * Reads again what a screen shows of the queries whose keys begin so. A reading under way is let go and asked anew, but for
 * the very first of a query, which the cache keeps: that one is asked anew once it is through.
 */
export const readKey = async (queryKey: readonly (string | null)[]): Promise<void> => {
  const first = cache
    .getQueryCache()
    .findAll({ queryKey })
    .filter(({ state }) => state.data === undefined && state.fetchStatus === "fetching");
  await Promise.allSettled([
    cache.invalidateQueries({ queryKey }),
    ...first.map(async (query) => {
      await Promise.allSettled([query.promise]);
      await cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }),
  ]);
};

/** A pause is at least so many times as long as the reading before it: what takes long is read less often. */
const PAUSE_PER_READ = 3;

/** @returns what reads queries again by their first keys: at once, then no sooner than after a pause. */
export const lane = (leastPauseMs: number): ((keys: Iterable<string>) => Promise<void>) => {
  const waiting = new Set<string>();
  let busy = false;
  return async (keys) => {
    for (const key of keys) waiting.add(key);
    if (busy) return;
    busy = true;
    while (waiting.size > 0) {
      const now = [...waiting];
      waiting.clear();
      const began = performance.now();
      await Promise.all(now.map((key) => readKey([key])));
      const pauseMs = Math.max(leastPauseMs, PAUSE_PER_READ * (performance.now() - began));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    busy = false;
  };
};

/** The query cache of the screens. Nothing becomes stale with age: events keep it up to date (live.ts). */
import { onlineManager, type Query, QueryClient } from "@tanstack/react-query";

/** The cache. While the server is unreachable, queries wait; actions fail, instead of running minutes later. */
export const cache: QueryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false },
    mutations: { retry: false, networkMode: "always" },
  },
});

// Also those that only an event has brought: at 25 sign-ups a second they would fill the memory.
cache.setQueryDefaults(["profile"], { gcTime: 60_000 });

// The server is local or nearby, so the browser's online status says nothing about it.
onlineManager.setEventListener(() => undefined);

/** Reloads the visible queries whose key starts with one of these; hidden ones reload when they are shown next. */
export const readAgain = (...keys: readonly string[]): Promise<unknown> =>
  Promise.all(keys.map((key) => cache.invalidateQueries({ queryKey: [key] })));

/** Reloads the visible queries with this key prefix, again after a first fetch, which the cache does not cancel. */
export const readKey = async (queryKey: readonly (string | null)[]): Promise<void> => {
  const isFirst = ({ state }: Query): boolean => state.data === undefined;
  const first = cache.getQueryCache().findAll({ queryKey, fetchStatus: "fetching", predicate: isFirst });
  await Promise.allSettled([
    cache.invalidateQueries({ queryKey }),
    ...first.map(async (query) => {
      await Promise.allSettled([query.promise]);
      await cache.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }),
  ]);
};

/** A pause is at least this many times as long as the fetch before it, so that slow queries run less often. */
const PAUSE_PER_READ = 3;

/** @returns a function that reloads queries by their first key: immediately, then at most once per pause. */
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

/** Requests that wait until a look-up in the store succeeds: by app, so that many of them hardly slow those of others. */
import type { IncomingMessage } from "node:http";
import type { Change } from "#domain/decision.ts";
import type { Listeners } from "#domain/listeners.ts";
import type { Committed, Store } from "#domain/store.ts";

/** Memory of a waiting request with its connection, in bytes. */
const WAIT = 24 * 1_024;

/** Above so many of all apps together, one that has more than its part of them must not add more: connections are few. */
const MANY = 750;

/** What a request waits for. */
export interface WaitOrder<T> {
  /** Called at once, and after each relevant transaction. */
  readonly look: () => T | undefined;
  /** The only app whose changes can matter; undefined: any. */
  readonly appId: string | undefined;
  readonly concerns: (change: Change) => boolean;
}

type Waiter = (changes: readonly Committed[]) => void;

/** @param mostOfApp how many may wait with the token that is bound to an app. */
export const createWaits = (
  store: Pick<Store, "subscribe" | "shares">,
  listeners: Pick<Listeners, "call">,
  mostOfApp: number,
) => {
  /** By app; undefined: of any. */
  const waiting = new Map<string | undefined, Set<Waiter>>();
  /** How many wait with the token that is bound to an app, and in all. */
  const counts = new Map<string, number>();
  let all = 0;

  const isFull = (appId: string): boolean => {
    const own = counts.get(appId) ?? 0;
    return own >= mostOfApp || (all >= MANY && own >= MANY / counts.size);
  };

  const add = (appId: string | undefined, more: number): void => {
    if (appId === undefined) return;
    const count = (counts.get(appId) ?? 0) + more;
    all += more;
    if (count > 0) counts.set(appId, count);
    else counts.delete(appId);
  };

  const leave = (appId: string | undefined, waiter: Waiter): void => {
    const others = waiting.get(appId);
    others?.delete(waiter);
    if (others?.size === 0) waiting.delete(appId);
  };

  store.subscribe((changes) => {
    if (waiting.size === 0) return;
    const apps = new Set<string | undefined>([undefined]);
    let isOfAll = false;
    for (const { change } of changes) {
      const appId = "put" in change && change.put === "app" ? change.record.appId : change.appId;
      if (appId === null) isOfAll = true;
      else apps.add(appId);
    }
    for (const appId of isOfAll ? waiting.keys() : apps)
      for (const waiter of waiting.get(appId) ?? []) listeners.call("A wait", () => waiter(changes));
  });
  store.shares.counts("waits", (appId) => (counts.get(appId) ?? 0) * WAIT);

  return {
    /** @param waitMs 0: do not wait. @returns what was found; undefined after a timeout; `"full"` if too many wait. */
    for: <T>(
      { look, appId, concerns }: WaitOrder<T>,
      waitMs: number,
      req: IncomingMessage,
      boundTo: string | undefined,
    ): Promise<T | "full" | undefined> => {
      const found = look();
      if (found !== undefined || waitMs === 0) return Promise.resolve(found);
      if (boundTo !== undefined && isFull(boundTo)) return Promise.resolve("full");
      add(boundTo, 1);
      return new Promise((resolve) => {
        const end = (result: T | undefined): void => {
          clearTimeout(timer);
          leave(appId, waiter);
          add(boundTo, -1);
          req.socket.off("close", gone);
          resolve(result);
        };
        const gone = (): void => end(undefined);
        const timer = setTimeout(gone, waitMs);
        const waiter: Waiter = (changes) => {
          const now = changes.some(({ change }) => concerns(change)) ? look() : undefined;
          if (now !== undefined) end(now);
        };
        waiting.set(appId, (waiting.get(appId) ?? new Set()).add(waiter));
        req.socket.once("close", gone);
      });
    },
  };
};
/** @see createWaits */
export type Waits = ReturnType<typeof createWaits>;

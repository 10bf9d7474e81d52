/** Waits until the store has what somebody looks for. */
import type { IncomingMessage } from "node:http";
import type { Change } from "#domain/decision.ts";
import type { Store } from "#domain/store.ts";

/**
 * @param look asked at once, and again after each transaction that concerns it. @param concerns asked of each change, so
 * that many who wait cost a request of others next to nothing. @param waitMs real milliseconds; 0: only at once.
 * @param req whose end ends the waiting.
 * @returns what was found, or undefined when the time is over or the client went away.
 */
export const waitFor = <T>(
  store: Store,
  look: () => T | undefined,
  concerns: (change: Change) => boolean,
  waitMs: number,
  req: IncomingMessage,
): Promise<T | undefined> => {
  const found = look();
  if (found !== undefined || waitMs === 0) return Promise.resolve(found);
  return new Promise((resolve) => {
    const end = (result: T | undefined): void => {
      clearTimeout(timer);
      stop();
      req.socket.off("close", gone);
      resolve(result);
    };
    const gone = (): void => end(undefined);
    const timer = setTimeout(gone, waitMs);
    const stop = store.subscribe((changes) => {
      if (!changes.some(({ change }) => concerns(change))) return;
      const now = look();
      if (now !== undefined) end(now);
    });
    req.socket.once("close", gone);
  });
};

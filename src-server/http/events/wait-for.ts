/** Waits until a look-up in the store succeeds. */
import type { IncomingMessage } from "node:http";
import type { Change } from "#domain/decision.ts";
import type { Store } from "#domain/store.ts";

/**
 * @param look called immediately, and after each relevant transaction. @param concerns whether a change is relevant;
 * cheap, so that many waiters hardly slow other requests. @param waitMs real milliseconds; 0: do not wait.
 * @param req its end stops the wait.
 * @returns what was found; undefined after a timeout or if the client disconnected.
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

/** An app of a bound token, or of a show, takes its rows of the request log with it (CONTRACT 13, 25): gone with all its data. */
import type { Store } from "#domain/store.ts";
import type { RequestLog } from "./traffic/request-log.ts";

/**
 * From now on, forgets the rows of each joined or hidden app that is deleted, in whatever way, or replaced by another of its name.
 * Those of other apps stay: their tests want to read them.
 */
export const forgetRowsOfJoined = (
  store: Pick<Store, "world" | "watch">,
  log: Pick<RequestLog, "forget" | "keeper">,
): void => {
  const joined = new Map<string, number>();
  const follow = (appId: string): void => {
    const before = joined.get(appId);
    const app = store.world.app(appId)?.app;
    const now = app?.joined ?? (app?.hidden && 0);
    if (before === now) return;
    if (now === undefined) joined.delete(appId);
    else joined.set(appId, now);
    if (before !== undefined && log.forget(appId) > 0) void log.keeper?.rewrite();
  };
  for (const { app } of store.world.apps) follow(app.appId);
  store.watch((changes) => {
    for (const { change } of changes)
      if ("remove" in change) {
        if (change.remove === "app") follow(change.appId);
      } else if (change.put === "app") follow(change.record.appId);
  }, true);
};

/** An app of a bound token takes its rows of the request log with it (CONTRACT 13): gone with all its data. */
import type { AppRecord } from "#contract/records.ts";
import type { Store } from "#domain/store.ts";
import type { RequestLog } from "./traffic/request-log.ts";

/**
 * From now on, forgets the rows of each joined app that is deleted, in whatever way, or replaced by another of its name.
 * Those of other apps stay: their tests want to read them.
 */
export const forgetRowsOfJoined = (
  store: Pick<Store, "world" | "watch">,
  log: Pick<RequestLog, "forget" | "keeper">,
): void => {
  const joined = new Map<string, AppRecord["joined"]>();
  const follow = (appId: string): void => {
    const before = joined.get(appId);
    const now = store.world.app(appId)?.app.joined;
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

/** Rows of the request log that go with their app: when it ends, or when another one takes its id. */
import type { AppRecord } from "#contract/service/records.ts";
import type { Store } from "#domain/store.ts";
import type { RequestLog } from "./traffic/request-log.ts";

/** So many apps that were deleted are remembered; the rows of those before them are long dropped. */
const MOST_GONE = 1_000;

/**
 * From now on, forgets the rows of each app with a mark that is deleted, in whatever way, or replaced by one with another
 * mark. Those of apps without stay: their tests want to read them.
 * @param markOf what stays the same as long as an app is the same; undefined: its rows stay.
 */
export const forgetRowsOf = (
  { store, log }: { readonly store: Pick<Store, "world" | "watch">; readonly log: Pick<RequestLog, "forget"> },
  markOf: (app: AppRecord) => number | undefined,
): void => {
  const marks = new Map<string, number>();
  const follow = (appId: string): void => {
    const before = marks.get(appId);
    const app = store.world.app(appId)?.app;
    const now = app && markOf(app);
    if (before === now) return;
    if (now === undefined) marks.delete(appId);
    else marks.set(appId, now);
    if (before !== undefined) log.forget(appId);
  };
  for (const { app } of store.world.apps) follow(app.appId);
  store.watch((changes) => {
    for (const { change } of changes)
      if ("remove" in change) {
        if (change.remove === "app") follow(change.appId);
      } else if (change.put === "app") follow(change.record.appId);
  }, true);
};

/** From now on, an app that is made under the id of a deleted one does not have its rows. A deletion undone keeps them. */
export const forgetRowsOfNamesakes = ({
  store,
  log,
}: {
  readonly store: Pick<Store, "world" | "watch">;
  readonly log: Pick<RequestLog, "forget">;
}): void => {
  const known = new Map<string, AppRecord>(store.world.apps.map(({ app }) => [app.appId, app]));
  const gone = new Map<string, AppRecord>();
  const removed = (appId: string): void => {
    const before = known.get(appId);
    if (before === undefined || store.world.app(appId) !== undefined) return;
    // The rows of one of the join token, or of a show, have gone with it.
    if (before.joined === undefined && before.hidden === undefined) gone.set(appId, before);
    else known.delete(appId);
    const [oldest = ""] = gone.keys();
    if (gone.size > MOST_GONE) gone.delete(oldest);
  };
  const stored = (record: AppRecord): void => {
    const before = gone.get(record.appId);
    known.set(record.appId, record);
    gone.delete(record.appId);
    if (before !== undefined && before !== record) log.forget(record.appId);
  };
  store.watch((changes) => {
    for (const { change } of changes)
      if ("remove" in change) {
        if (change.remove === "app") removed(change.appId);
      } else if (change.put === "app") stored(change.record);
    for (const appId of gone.keys()) known.delete(appId);
  }, true);
};

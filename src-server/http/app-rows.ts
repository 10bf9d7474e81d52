/** Rows of the request log that go with their app: when it ends, or when another one takes its id. */
import { Recent } from "#contract/recent.ts";
import type { AppRecord } from "#contract/service/records.ts";
import type { Store } from "#domain/store.ts";
import type { RequestLog } from "./traffic/request-log.ts";

/** So many apps that were deleted are remembered; the rows of those before them are long dropped. */
const MOST_GONE = 1_000;

/** @returns whether the rows go with the app: it is of a show, or of the join token. Tests want to read those of others. */
const isPrivate = ({ hidden, joined }: AppRecord): boolean => hidden === true || joined !== undefined;

/**
 * From now on, forgets the rows of private apps that are deleted or replaced in whatever way, and of the others once
 * another app is made under their id. A deletion undone keeps them.
 */
export const forgetRows = (store: Pick<Store, "world" | "watch">, log: Pick<RequestLog, "forget">): void => {
  const known = new Map<string, AppRecord>(store.world.apps.map(({ app }) => [app.appId, app]));
  /** Those deleted whose rows stay. */
  const gone = new Recent<string, AppRecord>(MOST_GONE);
  const removed = (appId: string): void => {
    const before = known.get(appId);
    if (before === undefined || store.world.app(appId) !== undefined) return;
    known.delete(appId);
    if (isPrivate(before)) log.forget(appId);
    else gone.set(appId, before);
  };
  const stored = (record: AppRecord): void => {
    const { appId } = record;
    const [before, last] = [known.get(appId), gone.get(appId)];
    known.set(appId, record);
    gone.delete(appId);
    const isOther = before && isPrivate(before) && (before.joined !== record.joined || before.hidden !== record.hidden);
    if (isOther === true || (last !== undefined && last !== record)) log.forget(appId);
  };
  store.watch((changes) => {
    for (const { change } of changes)
      if ("remove" in change) {
        if (change.remove === "app") removed(change.appId);
      } else if (change.put === "app") stored(change.record);
  });
};

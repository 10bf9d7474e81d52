/**
 * What has changed since a snapshot, as the control API shows it: in slices, so that others are answered meanwhile.
 */
import type { AppRecord } from "#contract/records.ts";
import type { SnapshotDiff } from "#contract/snapshots.ts";
import { connectionItem } from "#domain/connections.ts";
import type { Env } from "#domain/env.ts";
import { passcodeItem } from "#domain/passcodes.ts";
import { profileItem } from "#domain/profiles.ts";
import type { AnyDifference } from "#domain/restore.ts";
import { sessionItem } from "#domain/sessions.ts";
import { forEachInSlices } from "./slices.ts";

const emptyLists = () => ({ apps: [], profiles: [], passcodes: [], sessions: [], connections: [] });

/** An import numbers records anew: that alone is no change. */
const saysTheSame = (before: object, after: object): boolean =>
  JSON.stringify({ ...before, seq: 0 }) === JSON.stringify({ ...after, seq: 0 });

const appShown = ({ appId, name, secret, strategy, settings, createdAt }: AppRecord) => ({
  appId,
  name,
  secret,
  strategy,
  settings,
  createdAt,
});

/** @param limit most entries of each list. */
export const showDiff = async (
  found: Iterable<AnyDifference>,
  limit: number,
  env: Pick<Env, "now">,
): Promise<SnapshotDiff> => {
  const diff: SnapshotDiff = {
    counts: { added: 0, removed: 0, changed: 0 },
    added: emptyLists(),
    removed: emptyLists(),
    changed: emptyLists(),
  };
  const add = <R extends object, I>(
    lists: readonly [added: I[], removed: I[], changed: { before: I; after: I }[]],
    before: R | undefined,
    after: R | undefined,
    item: (record: R) => I,
  ): void => {
    if (before === after) return;
    const [added, removed, changed] = lists;
    if (before === undefined) {
      if (after === undefined) return;
      diff.counts.added++;
      if (added.length < limit) added.push(item(after));
    } else if (after === undefined) {
      diff.counts.removed++;
      if (removed.length < limit) removed.push(item(before));
    } else if (!saysTheSame(before, after)) {
      diff.counts.changed++;
      if (changed.length < limit) changed.push({ before: item(before), after: item(after) });
    }
  };
  const { added, removed, changed } = diff;
  await forEachInSlices(found, (one) => {
    const { appId } = one;
    switch (one.noun) {
      case "apps":
        return add([added.apps, removed.apps, changed.apps], one.before, one.after, appShown);
      case "profiles":
        return add([added.profiles, removed.profiles, changed.profiles], one.before, one.after, (record) =>
          profileItem(appId, record),
        );
      case "passcodes":
        return add([added.passcodes, removed.passcodes, changed.passcodes], one.before, one.after, (record) =>
          passcodeItem(appId, record, env.now(appId)),
        );
      case "sessions":
        return add([added.sessions, removed.sessions, changed.sessions], one.before, one.after, (record) =>
          sessionItem(appId, record, env.now(appId)),
        );
      case "connections":
        return add([added.connections, removed.connections, changed.connections], one.before, one.after, (record) =>
          connectionItem(appId, record),
        );
    }
  });
  return diff;
};

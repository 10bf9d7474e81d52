/** The changes since a snapshot in the form of the control API, computed in slices without blocking requests. */
import type { QueryOf } from "#contract/control/routes.ts";
import { appFields } from "#domain/apps.ts";
import { clockShown } from "#domain/clock.ts";
import { connectionItem } from "#domain/connections.ts";
import { differences, sameRecord } from "#domain/history/differences.ts";
import { passcodeItem } from "#domain/passcodes.ts";
import { profileItem } from "#domain/profiles.ts";
import { sessionItem } from "#domain/sessions.ts";
import type { Env, WorldData } from "#domain/world.ts";
import { forEachInSlices } from "#http/answering/slices.ts";
import type { SnapshotDiff } from "./contract/snapshot-diff.ts";

type Noun = keyof SnapshotDiff["added"];
type Item = { readonly [N in Noun]: SnapshotDiff["added"][N][number] };
type Lists = { readonly [N in Noun]: Item[N][] };
type Pairs = { readonly [N in Noun]: { before: Item[N]; after: Item[N] }[] };

const noLists = () => ({ apps: [], profiles: [], passcodes: [], sessions: [], connections: [] });

/** @param isOfAll whether the moments cover all apps. @param monotonic milliseconds on a monotonic clock. */
export const showDiff = async (
  [before, after]: readonly [WorldData, WorldData],
  isOfAll: boolean,
  { page, limit }: Pick<QueryOf<"diffSnapshot">, "page" | "limit">,
  { now }: Pick<Env, "now">,
  monotonic: () => number,
): Promise<SnapshotDiff> => {
  const counts = { added: 0, removed: 0, changed: 0 };
  const diff: SnapshotDiff = { counts, added: noLists(), removed: noLists(), changed: { ...noLists(), clocks: [] } };
  /** The full length of each list. */
  const found = new Map<object, number>();
  const put = <E>(kind: keyof typeof counts, list: E[], entry: () => E): void => {
    counts[kind]++;
    const place = found.get(list) ?? 0;
    found.set(list, place + 1);
    if (place >= (page - 1) * limit && place < page * limit) list.push(entry());
  };
  const added: Lists = diff.added;
  const removed: Lists = diff.removed;
  const changed: Pairs = diff.changed;
  const compare = <N extends Noun, R extends object>(
    {
      noun,
      before: was,
      after: is,
    }: { readonly noun: N; readonly before: R | undefined; readonly after: R | undefined },
    item: (record: R) => Item[N],
  ): void => {
    if (was === undefined) {
      if (is !== undefined) put("added", added[noun], () => item(is));
    } else if (is === undefined) put("removed", removed[noun], () => item(was));
    else if (!sameRecord(was, is, "seq", "steps"))
      put("changed", changed[noun], () => ({ before: item(was), after: item(is) }));
  };
  await forEachInSlices(differences(before, after, isOfAll), monotonic, (one) => {
    switch (one?.noun) {
      case "apps":
        return compare(one, appFields);
      case "profiles":
        return compare(one, (record) => profileItem(one.appId, record));
      case "passcodes":
        return compare(one, (record) => passcodeItem(one.appId, record, undefined, now(one.appId)));
      case "sessions":
        return compare(one, (record) => sessionItem(one.appId, record, now(one.appId)));
      case "connections":
        return compare(one, (record) => connectionItem(one.appId, record));
      case "clocks":
        if (!sameRecord(one.before, one.after))
          put("changed", diff.changed.clocks, () => ({
            appId: one.appId,
            before: clockShown(one.before),
            after: clockShown(one.after),
          }));
    }
  });
  return diff;
};

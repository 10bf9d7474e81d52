/** The changes since a snapshot in the form of the control API, computed in slices without blocking requests. */
import type { AppRecord, ClockRecord } from "#contract/records.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import type { SnapshotDiff } from "#contract/snapshots.ts";
import { connectionItem } from "#domain/connections.ts";
import { differences, sameRecord } from "#domain/history/differences.ts";
import type { Moment } from "#domain/history/moment.ts";
import { passcodeItem } from "#domain/passcodes.ts";
import { profileItem } from "#domain/profiles.ts";
import { sessionItem } from "#domain/sessions.ts";
import type { Env } from "#domain/world.ts";
import { forEachInSlices } from "./slices.ts";

type Changed = SnapshotDiff["changed"];

const appShown = ({ appId, name, secret, strategy, settings, createdAt }: AppRecord): Changed["apps"][0]["before"] => ({
  appId,
  name,
  secret,
  strategy,
  settings,
  createdAt,
});

const clockShown = (clock: ClockRecord | null): Changed["clocks"][0]["before"] =>
  clock === null
    ? null
    : {
        offsetSeconds: clock.offsetMs / 1000,
        frozenAt: clock.frozenAtMs === null ? null : isoInstant(epochMs(clock.frozenAtMs)),
      };

/** Which part of each list to show. */
export interface DiffWindow {
  /** From 1. */
  readonly page: number;
  /** Maximum number of entries in each list. */
  readonly limit: number;
}

const noLists = () => ({ apps: [], profiles: [], passcodes: [], sessions: [], connections: [] });

/** @param isOfAll whether the moments cover all apps. @param monotonic as in Deps. */
export const showDiff = async (
  [before, after]: readonly [Moment, Moment],
  isOfAll: boolean,
  { page, limit }: DiffWindow,
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
  const compare = <R extends object, I>(
    { before: was, after: is }: { readonly before: R | undefined; readonly after: R | undefined },
    noun: { readonly added: I[]; readonly removed: I[]; readonly changed: { before: I; after: I }[] },
    item: (record: R) => I,
  ): void => {
    if (was === undefined) {
      if (is !== undefined) put("added", noun.added, () => item(is));
    } else if (is === undefined) put("removed", noun.removed, () => item(was));
    else if (!sameRecord(was, is, "seq", "steps"))
      put("changed", noun.changed, () => ({ before: item(was), after: item(is) }));
  };
  const listsOf = <N extends keyof SnapshotDiff["added"]>(noun: N) => ({
    added: diff.added[noun],
    removed: diff.removed[noun],
    changed: diff.changed[noun],
  });
  await forEachInSlices(differences(before, after, isOfAll), monotonic, (one) => {
    switch (one?.noun) {
      case "apps":
        return compare(one, listsOf("apps"), appShown);
      case "profiles":
        return compare(one, listsOf("profiles"), (record) => profileItem(one.appId, record));
      case "passcodes":
        return compare(one, listsOf("passcodes"), (record) =>
          passcodeItem(one.appId, record, undefined, now(one.appId)),
        );
      case "sessions":
        return compare(one, listsOf("sessions"), (record) => sessionItem(one.appId, record, now(one.appId)));
      case "connections":
        return compare(one, listsOf("connections"), (record) => connectionItem(one.appId, record));
      case "clocks": {
        const [was, is] = [clockShown(one.before), clockShown(one.after)];
        if (!sameRecord(one.before, one.after))
          put("changed", diff.changed.clocks, () => ({ appId: one.appId, before: was, after: is }));
      }
    }
  });
  return diff;
};

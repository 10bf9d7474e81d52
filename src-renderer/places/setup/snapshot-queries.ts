import type { List, Snapshot } from "#client/index.ts";
import { ofApp } from "../../api/emulator.ts";
import { query } from "../../api/queries.ts";

/** Identifies a snapshot and its scope: for an app its own or, limited to the app, a global one; null: all apps. */
interface SnapshotRef {
  readonly name: string;
  readonly appId: string | null;
}

/** Maximum number of apps whose snapshots are listed while all apps are shown. */
const MOST_APPS = 50;

/** The snapshots of all apps together, and of each of these apps, newest first. */
export const snapshotsQuery = (appIds: readonly string[]) =>
  query(["snapshots", appIds], async ({ snapshots }) => {
    const scopes = [null, ...appIds.slice(0, MOST_APPS)];
    const lists: List<Snapshot>[] = await Promise.all(scopes.map((appId) => snapshots.list(ofApp(appId))));
    const all = lists.flatMap(({ items }) => items);
    return all.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.seq - a.seq);
  });

/**
 * The scope in which a snapshot is shown and restored. While one app (null: all) is shown, a snapshot of all apps applies
 * to that app alone, unless the app has its own one of that name, which the server prefers.
 */
export const restoreTargetOf = (snapshot: Snapshot, shown: string | null, all: readonly Snapshot[]): SnapshotRef => {
  const { name, appId } = snapshot;
  const hidden = all.some((one) => one.name === name && one.appId === shown);
  return { name, appId: appId ?? (hidden ? null : shown) };
};

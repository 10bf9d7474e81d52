import type { List, Snapshot } from "#client/index.ts";
import { ofApp } from "../../api/emulator.ts";
import { query } from "../../api/queries.ts";

/** Identifies a snapshot and its scope: for an app its own or, limited to the app, a global one; null: all apps. */
export interface SnapshotRef {
  readonly name: string;
  readonly appId: string | null;
}

/** Maximum number of apps whose snapshots are listed while all apps are shown. */
const MOST_APPS = 50;
/** Entries in each list of a diff; the server's maximum. */
export const DIFF_LIMIT = 1_000;

/** The snapshots of all apps together, and of each of these apps, newest first. */
export const snapshotsQuery = (appIds: readonly string[]) =>
  query(["snapshots", appIds], async ({ snapshots }) => {
    const scopes = [null, ...appIds.slice(0, MOST_APPS)];
    const lists: List<Snapshot>[] = await Promise.all(scopes.map((appId) => snapshots.list(ofApp(appId))));
    const all = lists.flatMap(({ items }) => items);
    return all.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.seq - a.seq);
  });

/** The changes since a snapshot. @param limit entries in each list; 0: only counts. */
export const diffQuery = ({ name, appId }: SnapshotRef, limit: number) =>
  query(["snapshot-diff", appId, name, limit], ({ snapshots }) => snapshots.diff(name, { ...ofApp(appId), limit }), {
    gcTime: 10_000,
  });

/**
 * Named snapshots: what the screens read of them, and what the console does to them.
 */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { routes } from "#contract/routes.ts";
import type { snapshotDiff, snapshotItem } from "#contract/snapshots.ts";
import { ask, tell } from "./client.ts";

/** A snapshot. */
export type Snapshot = z.output<typeof snapshotItem>;
/** What has changed since a snapshot. */
export type SnapshotDiff = z.output<typeof snapshotDiff>;
/** Which snapshot, and for whom: of an app (its own, else that of all, for it alone), or of all (null). */
export interface SnapshotRef {
  readonly name: string;
  readonly appId: string | null;
}

/** Whose snapshots are looked for where all apps are shown. */
const MOST_APPS = 50;
/** Entries of each list of a diff; the server gives no more. */
export const DIFF_LIMIT = 1_000;

const call = ({ name, appId }: SnapshotRef) => ({ params: { name }, query: appId === null ? {} : { appId } });

/** The snapshots of all apps together and of each of these, newest first. */
export const snapshotsQuery = (appIds: readonly string[]) =>
  queryOptions({
    queryKey: ["snapshots", appIds],
    queryFn: async ({ signal }): Promise<Snapshot[]> => {
      const scopes = [{}, ...appIds.slice(0, MOST_APPS).map((appId) => ({ appId }))];
      const lists = await Promise.all(scopes.map((query) => ask(routes.listSnapshots, { signal, query })));
      const all = lists.flatMap(({ items }) => items);
      return all.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.seq - a.seq);
    },
  });

/** What has changed since a snapshot. @param limit entries of each list; 0: counts alone. */
export const diffQuery = (ref: SnapshotRef, limit: number) =>
  queryOptions({
    queryKey: ["snapshot-diff", ref.appId, ref.name, limit],
    queryFn: ({ signal }): Promise<SnapshotDiff> => {
      const { params, query } = call(ref);
      return ask(routes.diffSnapshot, { signal, params, query: { ...query, limit: String(limit) } });
    },
    gcTime: 10_000,
  });

/** Reads again what is shown of snapshots, after one was saved, restored or deleted. */
export const refetchSnapshots = async (client: QueryClient): Promise<void> => {
  await Promise.all(["snapshots", "snapshot-diff"].map((key) => client.invalidateQueries({ queryKey: [key] })));
};

/** Saves this moment; an older snapshot of that name gives way. */
export const saveSnapshot = (ref: SnapshotRef): Promise<Snapshot> => ask(routes.saveSnapshot, call(ref));

/** Goes back to a snapshot. @returns how many changes that took. */
export const restoreSnapshot = async (ref: SnapshotRef): Promise<number> =>
  (await ask(routes.restoreSnapshot, call(ref))).changes;

/** Forgets a snapshot. */
export const removeSnapshot = (ref: SnapshotRef): Promise<void> => tell(routes.removeSnapshot, call(ref));

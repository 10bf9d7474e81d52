/** Helpers for stored snapshots: content to save, and the resulting files. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, vi } from "vitest";
import type { SnapshotItem } from "#contract/control/snapshots.ts";
import { Changes } from "#domain/decision.ts";
import type { Store } from "#domain/store.ts";
import type { World } from "#domain/world.ts";
import type { FileSystem } from "#store/disk/files.ts";
import { hastyFiles } from "#test/store/faulty-files.ts";
import { APP, AT, contents, profile, uuid } from "#test/store/records.ts";

/** Adds profiles number `from` to `to - 1`; the texts make them large. */
export const putMany =
  (from: number, to: number, more: object = {}) =>
  (world: World) => {
    const changes = new Changes(world);
    for (let n = from; n < to; n += 1) {
      const before = world.app(APP)?.find("profiles", uuid(n));
      changes.put("profiles", APP, { ...(before ?? profile(changes.seq, n, { phone: `+1${2e9 + n}` })), ...more });
    }
    return changes.decided(null);
  };

/** Removes an app with everything in it. */
export const removeApp = (appId: string) => (world: World) => {
  const changes = new Changes(world);
  changes.removeApp(appId);
  return changes.decided(null);
};

/** @returns the state without its number. */
export const apps = (store: Pick<Store, "world">): unknown => (contents(store.world) as { apps: unknown }).apps;
/** Saves a snapshot of one app, or of all (null). */
export const save = (store: Store, name: string, appId: string | null = null) => store.snapshots.save(name, appId, AT);
/** @returns the snapshot directory of a store. */
export const folderOf = (store: Store): string => path.join(store.dataDir ?? "", "snapshots");
/** @returns the sorted names in a directory. */
export const filesIn = (folder: string): string[] => readdirSync(folder).sort();

/** Other processes may be busy on the same machine. */
export const PATIENCE = { timeout: 30_000, interval: 5 };

/** Waits until every snapshot has its file. @returns the snapshots. */
export const untilStored = (store: Store, appId: string | null = null): Promise<readonly SnapshotItem[]> =>
  vi.waitFor(() => {
    const list = store.snapshots.list(appId);
    expect(list.filter(({ stored }) => !stored)).toEqual([]);
    return list;
  }, PATIENCE);

/** @returns a file system whose later writes wait between `hold` and `letGo`. */
export const waiting = () => {
  let letGo = (): void => undefined;
  let held = Promise.resolve();
  const files: FileSystem = {
    ...hastyFiles,
    writeLater: async (...all) => {
      await held;
      return hastyFiles.writeLater(...all);
    },
  };
  const hold = (): void => {
    held = new Promise((resolve) => {
      letGo = resolve;
    });
  };
  return { files, hold, letGo: () => letGo() };
};

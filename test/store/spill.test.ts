/**
 * What named snapshots keep beyond the bound of their memory: in files that come and go, and on disks that fail.
 */
import { statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { Changes } from "#domain/changes.ts";
import { differences } from "#domain/differences.ts";
import type { World } from "#domain/world.ts";
import type { FileSystem } from "#store/files.ts";
import type { Store, StoreOptions } from "#store/store.ts";
import { faultyFiles, hastyFiles, noFault } from "./faulty-files.ts";
import { APP, addProfile, contents, MAIL, profile, uuid } from "./records.ts";
import { abandon, names, newDir, open } from "./support.ts";

const COUNT = 300;
const SPILL = /^snapshots-[0-9a-f]{24}\.tmp$/;
const spilled = (dir: string): string[] => names(dir).filter((name) => SPILL.test(name));

const putAll =
  (name: string, appId = APP) =>
  (world: World) => {
    const changes = new Changes(world);
    for (let n = 0; n < COUNT; n += 1) {
      const before = world.app(appId)?.find("profiles", uuid(n));
      changes.put("profiles", appId, { ...(before ?? profile(changes.seq, n, { email: `a${n}@b.cd` })), name });
    }
    return changes.decided(null);
  };
const removeApp = (appId: string) => (world: World) => {
  const changes = new Changes(world);
  changes.removeApp(appId);
  return changes.decided(null);
};
/** The world but for its number. */
const apps = (store: Store): unknown => (contents(store.world) as { apps: unknown }).apps;

/** Files that are whole: they have been opened to be read. */
const whole = new Set<string>();
const watched = (files: FileSystem): FileSystem => ({
  ...files,
  openToRead: (file) => {
    const fd = files.openToRead(file);
    whole.add(path.basename(file));
    return fd;
  },
});
/** Waits until so many files are there, all of them whole. */
const untilSpilled = (dir: string, count = 1) =>
  vi.waitFor(
    () => {
      expect(spilled(dir)).toHaveLength(count);
      expect(spilled(dir).filter((name) => !whole.has(name))).toEqual([]);
    },
    { timeout: 10_000 },
  );

/** A store with a snapshot, and all of its profiles changed since. @returns the world as it was saved. */
const changedSince = async (more: Partial<StoreOptions> = {}) => {
  const dir = newDir();
  const store = await open(dir, { snapshotMemoryBytes: 10_000, ...more, files: watched(more.files ?? hastyFiles) });
  store.transact(putAll("before"));
  store.snapshots.save(store.world, "s", null, 0);
  const before = apps(store);
  expect(store.transact(putAll("after")).ok).toBe(true);
  return { dir, store, before };
};
test("beyond the bound it goes to a file for the owner alone; diff and restore read it back", async () => {
  const { dir, store, before } = await changedSince();
  await untilSpilled(dir);
  expect(statSync(path.join(dir, spilled(dir)[0] ?? "")).mode & 0o777).toBe(0o600);
  store.transact(putAll("again"));
  const held = store.snapshots.hold(store.world, "s", null);
  const found: (readonly [unknown, unknown])[] = [];
  for await (const part of differences(store.world, held?.pasts ?? [], null))
    for (const one of part) if (one.noun === "profiles") found.push([one.before?.name, one.after?.name]);
  held?.release();
  expect(found).toEqual(Array.from({ length: COUNT }, () => ["before", "again"]));
  expect(await store.restore("s", null)).toMatchObject({ ok: true, value: { changes: COUNT } });
  expect(apps(store)).toEqual(before);
  // What is the same again is not written again.
  expect(await store.restore("s", null)).toMatchObject({ ok: true, value: { changes: 0 } });
});

test("below the bound, and with durability `memory`, there is no file", async () => {
  const { dir, store } = await changedSince({ snapshotMemoryBytes: 10_000_000 });
  const held = await changedSince({ durability: "memory" });
  for (const one of [store, held.store]) expect((await one.restore("s", null)).ok).toBe(true);
  expect([spilled(dir), names(held.dir)]).toEqual([[], []]);
});

test("the file goes with the last snapshot that needs it, also while it is read", async () => {
  const { dir, store } = await changedSince();
  await untilSpilled(dir);
  store.snapshots.save(store.world, "later", null, 0);
  store.transact(putAll("later"));
  await untilSpilled(dir, 2);
  // Those before it still need what came after it.
  store.snapshots.remove("later", null);
  expect(spilled(dir)).toHaveLength(2);
  const held = store.snapshots.hold(store.world, "s", null);
  store.snapshots.remove("s", null);
  expect(spilled(dir)).toEqual([]);
  let count = 0;
  for await (const part of differences(store.world, held?.pasts ?? [], null)) count += [...part].length;
  held?.release();
  expect(count).toBeGreaterThanOrEqual(COUNT);
});

test("an app's part goes with the app; a file with the last app in it", async () => {
  const dir = newDir();
  const store = await open(dir, { files: watched(hastyFiles), snapshotMemoryBytes: 10_000 });
  for (const appId of [APP, MAIL]) store.transact(putAll("before", appId));
  store.snapshots.save(store.world, "s", APP, 0);
  store.snapshots.save(store.world, "s", MAIL, 0);
  for (const appId of [APP, MAIL]) store.transact(putAll("after", appId));
  await untilSpilled(dir);
  store.transact(removeApp(APP));
  expect(store.snapshots.list(APP)).toEqual([]);
  await store.restore("s", MAIL);
  expect(store.world.app(MAIL)?.find("profiles", uuid(1))?.name).toBe("before");
  store.transact(removeApp(MAIL));
  await vi.waitFor(() => expect(spilled(dir)).toEqual([]), { timeout: 10_000 });
});

test("an app that was removed whole is kept in a file too", async () => {
  const { dir, store, before } = await changedSince();
  store.transact(removeApp(APP));
  await untilSpilled(dir);
  store.transactBulk(putAll("other", MAIL), ["f"]);
  expect((await store.restore("s", null)).ok).toBe(true);
  expect(apps(store)).toEqual(before);
});

test("one app is read without the others", async () => {
  let bytes = 0;
  const readLater: FileSystem["readLater"] = async (fd, into, ...at) => {
    const count = await hastyFiles.readLater(fd, into, ...at);
    bytes += count;
    return count;
  };
  const dir = newDir();
  const files = watched({ ...hastyFiles, readLater });
  const store = await open(dir, { files, snapshotMemoryBytes: 10_000 });
  store.transact(putAll("before"));
  store.transact(addProfile(1, { name: "one", email: "one@b.cd" }, MAIL));
  store.snapshots.save(store.world, "s", null, 0);
  store.transact((world) => {
    const changes = new Changes(world);
    const ids = Array.from({ length: COUNT }, (_, n) => uuid(n));
    for (const appId of [APP, MAIL]) changes.remove("profiles", appId, ids);
    return changes.decided(null);
  });
  await untilSpilled(dir);
  expect(await store.restore("s", MAIL)).toMatchObject({ ok: true, value: { changes: 1 } });
  expect(store.world.app(MAIL)?.find("profiles", uuid(1))?.name).toBe("one");
  // One line.
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(400);
});

test("a clean stop leaves no file; what a killed process left goes at the next start, and nothing else does", async () => {
  const { dir, store } = await changedSince();
  await untilSpilled(dir);
  const crashed = abandon(dir);
  expect(spilled(crashed)).toHaveLength(1);
  writeFileSync(path.join(crashed, "snapshots-mine.tmp"), "x");
  const next = await open(crashed, { files: hastyFiles });
  expect(names(crashed).filter((name) => name.startsWith("snapshots-"))).toEqual(["snapshots-mine.tmp"]);
  expect(next.snapshots.list(null)).toEqual([]);
  store.transact(putAll("once more"));
  await store.close();
  expect(names(dir)).toEqual(["stagedoor.json"]);
});

test.each(["create", "writeLater", "close", "openToRead"] as const)(
  "where %s fails, writes go on, nothing is lost, and it is told once; later it is tried again",
  async (call) => {
    const notices: string[] = [];
    const plan = { ...noFault(), call, manner: "ENOSPC" as const, forGood: true };
    const more = { files: faultyFiles(plan), onNotice: (text: string) => void notices.push(text) };
    const { dir, store } = await changedSince({ ...more, snapshotMemoryBytes: 400_000 });
    plan.at = 1;
    const add = (count: number, from: number) => (world: World) => {
      const changes = new Changes(world);
      const metadata = { text: "x".repeat(4_000) };
      for (let n = from; n < from + count; n += 1) changes.put("profiles", APP, profile(changes.seq, n, { metadata }));
      return changes.decided(null);
    };
    const drop = (world: World) => {
      const changes = new Changes(world);
      changes.remove(
        "profiles",
        APP,
        Array.from({ length: 100 }, (_, i) => uuid(1_000 + i)),
      );
      return changes.decided(null);
    };
    // What is put after a snapshot and replaced after the next one is kept by that one.
    expect(store.transact(add(100, 1_000)).ok).toBe(true);
    store.snapshots.save(store.world, "t", null, 0);
    const then = apps(store);
    expect(store.transact(drop).ok).toBe(true);
    await vi.waitFor(() => expect(notices).toHaveLength(1), { timeout: 10_000 });
    expect(notices[0]).toMatch(/^what named snapshots keep could not be moved to .+ it stays in memory$/);
    expect(spilled(dir)).toEqual([]);
    expect((await store.restore("t", null)).ok).toBe(true);
    expect(apps(store)).toEqual(then);
    plan.at = 0;
    store.snapshots.save(store.world, "u", null, 0);
    store.transact(drop);
    await vi.waitFor(() => expect(spilled(dir).length).toBeGreaterThan(0), { timeout: 10_000 });
    for (const name of ["u", "t"]) {
      expect((await store.restore(name, null)).ok).toBe(true);
      expect(apps(store)).toEqual(then);
    }
    expect(notices).toHaveLength(1);
  },
);

test.each(["EIO", "cut off"])("what cannot be read back (%s) changes nothing, and is said", async (manner) => {
  const plan = { ...noFault(), call: "readLater" as const, forGood: true };
  const { dir, store } = await changedSince({ files: faultyFiles(plan) });
  await untilSpilled(dir);
  const before = contents(store.world);
  if (manner === "EIO") plan.at = 1;
  else truncateSync(path.join(dir, spilled(dir)[0] ?? ""), 1_000);
  expect(await store.restore("s", null)).toEqual({ ok: false, problem: { code: "snapshot_unreadable" } });
  expect(contents(store.world)).toEqual(before);
  expect(store.transact(addProfile(9_999)).ok).toBe(true);
  plan.at = 0;
  expect((await store.restore("s", null)).ok).toBe(manner === "EIO");
});

/**
 * The files of named snapshots: what survives a restart, and what happens on disks that fail or are full (CONTRACT 6, 8).
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { SnapshotItem } from "#contract/snapshots.ts";
import { Changes } from "#domain/decision.ts";
import type { Store } from "#domain/store.ts";
import type { World } from "#domain/world.ts";
import type { FileSystem } from "#store/disk/files.ts";
import { SLICE } from "#store/document/file.ts";
import { SnapshotFiles } from "#store/snapshots/snapshot-files.ts";
import { faultyFiles, hastyFiles, noFault } from "#test/store/faulty-files.ts";
import {
  APP,
  AT,
  addProfile,
  app,
  contents,
  KEY,
  MAIL,
  passcode,
  profile,
  session,
  uuid,
} from "#test/store/records.ts";
import { abandon, names, newDir, open } from "#test/store/support.ts";

/** Puts profiles number `from` to `to - 1`; the texts make them large. */
const putMany =
  (from: number, to: number, more: object = {}) =>
  (world: World) => {
    const changes = new Changes(world);
    for (let n = from; n < to; n += 1) {
      const before = world.app(APP)?.find("profiles", uuid(n));
      changes.put("profiles", APP, { ...(before ?? profile(changes.seq, n, { phone: `+1${2e9 + n}` })), ...more });
    }
    return changes.decided(null);
  };

const removeApp = (appId: string) => (world: World) => {
  const changes = new Changes(world);
  changes.removeApp(appId);
  return changes.decided(null);
};

/** The world but for its number. */
const apps = (store: Pick<Store, "world">): unknown => (contents(store.world) as { apps: unknown }).apps;
const save = (store: Store, name: string, appId: string | null = null) => store.snapshots.save(name, appId, AT);
const folderOf = (store: Store): string => path.join(store.dataDir ?? "", "snapshots");
const filesIn = (folder: string): string[] => readdirSync(folder).sort();

/** Waits until every snapshot has its file. */
const untilStored = (store: Store, appId: string | null = null): Promise<readonly SnapshotItem[]> =>
  vi.waitFor(() => {
    const list = store.snapshots.list(appId);
    expect(list.filter(({ stored }) => !stored)).toEqual([]);
    return list;
  });

/** A file system whose later writes wait from `hold` until `letGo`. */
const waiting = () => {
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

describe("a stored snapshot", () => {
  test("is a file of its own, readable JSON for the owner alone, without the signing key", async () => {
    const store = await open(newDir());
    store.transact(addProfile(1));
    expect(save(store, "one", APP)).toMatchObject({ ok: true, value: { stored: false } });
    expect(filesIn(folderOf(store))).toEqual([expect.stringMatching(/\.[0-9a-f]{24}\.tmp$/)]);
    await untilStored(store, APP);
    const [name = ""] = filesIn(folderOf(store));
    expect(name).toMatch(/^[0-9a-f]{12}-one\.json$/);
    const file = path.join(folderOf(store), name);
    expect([statSync(file).mode & 0o777, statSync(folderOf(store)).mode & 0o777]).toEqual([0o600, 0o700]);
    const text = readFileSync(file, "utf8");
    expect(JSON.parse(text)).toMatchObject({ version: 1, name: "one", appId: APP, apps: [{ app: { appId: APP } }] });
    for (const secret of [KEY.kid, '"key"']) expect(text).not.toContain(secret);
  });

  test("is there after a restart, and after a crash; diff and restore read it", async () => {
    const dir = newDir();
    const store = await open(dir);
    store.transact(putMany(0, 700, { metadata: { word: "Grüße, 世界" } }));
    store.transact((world) => {
      const changes = new Changes(world);
      changes.put("passcodes", APP, passcode(changes.seq, 1, uuid(1)));
      changes.put("sessions", APP, session(changes.seq, 1, uuid(1)));
      changes.putClock(APP, { offsetMs: 5, frozenAtMs: null });
      return changes.decided(null);
    });
    const before = contents(store.world) as { apps: unknown; clock: unknown };
    for (const [name, appId] of [
      ["b", null],
      ["a", null],
      ["a", APP],
    ] as const)
      save(store, name, appId);
    await untilStored(store, APP);
    const crashed = await open(abandon(dir));
    await store.close();
    const again = await open(dir);
    for (const one of [crashed, again]) {
      expect(one.snapshots.list(null).map(({ name }) => name)).toEqual(["b", "a"]);
      expect(one.snapshots.list(APP)).toEqual(store.snapshots.list(APP));
      one.transact(putMany(0, 650, { name: "other" }));
      one.transact(removeApp(MAIL));
      expect(await one.snapshots.restore("a", null)).toMatchObject({ ok: true });
      expect(contents(one.world)).toMatchObject({ clock: before.clock, apps: before.apps });
      expect(await one.snapshots.restore("a", null)).toMatchObject({ ok: true, value: { changes: 0 } });
    }
  });

  test("of an app goes with its app; of all, it can bring one app back", async () => {
    const store = await open(newDir(), { snapshotReferences: 0 });
    store.transact(addProfile(1));
    const before = apps(store);
    save(store, "own", APP);
    save(store, "all");
    await untilStored(store);
    store.transact(removeApp(APP));
    expect(store.snapshots.list(APP)).toEqual([]);
    expect(filesIn(folderOf(store))).toHaveLength(1);
    expect((await store.snapshots.restore("own", APP)).ok).toBe(false);
    expect((await store.snapshots.restore("all", APP)).ok).toBe(true);
    expect(apps(store)).toEqual(before);
  });

  test("with durability `memory` there is none", async () => {
    const dir = newDir();
    const store = await open(dir, { durability: "memory", snapshotReferences: 0 });
    save(store, "one");
    await store.close();
    expect([store.snapshots.list(null)[0]?.stored, names(dir)]).toEqual([false, []]);
    expect((await store.snapshots.restore("one", null)).ok).toBe(true);
  });

  test("is read only where memory does not hold it any more: the oldest references leave first", async () => {
    const read: string[] = [];
    const openToRead: FileSystem["openToRead"] = (file) => {
      if (file.endsWith(".json")) read.push(path.basename(file).slice(13));
      return hastyFiles.openToRead(file);
    };
    const store = await open(newDir(), { files: { ...hastyFiles, openToRead }, snapshotReferences: 250 });
    store.transact(putMany(0, 100));
    for (const name of ["one", "two", "three"]) {
      save(store, name);
      await untilStored(store);
    }
    read.length = 0;
    for (const name of ["one", "two", "three"]) expect((await store.snapshots.restore(name, null)).ok).toBe(true);
    expect(read).toEqual(["one.json"]);
  });

  test("is written in slices, between which the event loop turns", async () => {
    const slices: string[] = [];
    const writeLater: FileSystem["writeLater"] = (fd, bytes, offset, length, position) => {
      slices.push(bytes.toString("utf8", offset, offset + length));
      return hastyFiles.writeLater(fd, bytes, offset, length, position);
    };
    const store = await open(newDir(), { files: { ...hastyFiles, writeLater } });
    store.transact(putMany(0, 6_000));
    await store.writeDocument();
    let turns = 0;
    let done = false;
    const tick = (): void => {
      turns += 1;
      if (!done) setImmediate(tick);
    };
    tick();
    slices.length = 0;
    save(store, "large");
    await untilStored(store);
    done = true;
    expect(slices.length).toBeGreaterThan(5);
    expect(turns).toBeGreaterThanOrEqual(slices.length);
    expect(Math.max(...slices.map((slice) => slice.split("\n").length - 1))).toBeLessThanOrEqual(SLICE.records);
  });
});

describe("while a snapshot is written", () => {
  test("changes go on, and do not get into it", async () => {
    const { files, hold, letGo } = waiting();
    const dir = newDir();
    const store = await open(dir, { files });
    store.transact(putMany(0, 3_000));
    const before = apps(store);
    hold();
    save(store, "moment");
    store.transact(putMany(0, 3_000, { name: "later" }));
    letGo();
    await untilStored(store);
    const again = await open(abandon(dir));
    expect((await again.snapshots.restore("moment", null)).ok).toBe(true);
    expect(apps(again)).toEqual(before);
  });

  test("another save of the same name replaces it: the newer one is kept", async () => {
    const { files, hold, letGo } = waiting();
    const dir = newDir();
    const store = await open(dir, { files });
    hold();
    for (let n = 1; n <= 3; n += 1) {
      store.transact(putMany(0, 2_000 + n, { name: `${n}` }));
      save(store, "same");
    }
    const before = apps(store);
    letGo();
    expect(await untilStored(store)).toHaveLength(1);
    await store.close();
    expect(filesIn(folderOf(store))).toHaveLength(1);
    const again = await open(dir);
    again.transact(removeApp(APP));
    expect((await again.snapshots.restore("same", null)).ok).toBe(true);
    expect(apps(again)).toEqual(before);
  });

  test("it can be deleted, and nothing of it is left", async () => {
    const { files, hold, letGo } = waiting();
    const dir = newDir();
    const store = await open(dir, { files });
    save(store, "first");
    await untilStored(store);
    hold();
    save(store, "first");
    save(store, "second");
    letGo();
    for (const name of ["first", "second"]) expect(store.snapshots.remove(name, null).ok).toBe(true);
    await store.close();
    expect(filesIn(folderOf(store))).toEqual([]);
    expect((await open(dir)).snapshots.list(null)).toEqual([]);
  });

  test("a stop waits for it, but no longer than a second", async () => {
    const { files, hold, letGo } = waiting();
    const dir = newDir();
    let giveUp = (): void => undefined;
    const later = (ms: number, action: () => void) => {
      if (ms === 1_000) giveUp = action;
      return () => undefined;
    };
    const store = await open(dir, { files, later });
    store.transact(putMany(0, 3_000));
    hold();
    save(store, "late");
    const closed = store.close();
    giveUp();
    letGo();
    await closed;
    expect(filesIn(folderOf(store))).toEqual([]);
    expect(names(dir)).toEqual(["snapshots", "stagedoor.json"]);
  });

  test("a kill leaves the one before; what is half written goes at the next start, and nothing else does", async () => {
    const { files, hold, letGo } = waiting();
    const dir = newDir();
    const store = await open(dir, { files });
    save(store, "same");
    await untilStored(store);
    const before = apps(store);
    store.transact(putMany(0, 3_000));
    hold();
    save(store, "same");
    const left = abandon(dir);
    letGo();
    writeFileSync(path.join(left, "snapshots", "mine.tmp"), "x");
    expect(filesIn(path.join(left, "snapshots"))).toHaveLength(3);
    const again = await open(left);
    expect(filesIn(folderOf(again))).toEqual([expect.stringMatching(/-same\.json$/), "mine.tmp"]);
    expect(again.world.apps[0]?.profiles).toHaveLength(3_000);
    expect((await again.snapshots.restore("same", null)).ok).toBe(true);
    expect(apps(again)).toEqual(before);
  });
});

describe("a disk that refuses", () => {
  const started = async () => {
    const plan = { ...noFault(), forGood: true };
    const notices: string[] = [];
    let free = Number.MAX_SAFE_INTEGER;
    const files = { ...faultyFiles(plan), freeBytes: () => free };
    const dir = newDir();
    const store = await open(dir, { files, onNotice: (text) => void notices.push(text), snapshotReferences: 0 });
    store.transact(putMany(0, 100));
    const before = apps(store);
    save(store, "s");
    await untilStored(store);
    const [held] = store.snapshots.list(null);
    store.transact(putMany(0, 4_000, { name: "later" }));
    const leave = (bytes: number): void => {
      free = bytes;
    };
    return { dir, plan, notices, store, before, held, leave };
  };

  test.each(["create", "write", "makeDir"] as const)(
    "at %s: the save is refused with 507 and what was held before stays",
    async (call) => {
      const { plan, store, before, held } = await started();
      Object.assign(plan, { call, manner: "ENOSPC", at: 1 });
      for (const name of ["s", "new"]) expect(save(store, name)).toEqual({ ok: false, problem: { code: "disk_full" } });
      plan.at = 0;
      expect(store.snapshots.list(null)).toEqual([held]);
      expect(filesIn(folderOf(store))).toHaveLength(1);
      expect((await store.snapshots.restore("s", null)).ok).toBe(true);
      expect((apps(store) as unknown[])[0]).toMatchObject({
        profiles: (before as { profiles: unknown[] }[])[0]?.profiles,
      });
    },
  );

  test("for want of room for all of it: refused before anything is replaced, also with others under way", async () => {
    const { store, held, leave } = await started();
    leave(100_000);
    expect(save(store, "s")).toEqual({ ok: false, problem: { code: "disk_full" } });
    expect(store.snapshots.list(null)).toEqual([held]);
    leave(1_000_000);
    expect(save(store, "s").ok).toBe(true);
    leave(700_000);
    expect(save(store, "t")).toEqual({ ok: false, problem: { code: "disk_full" } });
    expect(await untilStored(store)).toHaveLength(1);
  });

  test.each(["writeLater", "syncLater", "rename"] as const)(
    "at %s, after the answer: the snapshot stays in memory, the file before stays, and it is reported",
    async (call) => {
      const { dir, plan, notices, store, before } = await started();
      Object.assign(plan, { call, manner: "ENOSPC", at: 1 });
      expect(save(store, "s").ok).toBe(true);
      await vi.waitFor(() => expect(notices).toHaveLength(1));
      expect(notices[0]).toMatch(/^the snapshot s could not be stored \(ENOSPC/);
      plan.at = 0;
      const later = apps(store);
      expect(store.snapshots.list(null)).toMatchObject([{ name: "s", stored: false }]);
      expect(filesIn(folderOf(store))).toHaveLength(1);
      store.transact(removeApp(APP));
      expect((await store.snapshots.restore("s", null)).ok).toBe(true);
      expect(apps(store)).toEqual(later);
      const crashed = await open(abandon(dir));
      expect((await crashed.snapshots.restore("s", null)).ok).toBe(true);
      expect(apps(crashed)).toEqual(before);
    },
  );

  test("to delete: the snapshot stays", async () => {
    const { plan, store, held } = await started();
    Object.assign(plan, { call: "remove", manner: "EACCES", at: 1 });
    expect(store.snapshots.remove("s", null)).toEqual({ ok: false, problem: { code: "disk_failed" } });
    expect(store.snapshots.list(null)).toEqual([held]);
  });
});

describe("a damaged file", () => {
  /** A directory with one snapshot, and its file. */
  const withOne = async () => {
    const dir = newDir();
    const store = await open(dir);
    store.transact(addProfile(1, { metadata: { a: [1, { b: "ö" }] } }));
    store.transact(addProfile(2, {}, MAIL));
    save(store, "one");
    const [saved] = await untilStored(store);
    await store.close();
    const file = path.join(folderOf(store), filesIn(folderOf(store))[0] ?? "");
    if (saved === undefined) throw new Error("nothing was saved");
    return { dir, file, saved, bytes: readFileSync(file) };
  };

  test("a byte changed, a line lost, doubled or moved, or the end cut off, at every place: nothing of it is restored", async () => {
    const { file, saved, bytes } = await withOne();
    let now: Buffer = bytes;
    const inMemory: FileSystem = {
      ...hastyFiles,
      readLater: async (_, into, offset, length, position) => now.copy(into, offset, position, position + length),
    };
    const files = new SnapshotFiles(inMemory, path.dirname(file), () => undefined);
    const lines = bytes.toString().split("\n");
    const tries: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      tries.push(changed, bytes.subarray(0, at));
    }
    for (let at = 0; at + 1 < lines.length; at += 1) {
      const one = lines[at] ?? "";
      tries.push(Buffer.from(lines.toSpliced(at, 1).join("\n")));
      tries.push(Buffer.from(lines.toSpliced(at, 0, one).join("\n")));
      if (one !== lines[at + 1]) tries.push(Buffer.from(lines.toSpliced(at, 2, lines[at + 1] ?? "", one).join("\n")));
    }
    const passed: string[] = [];
    for (const bad of tries) {
      now = bad;
      for (const only of [null, APP]) {
        const found = await files.read(saved, only);
        if (!("code" in found && found.code === "snapshot_unreadable")) passed.push(bad.toString());
      }
      for (const left of await files.list()) expect(left).toMatchObject({ name: "one", appId: null });
    }
    expect(passed).toEqual([]);
    now = bytes;
    expect(await files.read(saved, null)).toMatchObject({ apps: [{ app: { appId: APP } }, { app: { appId: MAIL } }] });
  });

  test("the start goes on; a restore says which file is damaged and changes nothing; it can be saved again", async () => {
    const { dir, file, bytes } = await withOne();
    writeFileSync(file, bytes.subarray(0, bytes.length - 40));
    const store = await open(dir);
    store.transact(addProfile(3));
    const before = contents(store.world);
    const refused = await store.snapshots.restore("one", null);
    expect(refused).toMatchObject({
      problem: { code: "snapshot_unreadable", instruction: expect.stringContaining(file) },
    });
    expect(contents(store.world)).toEqual(before);
    expect(save(store, "one").ok).toBe(true);
    await untilStored(store);
    expect((await (await open(abandon(dir))).snapshots.restore("one", null)).ok).toBe(true);
  });

  test("whose head is unreadable, from the future, another one's, or no file at all, is left out and named", async () => {
    const { dir, file, bytes } = await withOne();
    const folder = path.dirname(file);
    const text = bytes.toString();
    rmSync(file);
    writeFileSync(path.join(folder, "0-empty.json"), "");
    writeFileSync(path.join(folder, "1-other.json"), text);
    writeFileSync(file, text.replace('"version":1', '"version":2'));
    mkdirSync(path.join(folder, "2-folder.json"));
    const notices: string[] = [];
    const store = await open(dir, { onNotice: (line) => void notices.push(line) });
    expect(store.snapshots.list(null)).toEqual([]);
    expect(
      notices.map((line) => path.basename(/^the snapshot (.+) is left out: /.exec(line)?.[1] ?? line)).sort(),
    ).toEqual(["0-empty.json", "1-other.json", "2-folder.json", path.basename(file)].sort());
    expect(filesIn(folder)).toHaveLength(4);
  });
});

test("where the data is gone, numbers go on from those of the snapshots, and a restore brings it back for good", async () => {
  const dir = newDir();
  const store = await open(dir);
  store.transact(putMany(0, 50));
  const before = apps(store);
  save(store, "all");
  await store.close();
  rmSync(path.join(dir, "stagedoor.json"));
  const anew = await open(dir);
  expect(anew.isNew).toBe(true);
  expect(anew.world.seq).toBe(store.world.seq);
  anew.transact(addProfile(99));
  expect((await anew.snapshots.restore("all", null)).ok).toBe(true);
  expect(apps(anew)).toEqual(before);
  expect(apps(await open(abandon(dir)))).toEqual(before);
});

test("an app of another directory comes back at the end, if its place is taken", async () => {
  const made = async (appId: string) => {
    const dir = newDir();
    const store = await open(dir);
    store.transact((world) => {
      const changes = new Changes(world);
      changes.putApp(app(changes.seq, appId));
      return changes.decided(null);
    });
    store.transact(addProfile(1, {}, appId));
    return { dir, store };
  };
  const [from, to] = [await made("x"), await made("y")];
  save(from.store, "s", "x");
  await from.store.close();
  await to.store.close();
  mkdirSync(path.join(to.dir, "snapshots"));
  for (const name of filesIn(folderOf(from.store)))
    writeFileSync(path.join(to.dir, "snapshots", name), readFileSync(path.join(folderOf(from.store), name)));
  const store = await open(to.dir);
  expect(await store.snapshots.restore("s", "x")).toMatchObject({ ok: true });
  const crashed = await open(abandon(to.dir));
  expect(crashed.world.apps.map(({ app: { appId } }) => appId)).toEqual([APP, MAIL, "y", "x"]);
  expect(crashed.world.app("x")?.profiles).toHaveLength(1);
});

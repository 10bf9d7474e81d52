/** Snapshot files: what survives a restart, and changes made while one is written. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Changes } from "#domain/decision.ts";
import type { FileSystem } from "#store/disk/files.ts";
import { SLICE } from "#store/document/file.ts";
import { hastyFiles } from "#test/store/faulty-files.ts";
import { APP, addProfile, app, contents, KEY, MAIL, passcode, session, uuid } from "#test/store/records.ts";
import { abandon, names, newDir, open } from "#test/store/support.ts";
import { apps, filesIn, folderOf, putMany, removeApp, save, untilStored, waiting } from "./stored.ts";

describe("a stored snapshot", () => {
  test("is its own file of readable JSON, for the owner alone, without the signing key", async () => {
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

  test("survives a restart and a crash; a restore reads it", async () => {
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

  test("of one app is removed with its app; one of all apps can restore that app", async () => {
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

  test("is not written with durability `memory`", async () => {
    const dir = newDir();
    const store = await open(dir, { durability: "memory", snapshotReferences: 0 });
    save(store, "one");
    await store.close();
    expect([store.snapshots.list(null)[0]?.stored, names(dir)]).toEqual([false, []]);
    expect((await store.snapshots.restore("one", null)).ok).toBe(true);
  });

  test("is read only if memory no longer holds it: the oldest references are dropped first", async () => {
    const read: string[] = [];
    const files: FileSystem = {
      ...hastyFiles,
      read: (file, most) => {
        if (file.includes("snapshots")) read.push(path.basename(file).slice(13));
        return hastyFiles.read(file, most);
      },
    };
    const store = await open(newDir(), { files, snapshotReferences: 250 });
    store.transact(putMany(0, 100));
    for (const name of ["one", "two", "three"]) {
      save(store, name);
      await untilStored(store);
    }
    read.length = 0;
    for (const name of ["one", "two", "three"]) expect((await store.snapshots.restore(name, null)).ok).toBe(true);
    expect(read).toEqual(["one.json"]);
  });

  test("is written in slices, yielding to the event loop between them", async () => {
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

describe("while a snapshot is being written", () => {
  test("changes continue and do not get into it", async () => {
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

  test("another save of the same name replaces it", async () => {
    const { files, hold, letGo } = waiting();
    const dir = newDir();
    const store = await open(dir, { files });
    hold();
    for (let n = 1; n <= 3; n += 1) {
      store.transact(putMany(0, 2_000 + n, { name: `${n}` }));
      expect(save(store, "same")).toMatchObject({ ok: true });
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

  test("it can be deleted without leaving anything behind", async () => {
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

  test("a stop waits for it, for at most a second", async () => {
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

  test("a kill keeps the previous one; the next start removes only the unfinished file", async () => {
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

test("without a data file, numbering continues after the snapshots', and a restore brings the data back durably", async () => {
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

test("a restored app from another directory is appended if its position is taken", async () => {
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

/** Snapshot files on failing or full disks, and with damage. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { FileSystem } from "#store/disk/files.ts";
import { SnapshotFiles } from "#store/snapshots/snapshot-files.ts";
import { faultyFiles, hastyFiles, noFault } from "#test/store/faulty-files.ts";
import { APP, addProfile, contents, MAIL } from "#test/store/records.ts";
import { abandon, newDir, open } from "#test/store/support.ts";
import { apps, filesIn, folderOf, PATIENCE, putMany, removeApp, save, untilStored } from "./stored.ts";

describe("when the disk fails", () => {
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
    "at %s, the save returns 507 and the previous snapshot stays",
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

  test("a snapshot that could not be stored stays in memory while others are stored and dropped from it", async () => {
    const { plan, notices, store } = await started();
    Object.assign(plan, { call: "writeLater", manner: "ENOSPC", at: 1 });
    save(store, "held");
    await vi.waitFor(() => expect(notices).toHaveLength(1), PATIENCE);
    plan.at = 0;
    save(store, "next");
    const isStored = () => store.snapshots.list(null).find(({ name }) => name === "next")?.stored;
    await vi.waitFor(() => expect(isStored()).toBe(true), PATIENCE);
    expect((await store.snapshots.restore("held", null)).ok).toBe(true);
  });

  test("for lack of space, the save returns 507 before it replaces anything, counting saves in progress", async () => {
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
    "at %s, after the response, the snapshot stays in memory, the previous file stays, and the failure is reported",
    async (call) => {
      const { dir, plan, notices, store, before } = await started();
      Object.assign(plan, { call, manner: "ENOSPC", at: 1 });
      expect(save(store, "s").ok).toBe(true);
      await vi.waitFor(() => expect(notices).toHaveLength(1), PATIENCE);
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

  test("on delete, the snapshot stays", async () => {
    const { plan, store, held } = await started();
    Object.assign(plan, { call: "remove", manner: "EACCES", at: 1 });
    expect(store.snapshots.remove("s", null)).toEqual({ ok: false, problem: { code: "disk_failed" } });
    expect(store.snapshots.list(null)).toEqual([held]);
  });
});

describe("a damaged snapshot file", () => {
  /** A directory with one snapshot, and the path of its file. */
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

  test("is never restored, wherever a byte changed, a line was lost, duplicated or moved, or the end was cut off", async () => {
    const { file, saved, bytes } = await withOne();
    let now: Buffer = bytes;
    const inMemory: FileSystem = {
      ...hastyFiles,
      read: () => now,
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
      const found = await files.read(saved);
      if (!("code" in found && found.code === "snapshot_unreadable")) passed.push(bad.toString());
      for (const left of await files.list()) expect(left).toMatchObject({ name: "one", appId: null });
    }
    expect(passed).toEqual([]);
    now = bytes;
    expect(await files.read(saved)).toMatchObject({ apps: [{ app: { appId: APP } }, { app: { appId: MAIL } }] });
  });

  test("does not stop a start; a restore names the file and changes nothing; saving it again works", async () => {
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

  test("with an unreadable, newer or foreign header, or a directory in its place, is left out and named", async () => {
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

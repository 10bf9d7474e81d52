/**
 * A failing disk: no acknowledged change is lost, memory matches the disk, and the files can always be opened.
 */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { NotDurable } from "#store/failure.ts";
import { faultyFiles, noFault, type Plan } from "./faulty-files.ts";
import { addProfile, contents } from "./records.ts";
import { abandon, names, newDir, open } from "./support.ts";

test.each(["ENOSPC", "EDQUOT", "EFBIG", "EIO"])(
  "a write that fails with %s changes nothing, and the next one succeeds",
  async (code) => {
    const dir = newDir();
    const plan = noFault();
    const store = await open(dir, { files: faultyFiles(plan) });
    store.transact(addProfile(1));
    const journal = path.join(dir, "journal-1.ndjson");
    const { size } = statSync(journal);
    const before = contents(store.world);
    Object.assign(plan, { manner: code, at: 1, seen: 0, forGood: true });
    const outcome = store.transact(addProfile(2));
    expect(outcome).toEqual({ ok: false, problem: { code: code === "EIO" ? "disk_failed" : "disk_full" } });
    expect(contents(store.world)).toEqual(before);
    expect(statSync(journal).size).toBe(size);
    expect(store.unwritable()).toContain(dir);
    plan.at = 0;
    expect(store.unwritable()).toBeUndefined();
    expect(store.transact(addProfile(3)).ok).toBe(true);
    expect(contents((await open(abandon(dir))).world)).toEqual(contents(store.world));
  },
);

test("writes are refused while a half-written line cannot be truncated, and accepted afterwards", async () => {
  const dir = newDir();
  const plan = noFault();
  const files = faultyFiles(plan);
  let mayTruncate = true;
  const truncate: typeof files.truncate = (fd, size) => {
    if (!mayTruncate) throw Object.assign(new Error("not now"), { code: "EIO" });
    files.truncate(fd, size);
  };
  const store = await open(dir, { files: { ...files, truncate } });
  store.transact(addProfile(1));
  mayTruncate = false;
  Object.assign(plan, { manner: "half", at: 1, seen: 0 });
  expect(store.transact(addProfile(2))).toMatchObject({ problem: { code: "disk_full" } });
  expect(store.transact(addProfile(3))).toMatchObject({ problem: { code: "disk_failed" } });
  await expect(store.writeDocument()).rejects.toThrow("not now");
  const notices: string[] = [];
  const crashed = await open(abandon(dir), { onNotice: (text) => notices.push(text) });
  expect(contents(crashed.world)).toEqual(contents(store.world));
  expect(notices[0]).toMatch(/^recovered /);
  mayTruncate = true;
  expect(store.transact(addProfile(4)).ok).toBe(true);
  expect(contents((await open(abandon(dir))).world)).toEqual(contents(store.world));
});

test("after a failed sync, writes are refused until a new document file holds everything", async () => {
  const dir = newDir();
  const plan = noFault();
  const notices: string[] = [];
  const onNotice = (text: string): void => void notices.push(text);
  const store = await open(dir, { files: faultyFiles(plan), durability: "disk", onNotice });
  store.transact(addProfile(1));
  Object.assign(plan, { call: "syncDataLater", at: 1, seen: 0 });
  await expect(store.durable()).rejects.toBeInstanceOf(NotDurable);
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain("EIO");
  expect(store.transact(addProfile(2))).toEqual({ ok: false, problem: { code: "disk_failed" } });
  await expect(store.durable()).rejects.toMatchObject({ problem: { code: "disk_failed" } });
  expect(store.transact(addProfile(2)).ok).toBe(false);
  await store.writeDocument();
  expect(notices[1]).toMatch(/^recovered/);
  expect(store.transact(addProfile(3)).ok).toBe(true);
  expect(contents((await open(abandon(dir))).world)).toEqual(contents(store.world));
});

test("a document file that does not fit leaves nothing behind, and the next one succeeds", async () => {
  const dir = newDir();
  const plan = noFault();
  const notices: string[] = [];
  const onNotice = (text: string): void => void notices.push(text);
  const store = await open(dir, { files: faultyFiles(plan), onNotice });
  store.transact(addProfile(1));
  const before = readFileSync(path.join(dir, "stagedoor.json"));
  for (const call of ["create", "writeLater", "rename"] as const) {
    Object.assign(plan, { call, manner: "ENOSPC", at: 1, seen: 0, forGood: true });
    await expect(store.writeDocument()).rejects.toThrow("ENOSPC");
    expect(names(dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(readFileSync(path.join(dir, "stagedoor.json"))).toEqual(before);
    plan.at = 0;
    expect(store.transact(addProfile(names(dir).length * 100 + notices.length)).ok).toBe(true);
  }
  expect(notices).toHaveLength(3);
  expect(contents((await open(abandon(dir))).world)).toEqual(contents(store.world));
  await store.writeDocument();
  expect(names(dir)).toEqual(["stagedoor.json"]);
});

test("with durability `disk`, subscribers see a change once it is durable, watchers at once", async () => {
  const plan = noFault();
  const store = await open(newDir(), { files: faultyFiles(plan), durability: "disk" });
  const [told, seen]: [number[], number[]] = [[], []];
  store.subscribe((changes) => told.push(...changes.map(({ seq }) => seq)));
  store.watch((changes) => seen.push(...changes.map(({ seq }) => seq)));
  const before = store.world.seq;
  store.transact(addProfile(1));
  expect([seen, told]).toEqual([[before + 1], []]);
  await store.durable();
  expect(told).toEqual([before + 1]);
  Object.assign(plan, { call: "syncDataLater", at: 1, seen: 0 });
  store.transact(addProfile(2));
  await expect(store.durable()).rejects.toBeInstanceOf(NotDurable);
  expect(told).toEqual([before + 1]);
  await store.writeDocument();
  expect(told).toEqual([before + 1, before + 2]);
  store.transact(addProfile(3));
  await store.durable();
  expect(told).toEqual([before + 1, before + 2, before + 3]);
  expect(seen).toEqual(told);
});

test("with durability `disk`, 50 waiting changes share at most two syncs", async () => {
  const plan: Plan = { ...noFault(), call: "syncDataLater", at: 1_000_000 };
  const store = await open(newDir(), { files: faultyFiles(plan), durability: "disk" });
  const waits = Array.from({ length: 50 }, (_, n) => {
    store.transact(addProfile(n));
    return store.durable();
  });
  expect(waits.every((wait) => wait instanceof Promise)).toBe(true);
  await Promise.all(waits);
  expect(plan.seen).toBeLessThanOrEqual(2);
  expect(store.durable()).toBeUndefined();
});

test("with durability `process`, the journal is synced within a second and no caller waits", async () => {
  const plan: Plan = { ...noFault(), call: "syncDataLater", at: 1_000_000 };
  const timers: { ms: number; action: () => void }[] = [];
  const later = (ms: number, action: () => void) => {
    timers.push({ ms, action });
    return () => undefined;
  };
  const store = await open(newDir(), { files: faultyFiles(plan), later });
  for (let n = 1; n <= 10; n += 1) store.transact(addProfile(n));
  expect(store.durable()).toBeUndefined();
  const due = timers.filter(({ ms }) => ms < 1000);
  expect(due).toHaveLength(1);
  due[0]?.action();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(plan.seen).toBe(1);
});

test("a change nested too deep to serialize is refused and nothing is written", async () => {
  const dir = newDir();
  const store = await open(dir);
  store.transact(addProfile(1));
  // What Node says up to version 24; later ones serialize any depth.
  const deep = {
    get a(): string {
      throw new RangeError("Maximum call stack size exceeded");
    },
  };
  const before = readFileSync(path.join(dir, "journal-1.ndjson"));
  expect(() => store.transact(addProfile(2, { metadata: deep }))).toThrow(RangeError);
  expect(readFileSync(path.join(dir, "journal-1.ndjson"))).toEqual(before);
  expect(store.transact(addProfile(2)).ok).toBe(true);
});

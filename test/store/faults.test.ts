/**
 * A disk that fails: no acknowledged change is lost, memory stays as the disk is, and never is a file left that cannot be
 * opened (CONTRACT 5 and 8, RELIABILITY 1.6 S4 and S5).
 */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Changes } from "#domain/changes.ts";
import { NotDurable, StoreFailure } from "#store/failure.ts";
import type { Store } from "#store/store.ts";
import { CHANGING, faultyFiles, hastyFiles, type Manner, noFault, type Plan } from "./faulty-files.ts";
import { APP, addProfile, contents } from "./records.ts";
import { abandon, names, newDir, open } from "./support.ts";

/** Does what a day of work does. @returns the profiles that were acknowledged, and whether a bulk change was. */
const work = async (store: Store): Promise<{ acknowledged: Set<number>; emptied: boolean }> => {
  const acknowledged = new Set<number>();
  let emptied = false;
  const add = (n: number): void => {
    if (store.transact(addProfile(n)).ok) acknowledged.add(n);
  };
  const snapshot = async (during: number): Promise<void> => {
    const written = store.snapshot().catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    add(during);
    await written;
  };
  for (const n of [1, 2]) add(n);
  await store.durable()?.catch(() => undefined);
  await snapshot(3);
  for (const n of [4, 5]) add(n);
  await store.durable()?.catch(() => undefined);
  await snapshot(6);
  const bulk = store.transactBulk((world) => {
    const changes = new Changes(world);
    changes.remove("profiles", APP, world.app(APP)?.profiles.map(({ userId }) => userId) ?? []);
    return changes.decided(null);
  });
  if (bulk.ok) {
    acknowledged.clear();
    emptied = true;
  }
  for (const n of [7, 8]) add(n);
  return { acknowledged, emptied };
};

const numbersIn = (store: Store): Set<number> =>
  new Set(store.world.app(APP)?.profiles.map(({ userId }) => Number.parseInt(userId.slice(-12), 16)));

/** One run under a plan. @returns whether the fault came at all. */
const run = async (plan: Plan): Promise<boolean> => {
  const dir = newDir();
  const label = `${plan.manner} at call ${plan.at} of ${plan.call}${plan.forGood ? ", for good" : ""}`;
  let store: Store;
  try {
    store = await open(dir, { files: faultyFiles(plan), durability: "disk" });
  } catch (error) {
    expect(error, label).toBeInstanceOf(StoreFailure);
    expect(error, label).toMatchObject({ exitStatus: 1 });
    plan.at = 0;
    // What did not open this time opens the next time, old or new.
    await (await open(dir, { files: hastyFiles })).close();
    return true;
  }
  const { acknowledged } = await work(store);
  expect(numbersIn(store), label).toEqual(acknowledged);
  const crashed = await open(abandon(dir), { files: hastyFiles });
  expect(contents(crashed.world), `${label}: crash`).toEqual(contents(store.world));
  await crashed.close();
  const came = plan.seen >= plan.at;
  await store.close();
  plan.at = 0;
  const stopped = await open(abandon(dir), { files: hastyFiles });
  expect(contents(stopped.world), `${label}: stop`).toEqual(contents(store.world));
  await stopped.close();
  return came;
};

test.each(CHANGING)("the n-th call of %s fails, for every n: nothing acknowledged is lost", async (call) => {
  const manners: Manner[] = call.startsWith("write") ? ["EIO", "half"] : ["EIO", "ENOSPC"];
  for (const manner of manners) {
    for (const forGood of [false, true]) {
      let came = true;
      for (let at = 1; came; at += 1) came = await run({ call, at, manner, forGood, seen: 0 });
    }
  }
});

test.each(["ENOSPC", "EDQUOT", "EFBIG", "EIO"])(
  "a write that fails with %s changes nothing; the next one works",
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
    plan.at = 0;
    expect(store.transact(addProfile(3)).ok).toBe(true);
    expect(contents((await open(abandon(dir))).world)).toEqual(contents(store.world));
  },
);

test("while half a line cannot be cut off nothing is written; then writes go on", async () => {
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
  await expect(store.snapshot()).rejects.toThrow("not now");
  const notices: string[] = [];
  const crashed = await open(abandon(dir), { onNotice: (text) => notices.push(text) });
  expect(contents(crashed.world)).toEqual(contents(store.world));
  expect(notices[0]).toMatch(/^recovered /);
  mayTruncate = true;
  expect(store.transact(addProfile(4)).ok).toBe(true);
  expect(contents((await open(abandon(dir))).world)).toEqual(contents(store.world));
});

test("after a sync that failed nothing is accepted until a new snapshot holds everything", async () => {
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
  await store.snapshot();
  expect(notices[1]).toMatch(/^recovered/);
  expect(store.transact(addProfile(3)).ok).toBe(true);
  expect(contents((await open(abandon(dir))).world)).toEqual(contents(store.world));
});

test("a snapshot for which there is no room leaves nothing behind; the next one succeeds", async () => {
  const dir = newDir();
  const plan = noFault();
  const notices: string[] = [];
  const onNotice = (text: string): void => void notices.push(text);
  const store = await open(dir, { files: faultyFiles(plan), onNotice });
  store.transact(addProfile(1));
  const before = readFileSync(path.join(dir, "stagedoor.json"));
  for (const call of ["create", "writeLater", "rename"] as const) {
    Object.assign(plan, { call, manner: "ENOSPC", at: 1, seen: 0, forGood: true });
    await expect(store.snapshot()).rejects.toThrow("ENOSPC");
    expect(names(dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    expect(readFileSync(path.join(dir, "stagedoor.json"))).toEqual(before);
    plan.at = 0;
    expect(store.transact(addProfile(names(dir).length * 100 + notices.length)).ok).toBe(true);
  }
  expect(notices).toHaveLength(3);
  expect(contents((await open(abandon(dir))).world)).toEqual(contents(store.world));
  await store.snapshot();
  expect(names(dir)).toEqual(["stagedoor.json"]);
});

test("a change in bulk for which there is no room changes nothing", async () => {
  const dir = newDir();
  const plan = noFault();
  const store = await open(dir, { files: faultyFiles(plan) });
  store.transact(addProfile(1));
  const before = contents(store.world);
  for (const call of ["create", "write", "sync", "rename"] as const) {
    Object.assign(plan, { call, manner: "ENOSPC", at: 1, seen: 0, forGood: true });
    expect(store.transactBulk(addProfile(2), [])).toEqual({ ok: false, problem: { code: "disk_full" } });
    plan.at = 0;
    expect(contents(store.world)).toEqual(before);
    expect(contents((await open(abandon(dir))).world)).toEqual(before);
  }
  expect(store.transactBulk(addProfile(2), []).ok).toBe(true);
});

test("with durability `disk` many wait for few syncs", async () => {
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

test("with durability `process` the journal is synced within a second, and nobody waits for it", async () => {
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

test("a change nested too deep to be written is refused before it is written", async () => {
  const dir = newDir();
  const store = await open(dir);
  store.transact(addProfile(1));
  const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`);
  const before = readFileSync(path.join(dir, "journal-1.ndjson"));
  expect(() => store.transact(addProfile(2, { metadata: deep }))).toThrow(RangeError);
  expect(readFileSync(path.join(dir, "journal-1.ndjson"))).toEqual(before);
  expect(store.transact(addProfile(2)).ok).toBe(true);
});

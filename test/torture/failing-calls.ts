/**
 * The nth file-system call fails, for every n: no acknowledged change is lost,
 * memory equals the disk, a failed opening succeeds after the fault, and changes are accepted again.
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Changes } from "#domain/decision.ts";
import type { Store } from "#domain/store.ts";
import { StoreFailure } from "#store/failure.ts";
import { openStore, type StoreOptions } from "#store/store.ts";
import { CALLS, faultyFiles, hastyFiles, type Manner, type Plan } from "#test/store/faulty-files.ts";
import { APP, AT, addProfile, beginning, contents, never } from "#test/store/records.ts";
import type { Trial } from "./trial.ts";

const open = (dir: string, more: Partial<StoreOptions> = {}): Promise<Store> =>
  openStore({
    ...{ dir, durability: "disk", initial: beginning, onNotice: () => undefined, later: never, files: hastyFiles },
    ...more,
  });

/** A directory without its lock, as a kill leaves it. */
const copyTo = (from: string, to: string): string => {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { mode: 0o700 });
  cpSync(from, to, { recursive: true, filter: (name) => path.basename(name) !== "lock.json" });
  return to;
};

/** Saves a snapshot and waits briefly until it is stored. */
const save = async (store: Store, moments: Moments): Promise<void> => {
  const saved = store.snapshots.save("moment", null, AT);
  if (saved.ok) moments.set(saved.value.seq, numbersIn(store));
  for (let turn = 0; turn < 20 && store.snapshots.list(null).some(({ stored }) => !stored); turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
};

/** The profiles in each snapshot, by the number of its last change. */
type Moments = Map<number, number[]>;

/** Performs typical work. @returns the numbers of the acknowledged profiles. */
const work = async (store: Store, moments: Moments): Promise<Set<number>> => {
  const acknowledged = new Set(numbersIn(store));
  const add = (n: number): void => {
    if (store.transact(addProfile(n)).ok) acknowledged.add(n);
  };
  const write = async (during: number): Promise<void> => {
    const written = store.writeDocument().catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    add(during);
    await written;
  };
  for (const n of [1, 2]) add(n);
  await store.durable()?.catch(() => undefined);
  await write(3);
  for (const n of [4, 5]) add(n);
  await store.durable()?.catch(() => undefined);
  await write(6);
  await save(store, moments);
  const bulk = store.transact((world) => {
    const changes = new Changes(world);
    changes.remove("profiles", APP, world.app(APP)?.profiles.map(({ userId }) => userId) ?? []);
    return changes.decided(null);
  });
  if (bulk.ok) acknowledged.clear();
  for (const n of [7, 8]) add(n);
  return acknowledged;
};

const numbersIn = (store: Store): number[] =>
  (store.world.app(APP)?.profiles ?? []).map(({ userId }) => Number.parseInt(userId.slice(-12), 16));

/** What a start can find. */
const BEGINNINGS = ["nothing", "a crash"] as const;

/** A crash with a torn end, a stale lock and leftovers of an interrupted document write. */
const crashed = async (trial: Trial): Promise<string> => {
  const [live, dir] = [trial.newDir(), trial.newDir()];
  const store = await open(live);
  for (const n of [11, 12, 13]) store.transact(addProfile(n));
  copyTo(live, dir);
  await store.close();
  const journal = path.join(dir, "journal-1.ndjson");
  writeFileSync(journal, readFileSync(journal).subarray(0, -20));
  const stale = { pid: 0, instance: "0".repeat(24), consoleUrl: null };
  writeFileSync(path.join(dir, "lock.json"), JSON.stringify(stale));
  writeFileSync(path.join(dir, `stagedoor.json.${"a".repeat(24)}.tmp`), "{");
  return dir;
};

/** One run under a plan. @returns whether the fault occurred at all. */
const run = async (trial: Trial, plan: Plan, base: string | undefined, scratch: string): Promise<boolean> => {
  const dir = path.join(scratch, "data");
  const label = `${plan.manner} at call ${plan.at} of ${plan.call}${plan.forGood ? ", for good" : ""} after ${base === undefined ? "nothing" : "a crash"}`;
  rmSync(dir, { recursive: true, force: true });
  if (base !== undefined) {
    copyTo(base, dir);
    copyFileSync(path.join(base, "lock.json"), path.join(dir, "lock.json"));
  }
  const before = base === undefined ? [] : [11, 12];
  let store: Store;
  try {
    store = await open(dir, { files: faultyFiles(plan) });
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    trial.count("starts refused");
    // Only what cannot be read may be reported as damage; everything else is an environment error.
    trial.check(
      error.exitStatus === 1 || (plan.call === "read" && !["EACCES", "EMFILE"].includes(plan.manner)),
      `${label}: status ${error.exitStatus}: ${error.message}`,
    );
    plan.at = 0;
    const next = await open(dir);
    trial.same(numbersIn(next), before, `${label}: opened after the fault ended`);
    await next.close();
    return true;
  }
  const moments: Moments = new Map();
  const acknowledged = await work(store, moments);
  trial.same(numbersIn(store).sort(), [...acknowledged].sort(), `${label}: memory`);
  const reopened = async (what: string): Promise<void> => {
    const saved = store.snapshots.list(null).filter(({ stored }) => stored);
    const other = await open(copyTo(dir, path.join(scratch, "copy")));
    trial.same(contents(other.world), contents(store.world), `${label}: ${what}`);
    for (const { name, seq } of saved) {
      const restored = await other.snapshots.restore(name, null);
      trial.check(restored.ok, `${label}: a stored snapshot cannot be restored ${what}`);
      trial.same(numbersIn(other), moments.get(seq), `${label}: a stored snapshot ${what}`);
      trial.count("stored snapshots restored");
    }
    await other.close();
  };
  await reopened("after a kill");
  const came = plan.seen >= plan.at;
  plan.at = 0;
  let goesOn = store.transact(addProfile(21)).ok;
  if (!goesOn) {
    // After a failed sync, a document file has to write everything again; housekeeping does so by itself.
    await store.writeDocument();
    trial.count("repaired by a document file");
    goesOn = store.transact(addProfile(21)).ok;
  }
  trial.check(goesOn, `${label}: no change is accepted after the fault ended`);
  await store.durable();
  await reopened("after the fault was over");
  await store.close();
  await reopened("after a stop");
  return came;
};

/** @param manners how calls fail: an error code, half a write with an error, or a short write. @param calls which fail. */
export const failingCalls =
  (manners: readonly Manner[], calls: readonly Plan["call"][] = CALLS) =>
  async (trial: Trial): Promise<void> => {
    const base = await crashed(trial);
    const scratch = trial.newDir();
    for (const beginning of BEGINNINGS) {
      for (const call of calls) {
        const isWrite = call.startsWith("write");
        for (const manner of manners.filter((one) => isWrite || (one !== "half" && one !== "short"))) {
          for (const forGood of [false, true]) {
            let came = true;
            for (let at = 1; came; at += 1) {
              const plan = { call, at, manner, forGood, seen: 0 };
              came = await run(trial, plan, beginning === "nothing" ? undefined : base, scratch);
              if (came) trial.count("calls failed");
            }
          }
        }
      }
    }
  };

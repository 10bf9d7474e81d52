/**
 * A held lock: its renewal, and the check before a late write. Two stores of this process stand for two
 * processes; the first "stops" when its time does.
 */
import { EventEmitter, once } from "node:events";
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Store } from "#domain/store.ts";
import { type FileSystem, nodeFiles } from "#store/disk/files.ts";
import type { Processes } from "#store/disk/lock-file.ts";
import type { StoreOptions } from "#store/store.ts";
import { APP, addProfile, uuid } from "#test/store/records.ts";
import { newDir, open } from "#test/store/support.ts";
import { HandTime } from "#test/torture/hand-time.ts";

/** The time of one process: both its clocks and its timers. */
class Clocks extends HandTime {
  /** How far the wall clock is ahead of the monotonic clock. */
  ahead = 1_763_650_000_000;

  /** Advances both clocks without running timers: the process was paused. */
  stop(ms: number): void {
    this.now += ms;
  }

  get options(): Partial<StoreOptions> {
    const wait = (ms: number): Promise<void> => this.pass(ms);
    return { now: () => this.ahead + this.now, monotonic: () => this.now, later: this.later, wait };
  }
}

const container = (name: string): Processes => ({ pid: 1, boot: "boot", pidNamespace: name, lives: () => true });

/** Opens a store as a process of its own, under a name for the directory that this process does not hold yet. */
const openAs = async (name: string, dir: string, clocks: Clocks, more: Partial<StoreOptions> = {}): Promise<Store> => {
  const alias = path.join(newDir(), name);
  symlinkSync(dir, alias);
  const files: FileSystem = { ...(more.files ?? nodeFiles), realPath: (at) => at };
  const options = { processes: container(name), ...clocks.options, ...more, files };
  return open(alias, options);
};

const lockOf = (dir: string) => JSON.parse(readFileSync(path.join(dir, "lock.json"), "utf8"));
const profilesOf = (store: Store): string[] => store.world.app(APP)?.profiles.map(({ userId }) => userId) ?? [];
const taken = { ok: false, problem: { code: "taken_over" } };

test("the lock is renewed in place every 2 s", async () => {
  const dir = newDir();
  const clocks = new Clocks();
  const store = await openAs("a", dir, clocks);
  const { ino, size } = statSync(path.join(dir, "lock.json"));
  const renewals: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    await clocks.pass(2_000);
    renewals.push(lockOf(dir).renewals);
  }
  expect(renewals).toEqual([1, 2, 3]);
  store.setConsoleUrl("http://127.0.0.1:4012");
  expect(lockOf(dir)).toMatchObject({ pid: 1, pidNamespace: "a", consoleUrl: "http://127.0.0.1:4012" });
  expect(statSync(path.join(dir, "lock.json"))).toMatchObject({ ino, size });
  await store.close();
  expect(readdirSync(dir)).toEqual(["stagedoor.json"]);
});

test.each([
  ["both clocks", (clocks: Clocks) => clocks.stop(60_000)],
  [
    "the wall clock alone, as after the machine slept",
    (clocks: Clocks) => {
      clocks.ahead += 60_000;
    },
  ],
  [
    "the monotonic clock alone, as after the wall clock was set back",
    (clocks: Clocks) => {
      clocks.stop(60_000);
      clocks.ahead -= 120_000;
    },
  ],
])("after a 60 s pause of %s, with no other process, writes succeed and renew the lock", async (_, pause) => {
  const dir = newDir();
  const clocks = new Clocks();
  const store = await openAs("a", dir, clocks);
  for (const n of [1, 2, 3]) {
    pause(clocks);
    expect(store.transact(addProfile(n)).ok).toBe(true);
    expect(lockOf(dir).renewals).toBe(n);
  }
});

test("a write checks the lock only if the last renewal is more than 4 s old", async () => {
  const dir = newDir();
  const clocks = new Clocks();
  let looks = 0;
  const files: FileSystem = {
    ...nodeFiles,
    stat: (at) => {
      if (at.endsWith("lock.json")) looks += 1;
      return nodeFiles.stat(at);
    },
  };
  const store = await openAs("a", dir, clocks, { files });
  looks = 0;
  clocks.stop(4_000);
  store.transact(addProfile(1));
  expect(looks).toBe(0);
  clocks.stop(1);
  store.transact(addProfile(2));
  expect(looks).toBeGreaterThan(0);
});

test("a removed lock is restored, however long the pause", async () => {
  const dir = newDir();
  const clocks = new Clocks();
  const store = await openAs("a", dir, clocks);
  store.transact(addProfile(1));
  rmSync(path.join(dir, "lock.json"));
  clocks.stop(3_600_000);
  expect(store.transact(addProfile(2)).ok).toBe(true);
  expect(lockOf(dir)).toMatchObject({ pidNamespace: "a" });
  await store.close();
  expect(readdirSync(dir)).toEqual(["stagedoor.json"]);
});

test("a lock that an editor replaced with an identical copy is still ours", async () => {
  const dir = newDir();
  const clocks = new Clocks();
  const store = await openAs("a", dir, clocks);
  const lock = path.join(dir, "lock.json");
  const text = readFileSync(lock);
  rmSync(lock);
  writeFileSync(lock, text);
  clocks.stop(5_000);
  expect(store.transact(addProfile(1)).ok).toBe(true);
  await clocks.pass(2_000);
  expect(lockOf(dir).renewals).toBeGreaterThan(1);
});

/** A first holder that pauses, and a process of another container that takes over. */
const takeover = async (more: Partial<StoreOptions> = {}) => {
  const dir = newDir();
  const notices: string[] = [];
  const clocks = new Clocks();
  const first = await openAs("a", dir, clocks, { onNotice: (text) => notices.push(text), ...more });
  first.transact(addProfile(1));
  clocks.stop(60_000);
  const later = new Clocks();
  const second = await openAs("b", dir, later);
  return { dir, clocks, first, second, later, notices };
};

test("after a takeover the first process answers 507 and reports it once", async () => {
  const { dir, clocks, first, second, notices } = await takeover();
  expect(profilesOf(second)).toContain(uuid(1));
  expect(second.transact(addProfile(2)).ok).toBe(true);
  expect(first.transact(addProfile(3))).toMatchObject(taken);
  expect(profilesOf(first)).not.toContain(uuid(3));
  await second.close();
  await clocks.pass(10_000);
  expect(first.transact(addProfile(4))).toMatchObject(taken);
  await first.writeDocument();
  await first.close();
  expect(notices).toEqual([expect.stringContaining("process 1 of another container or machine")]);
  expect(readdirSync(dir)).toEqual(["stagedoor.json"]);
  const third = await open(dir);
  expect(profilesOf(third)).toEqual(expect.arrayContaining([1, 2].map(uuid)));
  expect(profilesOf(third)).not.toContain(uuid(3));
});

test("after a takeover it does not write either when the other process has stopped and left no lock", async () => {
  const { dir, first, second } = await takeover();
  expect(second.transact(addProfile(2)).ok).toBe(true);
  await second.close();
  expect(readdirSync(dir)).toEqual(["stagedoor.json"]);
  expect(first.transact(addProfile(3))).toMatchObject(taken);
  await first.close();
  expect(profilesOf(await open(dir))).toContain(uuid(2));
});

test("the last write to its journal does not mix with the new holder's", async () => {
  const dir = newDir();
  const clocks = new Clocks();
  let meanwhile: (() => Promise<Store>) | undefined;
  let second: Promise<Store> | undefined;
  // Paused between the lock check and the write.
  const files: FileSystem = {
    ...nodeFiles,
    write: (fd, bytes, offset, length, position) => {
      if (meanwhile !== undefined && bytes.includes(uuid(2))) {
        second = meanwhile();
        meanwhile = undefined;
      }
      return nodeFiles.write(fd, bytes, offset, length, position);
    },
  };
  const first = await openAs("a", dir, clocks, { files });
  first.transact(addProfile(1));
  const other = await openAs("b", newDir(), new Clocks());
  await other.close();
  meanwhile = () => {
    clocks.stop(60_000);
    // Written by hand, since nothing can be awaited in the middle of a write: the other process's lock.
    const lock = path.join(dir, "lock.json");
    const text = JSON.stringify({ ...lockOf(dir), instance: "b".repeat(24), pidNamespace: "b" });
    rmSync(lock);
    writeFileSync(lock, text);
    return Promise.resolve(other);
  };
  expect(first.transact(addProfile(2))).toMatchObject(taken);
  expect(second).toBeDefined();
  expect(profilesOf(first)).not.toContain(uuid(2));
  await first.close();
  // That holder is in another container and never renews.
  const late = new Clocks();
  const third = await openAs("c", dir, late);
  third.transact(addProfile(3));
  writeFileSync(path.join(dir, "journal-1.ndjson"), "what the first one had open\n");
  await third.close();
  expect(profilesOf(await open(dir))).toContain(uuid(3));
});

/** A file system in which, once armed, a call waits until it is released. */
const gatedFiles = (call: "syncLater" | "syncDataLater") => {
  const events = new EventEmitter();
  const goOn = (): void => {
    state.isArmed = false;
    events.emit("go on");
  };
  const state = { isArmed: false, reached: once(events, "reached"), goOn };
  const files: FileSystem = {
    ...nodeFiles,
    [call]: async (fd: number) => {
      if (state.isArmed) {
        const gate = once(events, "go on");
        events.emit("reached");
        await gate;
      }
      await nodeFiles[call](fd);
    },
  };
  return { files, state };
};

test("after a takeover an unfinished document file does not replace the new holder's", async () => {
  const dir = newDir();
  const clocks = new Clocks();
  const { files, state } = gatedFiles("syncLater");
  const first = await openAs("a", dir, clocks, { files });
  first.transact(addProfile(1));
  state.isArmed = true;
  const written = first.writeDocument();
  await state.reached;
  clocks.stop(60_000);
  const second = await openAs("b", dir, new Clocks());
  second.transact(addProfile(2));
  await second.writeDocument();
  const text = readFileSync(path.join(dir, "stagedoor.json"), "utf8");
  state.goOn();
  await expect(written).rejects.toThrow();
  expect(readFileSync(path.join(dir, "stagedoor.json"), "utf8")).toBe(text);
});

test("a process that stops after a takeover leaves the new holder its lock", async () => {
  const dir = newDir();
  const clocks = new Clocks();
  const first = await openAs("a", dir, clocks);
  clocks.stop(60_000);
  const second = await openAs("b", dir, new Clocks());
  // It has nothing to write, so only the release looks at the lock.
  await first.close();
  expect(lockOf(dir)).toMatchObject({ pidNamespace: "b" });
  expect(second.transact(addProfile(1)).ok).toBe(true);
});

/** Another process takes the lock, and does nothing else: it does not remove temporary files either. */
const replaceLock = (dir: string): void => {
  const text = JSON.stringify({ ...lockOf(dir), instance: "b".repeat(24), pidNamespace: "b" });
  rmSync(path.join(dir, "lock.json"));
  writeFileSync(path.join(dir, "lock.json"), text);
};

test("a document file whose lock is lost while it is written is not published", async () => {
  const dir = newDir();
  const clocks = new Clocks();
  const { files, state } = gatedFiles("syncLater");
  const first = await openAs("a", dir, clocks, { files });
  const text = readFileSync(path.join(dir, "stagedoor.json"), "utf8");
  first.transact(addProfile(1));
  state.isArmed = true;
  const written = first.writeDocument();
  await state.reached;
  clocks.stop(60_000);
  replaceLock(dir);
  state.goOn();
  await expect(written).rejects.toThrow("another process uses the data folder");
  expect(readFileSync(path.join(dir, "stagedoor.json"), "utf8")).toBe(text);
});

test("with --durability disk, a late response is 507 too", async () => {
  const dir = newDir();
  const clocks = new Clocks();
  const { files, state } = gatedFiles("syncDataLater");
  const first = await openAs("a", dir, clocks, { durability: "disk", files });
  state.isArmed = true;
  first.transact(addProfile(1));
  const answer = first.durable();
  await state.reached;
  clocks.stop(60_000);
  const second = await openAs("b", dir, new Clocks());
  state.goOn();
  await expect(answer).rejects.toMatchObject({ problem: { code: "taken_over" } });
  expect(profilesOf(second)).toContain(uuid(1));
});

test("writes are refused while the lock cannot be renewed, and accepted again afterwards", async () => {
  const dir = newDir();
  const clocks = new Clocks();
  let fails = false;
  const files: FileSystem = {
    ...nodeFiles,
    write: (fd, bytes, offset, length, position) => {
      if (fails && position === 0) throw Object.assign(new Error("EIO"), { code: "EIO", syscall: "write" });
      return nodeFiles.write(fd, bytes, offset, length, position);
    },
  };
  const store = await openAs("a", dir, clocks, { files });
  store.transact(addProfile(1));
  fails = true;
  clocks.stop(5_000);
  expect(store.transact(addProfile(2))).toMatchObject({ ok: false, problem: { code: "disk_failed" } });
  fails = false;
  expect(store.transact(addProfile(2)).ok).toBe(true);
  expect(profilesOf(store)).toContain(uuid(2));
});

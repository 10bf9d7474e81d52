/** One process per data directory. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { nodeFiles } from "#store/disk/files.ts";
import type { Processes } from "#store/disk/lock-file.ts";
import { until, useDriver } from "#test/store/child.ts";
import { newDir, open, refusal } from "#test/store/support.ts";
import { HandTime } from "#test/torture/hand-time.ts";

const start = useDriver();

const lockOf = (dir: string): unknown => JSON.parse(readFileSync(path.join(dir, "lock.json"), "utf8"));
const INSTANCE = "0123456789abcdef01234567";
const HERE = { boot: "this boot", pidNamespace: "this namespace" };

const writeLock = (dir: string, pid: number, consoleUrl: string | null, more: object = HERE): void =>
  writeFileSync(path.join(dir, "lock.json"), JSON.stringify({ pid, instance: INSTANCE, consoleUrl, ...more }));

/** A process list in which only these are alive. */
const only = (...alive: number[]): Processes => ({ pid: process.pid, ...HERE, lives: (pid) => alive.includes(pid) });

test("the lock names pid, boot, pid namespace and console, and a clean stop removes it", async () => {
  const dir = newDir();
  const store = await open(dir);
  expect(lockOf(dir)).toMatchObject({ pid: process.pid, consoleUrl: null });
  if (process.platform === "linux") {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    expect(lockOf(dir)).toMatchObject({ boot, pidNamespace: expect.stringMatching(/^pid:\[\d+\]$/) });
  }
  store.setConsoleUrl("http://127.0.0.1:4012");
  expect(lockOf(dir)).toMatchObject({ pid: process.pid, consoleUrl: "http://127.0.0.1:4012" });
  await store.close();
  expect(readdirSync(dir)).toEqual(["stagedoor.json"]);
});

test.each([
  ["a lock of this version", HERE],
  ["a lock of version 0.1.0", {}],
])("%s: a living holder keeps it, even if its console does not answer", async (_, more) => {
  const dir = newDir();
  writeLock(dir, 4711, "http://127.0.0.1:1", more);
  const failure = await refusal(dir, { processes: only(4711) });
  expect(failure).toMatchObject({ exitStatus: 1, holder: { pid: 4711, consoleUrl: "http://127.0.0.1:1" } });
  expect(failure.message).toContain("4711");
  expect(failure.message).toContain("http://127.0.0.1:1");
  expect(lockOf(dir)).toMatchObject({ pid: 4711, instance: INSTANCE });
  expect(readdirSync(dir)).toEqual(["lock.json"]);
});

test("a process cannot open the same directory twice", async () => {
  const dir = newDir();
  await open(dir);
  expect(await refusal(dir)).toMatchObject({ exitStatus: 1 });
});

test.each([
  ["a process that is gone", (dir: string) => writeLock(dir, 4711, "http://127.0.0.1:1")],
  ["a process of version 0.1.0 that is gone", (dir: string) => writeLock(dir, 4711, null, {})],
  ["our own pid, as in a restarted container", (dir: string) => writeLock(dir, process.pid, "http://127.0.0.1:1")],
  ["no pid at all", (dir: string) => writeLock(dir, -1, null)],
  ["nothing, after a power failure", (dir: string) => writeFileSync(path.join(dir, "lock.json"), "")],
])("a lock of %s is taken over", async (_, prepare) => {
  const dir = newDir();
  prepare(dir);
  const time = new HandTime();
  const store = await open(dir, { processes: only(), monotonic: () => time.now, wait: (ms) => time.pass(ms) });
  expect(time.now).toBeLessThan(1000);
  expect(lockOf(dir)).toMatchObject({ pid: process.pid });
  await store.close();
  expect(readdirSync(dir)).toEqual(["stagedoor.json"]);
});

const ELSEWHERE = [
  ["another pid namespace", { ...HERE, pidNamespace: "of a container" }],
  ["another boot", { ...HERE, boot: "of another machine" }],
] as const;

describe.each(ELSEWHERE)("a lock of %s", (_, elsewhere) => {
  test("is watched for 6 s and taken over if it does not change, whatever its pid means here", async () => {
    for (const [pid, alive] of [
      [4711, [4711]],
      [4711, []],
      [process.pid, []],
    ] as const) {
      const dir = newDir();
      writeLock(dir, pid, "http://127.0.0.1:1", elsewhere);
      const time = new HandTime();
      const notices: string[] = [];
      const store = await open(dir, {
        processes: only(...alive),
        monotonic: () => time.now,
        wait: (ms) => time.pass(ms),
        onNotice: (text) => notices.push(text),
      });
      expect(time.now).toBeGreaterThanOrEqual(6_000);
      expect(time.now).toBeLessThan(6_100);
      expect(notices).toEqual([expect.stringMatching(`process ${pid} of another container or machine.*for 6 s`)]);
      expect(notices[0]).toContain("http://127.0.0.1:1");
      await store.close();
    }
  });

  test("is respected as soon as it changes", async () => {
    const dir = newDir();
    writeLock(dir, 1, "http://127.0.0.1:1", { ...elsewhere, renewals: 7 });
    const time = new HandTime();
    time.later(1_990, () => writeLock(dir, 1, "http://127.0.0.1:1", { ...elsewhere, renewals: 8 }));
    const failure = await refusal(dir, {
      processes: only(),
      monotonic: () => time.now,
      wait: (ms) => time.pass(ms),
    });
    expect(failure).toMatchObject({ exitStatus: 1, holder: { pid: 1, consoleUrl: "http://127.0.0.1:1" } });
    expect(time.now).toBeLessThan(2_100);
    expect(lockOf(dir)).toMatchObject({ instance: INSTANCE });
  });

  test("is taken over at once if it disappears while watched", async () => {
    const dir = newDir();
    writeLock(dir, 1, null, elsewhere);
    const time = new HandTime();
    time.later(1_000, () => rmSync(path.join(dir, "lock.json")));
    const store = await open(dir, { processes: only(), monotonic: () => time.now, wait: (ms) => time.pass(ms) });
    expect(time.now).toBeLessThan(1_100);
    await store.close();
  });

  test("is left alone by a start that is aborted meanwhile", async () => {
    const dir = newDir();
    writeLock(dir, 1, null, elsewhere);
    const stop = new AbortController();
    const opening = open(dir, { processes: only(), signal: stop.signal, onNotice: () => stop.abort() });
    await expect(opening).rejects.toMatchObject({ name: "AbortError" });
    expect(readdirSync(dir)).toEqual(["lock.json"]);
  });

  test("is taken over together with equally stale takeover files", async () => {
    const dir = newDir();
    writeLock(dir, 1, null, elsewhere);
    const heir = path.join(dir, `lock-heir-${INSTANCE}.tmp`);
    writeFileSync(heir, JSON.stringify({ pid: 1, instance: "1".repeat(24), consoleUrl: null, ...elsewhere }));
    const time = new HandTime();
    const store = await open(dir, { processes: only(), monotonic: () => time.now, wait: (ms) => time.pass(ms) });
    expect(time.now).toBeLessThan(12_200);
    await store.close();
    expect(readdirSync(dir)).toEqual(["stagedoor.json"]);
  });
});

test("a start refuses, naming the process, when another one paused in the middle of a takeover", async () => {
  const dir = newDir();
  writeLock(dir, 4711, null);
  const heir = path.join(dir, `lock-heir-${INSTANCE}.tmp`);
  writeFileSync(heir, JSON.stringify({ pid: 4712, instance: "1".repeat(24), consoleUrl: null, ...HERE }));
  const time = new HandTime();
  const more = { processes: only(4712), monotonic: () => time.now, wait: (ms: number) => time.pass(ms) };
  expect(await refusal(dir, more)).toMatchObject({ exitStatus: 1, holder: { pid: 4712 } });
});

test("a console URL in the lock is not repeated if it leads to another machine or contains escape sequences", async () => {
  for (const url of [
    "http://example.com:4012",
    "http://127.0.0.1:1@example.com",
    "http://127.0.0.1:1/\u001b[2J",
    "\u001b]0;x\u0007",
  ]) {
    const dir = newDir();
    writeLock(dir, 4711, url);
    const time = new HandTime();
    const more = { monotonic: () => time.now, wait: (ms: number) => time.pass(ms) };
    const failure = await refusal(dir, { processes: only(4711), ...more });
    expect(failure.message).toContain("process 4711 (it is still starting)");
    expect(failure.message).not.toContain(url);
  }
});

test("takeover files of dead processes do not block a start", async () => {
  const dir = newDir();
  writeLock(dir, 4711, null);
  const heir = (of: string, instance: string, pid: number): void =>
    writeFileSync(path.join(dir, `lock-heir-${of}.tmp`), JSON.stringify({ pid, instance, consoleUrl: null }));
  heir(INSTANCE, "1".repeat(24), 4712);
  heir("1".repeat(24), "2".repeat(24), 4713);
  writeFileSync(path.join(dir, `lock-4712-${"1".repeat(24)}.tmp`), "half");
  await (await open(dir, { processes: only() })).close();
  expect(readdirSync(dir)).toEqual(["stagedoor.json"]);
});

test("locking works on a file system without hard links", async () => {
  const dir = newDir();
  const link = (): never => {
    throw Object.assign(new Error("not here"), { code: "ENOTSUP" });
  };
  const files = { ...nodeFiles, link };
  await (await open(dir, { files })).close();
  writeLock(dir, 4711, null);
  const store = await open(dir, { files, processes: only() });
  expect(lockOf(dir)).toMatchObject({ pid: process.pid });
  await store.close();
  writeLock(dir, 4711, "http://127.0.0.1:1");
  expect((await refusal(dir, { files, processes: only(4711) })).message).toContain("4711");
});

test("of twelve simultaneous starts on the lock of a killed process, one wins and the others name it", async () => {
  const dir = newDir();
  const killed = start("hold", dir);
  await until(() => killed.said().length === 1);
  killed.child.kill("SIGKILL");
  await killed.ended;
  const starters = Array.from({ length: 12 }, () => start("hold", dir));
  await until(() => starters.every(({ said }) => said().length === 1));
  const winners = starters.filter(({ said }) => said()[0]?.includes("holds"));
  expect(winners).toHaveLength(1);
  const [winner] = winners;
  for (const { said, ended } of starters.filter((one) => one !== winner)) {
    expect(await ended).toBe(1);
    expect(said()[0]).toContain(`process ${winner?.child.pid} (console at http://127.0.0.1:`);
  }
  winner?.child.kill("SIGKILL");
  await winner?.ended;
  const last = start("hold", dir);
  await until(() => last.said().length === 1);
  expect(last.said()[0]).toContain("holds");
  last.child.stdin?.write("stop\n");
  await last.ended;
  expect(readdirSync(dir)).toEqual(["stagedoor.json"]);
}, 120_000);

/**
 * One process a data directory (CONTRACT 8).
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { nodeFiles } from "#store/files.ts";
import type { Processes } from "#store/lock.ts";
import { until, useDriver } from "./child.ts";
import { newDir, open, refusal } from "./support.ts";

const start = useDriver();

const lockOf = (dir: string): unknown => JSON.parse(readFileSync(path.join(dir, "lock.json"), "utf8"));
const INSTANCE = "0123456789abcdef01234567";

const writeLock = (dir: string, pid: number, consoleUrl: string | null): void =>
  writeFileSync(path.join(dir, "lock.json"), JSON.stringify({ pid, instance: INSTANCE, consoleUrl }));

/** Processes of which only these live. */
const only = (...alive: number[]): Processes => ({ pid: process.pid, lives: (pid) => alive.includes(pid) });

test("the lock names pid and console, and goes with a clean stop", async () => {
  const dir = newDir();
  const store = await open(dir);
  expect(lockOf(dir)).toMatchObject({ pid: process.pid, consoleUrl: null });
  store.setConsoleUrl("http://127.0.0.1:4012");
  expect(lockOf(dir)).toMatchObject({ pid: process.pid, consoleUrl: "http://127.0.0.1:4012" });
  await store.close();
  expect(readdirSync(dir)).toEqual(["stagedoor.json"]);
});

test("a living holder is respected, also if nothing answers at its console", async () => {
  const dir = newDir();
  writeLock(dir, 4711, "http://127.0.0.1:1");
  const failure = await refusal(dir, { processes: only(4711) });
  expect(failure.exitStatus).toBe(1);
  expect(failure.message).toContain("4711");
  expect(failure.message).toContain("http://127.0.0.1:1");
  expect(lockOf(dir)).toMatchObject({ pid: 4711, instance: INSTANCE });
  expect(readdirSync(dir)).toEqual(["lock.json"]);
});

test("the same process does not open a directory twice", async () => {
  const dir = newDir();
  await open(dir);
  expect(await refusal(dir)).toMatchObject({ exitStatus: 1 });
});

test.each([
  ["a process that is gone", (dir: string) => writeLock(dir, 4711, "http://127.0.0.1:1")],
  ["our own pid, as in a container", (dir: string) => writeLock(dir, process.pid, "http://127.0.0.1:1")],
  ["no pid at all", (dir: string) => writeLock(dir, -1, null)],
  ["nothing, after a power cut", (dir: string) => writeFileSync(path.join(dir, "lock.json"), "")],
])("a lock of %s is taken over", async (_, prepare) => {
  const dir = newDir();
  prepare(dir);
  const before = performance.now();
  const store = await open(dir, { processes: only() });
  expect(performance.now() - before).toBeLessThan(3000);
  expect(lockOf(dir)).toMatchObject({ pid: process.pid });
  await store.close();
  expect(readdirSync(dir)).toEqual(["stagedoor.json"]);
});

test("those who were to take over and are gone too do not stand in the way", async () => {
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

test("a file system without second names has locks too", async () => {
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

test("of twelve who start at once on the lock of one that was killed, one wins, and the others name it", async () => {
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
}, 40_000);

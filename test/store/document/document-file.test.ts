/** The document file: its permissions, how it is written, and changes made meanwhile. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Changes } from "#domain/decision.ts";
import type { World } from "#domain/world.ts";
import { nodeFiles } from "#store/disk/files.ts";
import { SLICE } from "#store/document/file.ts";
import { APP, addProfile, contents, profile } from "#test/store/records.ts";
import { abandon, names, newDir, open } from "#test/store/support.ts";

const modeOf = (file: string): number => statSync(file).mode & 0o777;
const documentFileOf = (dir: string): string => path.join(dir, "stagedoor.json");

const addMany = (count: number) => (world: World) => {
  const changes = new Changes(world);
  for (let n = 1; n <= count; n += 1)
    changes.put("profiles", APP, profile(changes.seq, n, { phone: `+1${10_000_000 + n}` }));
  return changes.decided(null);
};

test("directory and files are readable by the owner alone, including those that existed before", async () => {
  const dir = path.join(newDir(), "data");
  const store = await open(dir);
  store.transact(addProfile(1));
  store.setConsoleUrl("http://127.0.0.1:4012");
  expect(modeOf(dir)).toBe(0o700);
  for (const name of readdirSync(dir)) expect([name, modeOf(path.join(dir, name))]).toEqual([name, 0o600]);
  await store.close();
  chmodSync(dir, 0o755);
  chmodSync(documentFileOf(dir), 0o644);
  await open(dir);
  expect([modeOf(dir), modeOf(documentFileOf(dir))]).toEqual([0o700, 0o600]);
});

test("a directory with other content keeps its permissions", async () => {
  const dir = newDir();
  chmodSync(dir, 0o755);
  writeFileSync(path.join(dir, "package.json"), "{}");
  await open(dir);
  expect(modeOf(dir)).toBe(0o755);
});

test("a document file that is a symbolic link stays one, and its target is replaced", async () => {
  const dir = newDir();
  const elsewhere = newDir();
  const store = await open(dir);
  await store.close();
  const target = path.join(elsewhere, "shared.json");
  writeFileSync(target, readFileSync(documentFileOf(dir)));
  nodeFiles.remove(documentFileOf(dir));
  symlinkSync(target, documentFileOf(dir));
  const linked = await open(dir);
  linked.transact(addProfile(1));
  await linked.close();
  expect(lstatSync(documentFileOf(dir)).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, "utf8")).toContain("Ada 1");
  expect(readdirSync(elsewhere)).toEqual(["shared.json"]);
});

test("a dangling link is followed when the directory is new", async () => {
  const dir = newDir();
  const target = path.join(newDir(), "new.json");
  symlinkSync(target, documentFileOf(dir));
  const store = await open(dir);
  expect(store.isNew).toBe(true);
  expect(readFileSync(target, "utf8")).toContain('"version":1');
});

test("temporary names are unpredictable, planted links are not followed, and the next start removes leftovers", async () => {
  const dir = newDir();
  const victim = path.join(newDir(), "victim");
  writeFileSync(victim, "precious");
  mkdirSync(dir, { recursive: true });
  for (const name of [".stagedoor.json.tmp", "stagedoor.json.tmp"]) symlinkSync(victim, path.join(dir, name));
  const leftover = path.join(dir, `stagedoor.json.${"0".repeat(24)}.tmp`);
  writeFileSync(leftover, "half a snaps");
  const created: string[] = [];
  const create = (file: string): number => {
    created.push(path.basename(file));
    return nodeFiles.create(file);
  };
  const store = await open(dir, { files: { ...nodeFiles, create } });
  await store.writeDocument();
  expect(readdirSync(dir)).not.toContain(path.basename(leftover));
  expect(readFileSync(victim, "utf8")).toBe("precious");
  const temporary = created.filter((name) => name.startsWith("stagedoor.json"));
  expect(new Set(temporary).size).toBe(2);
  for (const name of temporary) expect(name).toMatch(/^stagedoor\.json\.[0-9a-f]{24}\.tmp$/);
});

test("each slice is limited in records and in text", async () => {
  const written: string[] = [];
  const writeLater: typeof nodeFiles.writeLater = (fd, bytes, offset, length, position) => {
    written.push(bytes.toString("utf8", offset, offset + length));
    return nodeFiles.writeLater(fd, bytes, offset, length, position);
  };
  const store = await open(newDir(), { files: { ...nodeFiles, writeLater } });
  expect(store.transact(addMany(5000)).ok).toBe(true);
  const big = { text: "x".repeat(15_000) };
  for (let n = 5001; n <= 5040; n += 1) store.transact(addProfile(n, { phone: null, metadata: big }));
  written.length = 0;
  let turns = 0;
  const writing = store.writeDocument();
  let done = false;
  const tick = (): void => {
    turns += 1;
    if (!done) setImmediate(tick);
  };
  tick();
  await writing;
  done = true;
  const lines = written.map((slice) => slice.split("\n").length - 1);
  expect(Math.max(...lines)).toBeLessThanOrEqual(SLICE.records);
  expect(Math.max(...written.map(({ length }) => length))).toBeLessThanOrEqual(SLICE.characters + 16_000);
  // The event loop ran between any two slices.
  expect(turns).toBeGreaterThanOrEqual(written.length);
});

test("changes made while the document file is written are neither lost nor duplicated", async () => {
  const dir = newDir();
  const store = await open(dir);
  store.transact(addMany(3000));
  const written = store.writeDocument();
  let n = 10_000;
  let done = false;
  written.then(
    () => {
      done = true;
    },
    () => undefined,
  );
  while (!done) {
    n += 1;
    expect(store.transact(addProfile(n, { phone: null })).ok).toBe(true);
    if (n === 10_020) {
      const crashed = await open(abandon(dir));
      expect(contents(crashed.world)).toEqual(contents(store.world));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  await written;
  const crashed = await open(abandon(dir));
  expect(contents(crashed.world)).toEqual(contents(store.world));
});

test("the document file is written when the journal outgrows it, and when idle", async () => {
  const timers: { ms: number; action: () => void }[] = [];
  const later = (ms: number, action: () => void) => {
    timers.push({ ms, action });
    return () => undefined;
  };
  const dir = newDir();
  const store = await open(dir, { later });
  const metadata = { text: "x".repeat(16_000) };
  const grow = (from: number, count: number): void => {
    for (let n = from; n < from + count; n += 1) store.transact(addProfile(n, { phone: null, metadata }));
  };
  const settled = async (): Promise<string[]> => {
    for (let round = 0; round < 200 && names(dir).length !== 1; round += 1)
      await new Promise((go) => setTimeout(go, 5));
    return names(dir);
  };
  grow(1, 64);
  expect(names(dir)).toEqual(["journal-1.ndjson", "stagedoor.json"]);
  grow(65, 3);
  expect(await settled()).toEqual(["stagedoor.json"]);

  store.transact(addProfile(900));
  for (let round = 0; round < 200 && names(dir).length !== 1; round += 1) {
    for (const { ms, action } of timers.splice(0)) if (ms > 1000) action();
    await new Promise((go) => setTimeout(go, 5));
  }
  expect(names(dir)).toEqual(["stagedoor.json"]);
  expect(contents((await open(abandon(dir))).world)).toEqual(contents(store.world));
});

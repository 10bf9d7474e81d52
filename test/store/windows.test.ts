/** The store on Windows, as far as a file system that refuses what Windows refuses shows it. See docs/internals/platforms.md. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { bootName } from "#store/disk/lock-file.ts";
import { APP, addProfile, contents } from "./records.ts";
import { filesIn, folderOf, putMany, save, untilStored } from "./snapshots/stored.ts";
import { abandon, names, newDir, open } from "./support.ts";
import { windowsFiles } from "./windows-files.ts";

beforeEach(() => {
  vi.spyOn(process, "platform", "get").mockReturnValue("win32");
});

test("a life: start, changes, a new document while it runs, snapshots replaced and removed, crash, stop", async () => {
  const dir = newDir();
  const files = windowsFiles();
  const store = await open(dir, { files });
  store.transact(putMany(0, 2_000, { metadata: { text: "x".repeat(600) } }));
  await expect.poll(() => names(dir).filter((name) => name.endsWith(".ndjson"))).toEqual([]);
  for (const round of [1, 2]) {
    store.transact(addProfile(5_000 + round));
    save(store, "CON", APP);
    await untilStored(store, APP);
  }
  expect(filesIn(folderOf(store))).toEqual([expect.stringMatching(/^[0-9a-f]{12}-CON\.json$/)]);
  const crashed = await open(abandon(dir), { files });
  expect(contents(crashed.world)).toEqual(contents(store.world));
  expect(crashed.snapshots.remove("CON", APP).ok).toBe(true);
  save(crashed, "CON", APP);
  await untilStored(crashed, APP);
  await store.close();
  expect(names(dir)).toEqual(["snapshots", "stagedoor.json"]);
  expect(contents((await open(dir, { files })).world)).toEqual(contents(crashed.world));
});

test("snapshots whose names differ in case have files that differ in more", async () => {
  const store = await open(newDir(), { files: windowsFiles() });
  for (const name of ["before", "Before", "BEFORE"]) save(store, name, APP);
  await untilStored(store, APP);
  expect(new Set(filesIn(folderOf(store)).map((name) => name.toLowerCase())).size).toBe(3);
});

test("a document that a virus scanner has open is replaced once that closes it", async () => {
  const dir = newDir();
  let looks = 3;
  const files = windowsFiles((file) => path.basename(file) === "stagedoor.json" && looks-- > 0);
  const store = await open(dir, { files });
  expect(looks).toBeLessThan(0);
  expect(store.transact(addProfile(1)).ok).toBe(true);
  looks = 3;
  await store.close();
  expect(names(dir)).toEqual(["stagedoor.json"]);
});

test("one that stays open in an editor costs nothing: the journal stays, and the next start reads it", async () => {
  const dir = newDir();
  let isHeld = false;
  const files = windowsFiles((file) => isHeld && path.basename(file) === "stagedoor.json");
  const store = await open(dir, { files });
  store.transact(addProfile(1));
  const before = contents(store.world);
  isHeld = true;
  await store.close().catch(() => undefined);
  expect(names(dir)).toEqual([expect.stringMatching(/^journal-\d+\.ndjson$/), "stagedoor.json"]);
  isHeld = false;
  expect(contents((await open(dir, { files })).world)).toEqual(before);
});

test("data that Notepad has saved, with CRLF and a byte order mark, is read", async () => {
  const dir = newDir();
  const files = windowsFiles();
  const store = await open(dir, { files });
  store.transact(addProfile(1));
  const before = contents(store.world);
  await store.close();
  const file = path.join(dir, "stagedoor.json");
  const text = readFileSync(file, "utf8").replaceAll("\n", "\r\n");
  files.remove(file);
  const fd = files.create(file);
  const bytes = Buffer.from(`\uFEFF${text}`);
  files.write(fd, bytes, 0, bytes.length, 0);
  files.close(fd);
  expect(contents((await open(dir, { files })).world)).toEqual(before);
});

test("a boot has one name, whatever corrects the clock by seconds, and another one after a restart", () => {
  const boot = 1_763_650_200;
  for (const [after, corrected] of [
    [60, 0],
    [86_400, 2],
    [604_800, -3],
  ] as const)
    expect(bootName(boot + after + corrected, after)).toBe(bootName(boot, 0));
  expect(bootName(boot + 3_600, 30)).not.toBe(bootName(boot, 0));
});

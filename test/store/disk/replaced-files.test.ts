/** Files that are replaced, cut or removed while a process writes to them: noticed, said, and written anew. */
import { readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { HandTime } from "#test/torture/hand-time.ts";
import { REPLACEMENTS } from "#test/torture/replacements.ts";
import { addProfile, contents } from "../records.ts";
import { abandon, newDir, open } from "../support.ts";

const CASES = Object.entries(REPLACEMENTS);

test.each(CASES)("%s: within 2 s, and nothing that was answered is missing after a kill", async (_what, replace) => {
  const dir = newDir();
  const time = new HandTime();
  const notices: string[] = [];
  const clocks = { now: () => 1_763_650_000_000 + time.now, monotonic: () => time.now, later: time.later };
  const store = await open(dir, { ...clocks, onNotice: (text) => notices.push(text) });
  expect(store.transact(addProfile(1)).ok).toBe(true);
  replace(dir, path.join(newDir(), "old"));
  expect(store.transact(addProfile(2)).ok).toBe(true);
  await time.pass(2_000);
  await vi.waitFor(() => expect(store.unwritable()).toBeUndefined());
  expect(store.transact(addProfile(3)).ok).toBe(true);
  expect(notices.some((text) => text.startsWith("recovered: stagedoor.json holds everything"))).toBe(true);
  const again = await open(abandon(dir));
  expect(contents(again.world)).toEqual(contents(store.world));
});

test.each(CASES)("%s: with durability disk, before the response", async (_what, replace) => {
  const dir = newDir();
  const store = await open(dir, { durability: "disk" });
  store.transact(addProfile(1));
  await store.durable();
  replace(dir, path.join(newDir(), "old"));
  store.transact(addProfile(2));
  await expect(store.durable()).rejects.toThrow(/replaced|missing|journal/);
  expect(store.transact(addProfile(3))).toMatchObject({ ok: false });
  await vi.waitFor(() => expect(store.unwritable()).toBeUndefined());
  expect(store.transact(addProfile(3)).ok).toBe(true);
  await store.durable();
  const again = await open(abandon(dir));
  expect(contents(again.world)).toEqual(contents(store.world));
});

test("the folder, by another data set: refused until ours is back, and the other one stays as it is", async () => {
  const [dir, other] = [newDir(), newDir()];
  const stranger = await open(other);
  stranger.transact(addProfile(7));
  await stranger.close();
  const theirs = readFileSync(path.join(other, "stagedoor.json"), "utf8");
  const time = new HandTime();
  const clocks = { now: () => 1_763_650_000_000 + time.now, monotonic: () => time.now, later: time.later };
  const store = await open(dir, clocks);
  store.transact(addProfile(1));
  const aside = path.join(newDir(), "ours");
  renameSync(dir, aside);
  renameSync(other, dir);
  await time.pass(2_000);
  expect(store.unwritable()).toMatch(/was replaced by other data\. Nothing was changed\. Put it back/);
  expect(store.transact(addProfile(2))).toMatchObject({ ok: false, problem: { code: "data_folder_missing" } });
  renameSync(dir, other);
  renameSync(aside, dir);
  await time.pass(2_000);
  expect(store.unwritable()).toBeUndefined();
  expect(store.transact(addProfile(2)).ok).toBe(true);
  expect(readFileSync(path.join(other, "stagedoor.json"), "utf8")).toBe(theirs);
  const again = await open(abandon(dir));
  expect(contents(again.world)).toEqual(contents(store.world));
});

import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withLock } from "../../tools/lock.mjs";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stagedoor-lock-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

test("tasks under one lock run one at a time, and a failure releases the lock", async () => {
  const lock = join(folder, "lock");
  let busy = 0;
  const work = async (): Promise<number> => {
    busy++;
    await sleep(20);
    return busy--;
  };
  const failing = withLock(lock, () => Promise.reject(new Error("no luck")));
  await expect(failing).rejects.toThrow("no luck");
  expect(await Promise.all([1, 2, 3].map(() => withLock(lock, work)))).toEqual([1, 1, 1]);
  expect(await readdir(folder)).toEqual([]);
});

test("a lock of a dead process is ignored, and so is one without an owner", async () => {
  const lock = join(folder, "lock");
  await writeFile(lock, "999999999");
  expect(await withLock(lock, () => Promise.resolve("done"))).toBe("done");
  await writeFile(lock, "");
  await utimes(lock, 0, 0);
  expect(await withLock(lock, () => Promise.resolve("done"))).toBe("done");
});

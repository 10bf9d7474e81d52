/** Processes that die without warning: killed under load, or out of disk space. */
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { until, useDriver } from "#test/store/child.ts";
import { SEEDED } from "#test/store/driver-world.ts";
import { uuid } from "#test/store/records.ts";
import { abandon, newDir, open } from "#test/store/support.ts";

const start = useDriver();

test("kill -9 under load, while the document file is written constantly, loses no acknowledged change", async () => {
  const dir = newDir();
  let acknowledged = 0;
  for (let round = 0; round < 10; round += 1) {
    const { child, said, ended } = start("load", dir);
    await until(() => said().length > 0);
    await new Promise((resolve) => setTimeout(resolve, 5 + round * 12 + Math.random() * 20));
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    const last = Number(said().at(-1));
    expect(last).toBeGreaterThan(acknowledged);
    acknowledged = last;
    expect(existsSync(path.join(dir, "lock.json"))).toBe(true);
    const store = await open(abandon(dir));
    const profiles = store.world.apps[0]?.profiles ?? [];
    expect(profiles.length).toBeGreaterThanOrEqual(acknowledged);
    expect(profiles.every(({ userId }, place) => userId === uuid(place + 1))).toBe(true);
    await store.close();
  }
});

test("kill -9 in the middle of an import leaves all of it or nothing, and none that was acknowledged is lost", async () => {
  const dir = newDir();
  for (let round = 0; round < 12; round += 1) {
    const { child, said, ended } = start("seed", dir);
    await until(() => said().length > round % 3);
    await new Promise((resolve) => setTimeout(resolve, 3 + round * 9));
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    const lines = said().map((line): unknown => JSON.parse(line));
    const acknowledged = Math.max(0, ...lines.filter((line) => typeof line === "number"));
    const store = await open(abandon(dir));
    const { app, profiles = [] } = store.world.app("app") ?? {};
    const made = Number(app?.name);
    expect(made).toBeGreaterThanOrEqual(acknowledged);
    expect(profiles).toHaveLength(made === 0 ? 0 : SEEDED);
    expect(profiles.every(({ name }) => name === String(made))).toBe(true);
    await store.close();
  }
});

test("at the file size limit (EFBIG) memory matches the disk, and work continues with a new document file", async ({
  skip,
}) => {
  skip(process.platform === "win32", "Windows has no limit on the size of files");
  const dir = newDir();
  const { said, ended } = start("fill", dir, 256);
  expect(await ended).toBe("SIGKILL");
  const report: unknown = JSON.parse(said()[0] ?? "null");
  expect(report).toEqual({ problem: "disk_full", many: true, sameInMemory: true, emptied: true, goesOn: true });
  const store = await open(abandon(dir));
  expect(store.world.apps[0]?.profiles.map(({ userId }) => userId)).toEqual([uuid(1)]);
});

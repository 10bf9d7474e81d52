/**
 * Snapshots across `kill -9`: a restore survives like every acknowledged change, and so does every stored snapshot; an
 * unfinished one leaves its predecessor.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SnapshotItem } from "#contract/control/snapshots.ts";
import { caller } from "#test/hosts/client.ts";
import { useBuilt } from "#test/hosts/use-built.ts";

const at = useBuilt();

const control = caller(() => `${at.server.ready.consoleUrl}/emulator/v1`);
const state = async () => (await control("GET", "/state?volatile=1")).text;
const list = async (): Promise<SnapshotItem[]> => (await control("GET", "/snapshots")).json.items;
const untilStored = async (): Promise<void> => {
  while ((await list()).some(({ stored }) => !stored));
};

test("after kill -9 right after a restore, restored data and snapshot exist; faults are gone", async () => {
  await at.start();
  const before = await state();
  expect((await control("PUT", "/snapshots/start")).json).toMatchObject({ stored: false });
  await untilStored();
  const saved = await list();
  await control("POST", "/faults", { match: { path: "/nowhere" }, effect: { drop: true } });
  const { items } = (await control("GET", "/profiles?appId=demo-app")).json;
  const userIds = items.slice(1, 5).map(({ userId }: { userId: string }) => userId);
  await control("POST", "/profiles/delete", { appId: "demo-app", userIds });
  await control("PATCH", `/profiles/${items[0].userId}?appId=demo-app`, { name: "Other" });
  await control("DELETE", "/apps/demo-mail");
  await control("POST", "/apps", { appId: "later" });
  expect((await control("POST", "/snapshots/start/restore")).status).toBe(200);
  expect(await state()).toBe(before);
  await at.server.stop("SIGKILL");

  await at.start();
  expect(await state()).toBe(before);
  expect(await list()).toEqual(saved);
  expect((await control("GET", "/faults")).json.total).toBe(0);
  await control("DELETE", "/apps/demo-mail");
  expect((await control("POST", "/snapshots/start/restore")).status).toBe(200);
  expect(await state()).toBe(before);
  expect((await control("DELETE", "/snapshots/start")).status).toBe(204);
  await at.server.stop("SIGKILL");

  await at.start();
  expect(await list()).toEqual([]);
});

test("after kill -9 while snapshots are written, each is complete or absent, and stored ones stay", async () => {
  await at.start();
  const profiles = Array.from({ length: 5_000 }, (_, n) => ({ phone: `+1${2_100_000_000 + n}`, name: `One ${n}` }));
  const world = { mode: "merge", state: { version: 1, apps: [{ appId: "demo-app", profiles }] } };
  expect((await control("PUT", "/state", world)).status).toBe(200);
  await control("PUT", "/snapshots/held");
  await untilStored();
  for (let round = 0; round < 5; round += 1) {
    await control("POST", "/profiles", { appId: "demo-app", name: `Round ${round}` });
    // The last ones are unfinished when the process ends.
    for (const name of ["held", "a", "b", `new-${round}`]) await control("PUT", `/snapshots/${name}`);
    if (round % 2 === 0) await control("DELETE", "/snapshots/a");
    await at.server.stop("SIGKILL");
    await at.start();
    expect(at.server.stderr()).not.toContain("left out");
    expect((await readdir(join(at.dir, "snapshots"))).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    const found = await list();
    expect(found.map(({ name }) => name)).toContain("held");
    if (round % 2 === 0) expect(found.map(({ name }) => name)).not.toContain("a");
    for (const { name, counts } of found) {
      expect((await control("POST", `/snapshots/${name}/restore`)).status).toBe(200);
      const { json } = await control("GET", "/status");
      expect(json.counts).toMatchObject(counts);
    }
  }
});

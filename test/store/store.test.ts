import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { problem } from "#contract/service/problems.ts";
import { Changes } from "#domain/decision.ts";
import type { FileSystem } from "#store/disk/files.ts";
import { hastyFiles } from "./faulty-files.ts";
import { APP, addProfile, app, contents, KEY, MAIL, passcode, profile, uuid } from "./records.ts";
import { PATIENCE } from "./snapshots/stored.ts";
import { abandon, names, newDir, open } from "./support.ts";

test("a new directory contains a document file and no journal; the first change starts one", async () => {
  const dir = path.join(newDir(), "deep", "data");
  const store = await open(dir);
  expect(store.isNew).toBe(true);
  expect(store.dataDir).toBe(dir);
  expect(names(dir)).toEqual(["stagedoor.json"]);
  const document: unknown = JSON.parse(readFileSync(path.join(dir, "stagedoor.json"), "utf8"));
  expect(document).toMatchObject({ version: 1, seq: 2, key: KEY, fixtures: ["fixtures/demo.json"] });
  store.transact(addProfile(1));
  expect(names(dir)).toEqual(["journal-1.ndjson", "stagedoor.json"]);
});

test("acknowledged changes survive a crash and a clean stop", async () => {
  const dir = newDir();
  const store = await open(dir);
  for (let n = 1; n <= 20; n += 1) expect(store.transact(addProfile(n)).ok).toBe(true);
  const before = contents(store.world);
  const crashed = await open(abandon(dir));
  expect(crashed.isNew).toBe(false);
  expect(contents(crashed.world)).toEqual(before);
  crashed.transact(addProfile(21));
  await store.close();
  expect(names(dir)).toEqual(["stagedoor.json"]);
  const again = await open(dir);
  expect(contents(again.world)).toEqual(before);
  expect(again.keys).toEqual([KEY]);
  expect(again.fixtures).toEqual(["fixtures/demo.json"]);
  // A stop without changes leaves the file untouched.
  const { mtimeMs } = statSync(path.join(dir, "stagedoor.json"));
  await again.close();
  expect(statSync(path.join(dir, "stagedoor.json")).mtimeMs).toBe(mtimeMs);
});

test("look-ups follow the changes", async () => {
  const store = await open(newDir());
  const found = store.transact((world) => {
    const changes = new Changes(world);
    changes.put("profiles", APP, profile(changes.seq, 1, { email: "Ada@Example.com" }));
    changes.put("profiles", APP, profile(changes.seq, 2));
    changes.put("passcodes", APP, passcode(changes.seq, 11, uuid(1)));
    changes.put("passcodes", APP, passcode(changes.seq, 12, uuid(1)));
    return changes.decided(null);
  });
  expect(found.ok).toBe(true);
  const demo = store.world.app(APP);
  expect(demo?.find("profiles", uuid(1))?.name).toBe("Ada 1");
  expect(demo?.profileByUsername("+12025550002")?.userId).toBe(uuid(2));
  expect(demo?.profileByUsername("ada@example.com")).toBeUndefined();
  expect(demo?.of("passcodes", uuid(1)).map(({ id }) => id)).toEqual([uuid(11), uuid(12)]);
  expect(store.world.appBySecret(`secret-${APP}`)).toBe(demo);

  // Swaps two usernames in one transaction; the next one changes strategy and secret.
  store.transact((world) => {
    const changes = new Changes(world);
    const [ada, bob] = world.app(APP)?.profiles ?? [];
    if (ada === undefined || bob === undefined) throw new Error("two profiles");
    changes.put("profiles", APP, { ...ada, phone: bob.phone });
    changes.put("profiles", APP, { ...bob, phone: ada.phone });
    changes.remove("passcodes", APP, [uuid(11), uuid(99)]);
    return changes.decided(null);
  });
  expect(demo?.profileByUsername("+12025550002")?.userId).toBe(uuid(1));
  expect(demo?.profileByUsername("+12025550001")?.userId).toBe(uuid(2));
  expect(demo?.of("passcodes", uuid(1)).map(({ id }) => id)).toEqual([uuid(12)]);
  store.transact((world) => {
    const changes = new Changes(world);
    const before = world.app(APP)?.app ?? app(1, APP);
    changes.putApp({ ...before, strategy: "email", secret: "another" });
    changes.removeApp(MAIL);
    return changes.decided(null);
  });
  expect(demo?.profileByUsername("ADA@EXAMPLE.COM")?.userId).toBe(uuid(1));
  expect(demo?.profileByUsername("+12025550002")).toBeUndefined();
  expect(store.world.appBySecret(`secret-${APP}`)).toBeUndefined();
  expect(store.world.appBySecret("another")).toBe(demo);
  expect(store.world.app(MAIL)).toBeUndefined();
  expect(store.world.apps).toHaveLength(1);
});

test("a refusal can carry changes; a rule that throws changes nothing", async () => {
  const store = await open(newDir());
  const refused = store.transact((world) => {
    const changes = new Changes(world);
    changes.put("profiles", APP, profile(changes.seq, 1));
    return { ...problem("passcode_mismatch"), changes: changes.list };
  });
  expect(refused).toEqual({ ok: false, problem: { code: "passcode_mismatch" } });
  expect(store.world.app(APP)?.profiles).toHaveLength(1);
  const { seq } = store.world;
  expect(() =>
    store.transact(() => {
      throw new Error("defect");
    }),
  ).toThrow("defect");
  expect(store.world.seq).toBe(seq);
});

test.each([
  ["an unknown app", addProfile(1, {}, "no-app")],
  ["a foreign number", addProfile(1, { seq: 900 })],
  ["a duplicate username", addProfile(3, { phone: "+12025550002" })],
])("changes that the next start could not read are not written: %s", async (_, rule) => {
  const dir = newDir();
  const store = await open(dir);
  store.transact(addProfile(2));
  const before = contents(store.world);
  const journal = readFileSync(path.join(dir, "journal-1.ndjson"), "utf8");
  expect(() => store.transact(rule)).toThrow("A rule");
  expect(contents(store.world)).toEqual(before);
  expect(readFileSync(path.join(dir, "journal-1.ndjson"), "utf8")).toBe(journal);
});

test("subscribers receive every transaction in order, whatever the other subscribers do", async () => {
  const notices: string[] = [];
  const store = await open(newDir(), { onNotice: (text) => notices.push(text) });
  const heard: string[] = [];
  store.subscribe((changes) => {
    heard.push(`first ${changes.map(({ seq }) => seq)}`);
    if (store.world.app(APP)?.profiles.length === 1) store.transact(addProfile(2));
  });
  store.subscribe(() => {
    throw new Error("a bad listener");
  });
  const stop = store.subscribe((changes) => heard.push(`last ${changes.map(({ seq }) => seq)}`));
  store.transact(addProfile(1));
  stop();
  store.transact(addProfile(3));
  expect(heard).toEqual(["first 3", "last 3", "first 4", "last 4", "first 5"]);
  expect(notices[0]).toContain("a bad listener");
});

test("the next document file has the fixtures that were set", async () => {
  const dir = newDir();
  const store = await open(dir);
  store.setFixtures(["other.json"]);
  store.transact(addProfile(1));
  await store.writeDocument();
  const crashed = await open(abandon(dir));
  expect([crashed.fixtures, store.fixtures]).toEqual([["other.json"], ["other.json"]]);
  expect(contents(crashed.world)).toEqual(contents(store.world));
});

test("durability `memory` touches no file", async () => {
  const store = await open("/proc/no/such/place", { durability: "memory" });
  expect(store.transact(addProfile(1)).ok).toBe(true);
  expect(store.transact(addProfile(2)).ok).toBe(true);
  expect(store.world.app(APP)?.profiles).toHaveLength(2);
  expect([store.dataDir, store.durable()]).toEqual([null, undefined]);
  await store.writeDocument();
  store.setConsoleUrl("http://127.0.0.1:4012");
  await store.close();
});

test("a stopped store refuses every change", async () => {
  const store = await open(newDir());
  await store.close();
  expect(store.transact(addProfile(1))).toMatchObject({ ok: false, problem: { code: "disk_failed" } });
  expect(store.world.app(APP)?.profiles).toHaveLength(0);
});

test("a stop keeps the directory until a running write has removed the old journals", async () => {
  const dir = newDir();
  const removals: (() => void)[] = [];
  const removeLater: FileSystem["removeLater"] = async (file) => {
    await new Promise<void>((resolve) => removals.push(resolve));
    await hastyFiles.removeLater(file);
  };
  const store = await open(dir, { files: { ...hastyFiles, removeLater } });
  store.transact(addProfile(1));
  const written = store.writeDocument();
  await vi.waitFor(() => expect(removals).toHaveLength(1), PATIENCE);
  const closed = store.close();
  // Whoever started now could find a journal, and not find it when reading it.
  expect(await Promise.race([closed.then(() => "closed"), nextTurn("open")])).toBe("open");
  expect(readdirSync(dir)).toContain("lock.json");
  for (const letGo of removals) letGo();
  await Promise.all([written, closed]);
  expect(readdirSync(dir)).toEqual(["stagedoor.json"]);
  expect((await open(dir)).world.app(APP)?.profiles).toHaveLength(1);
});

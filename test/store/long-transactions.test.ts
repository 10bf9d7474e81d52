/** Transactions in steps: others run in between, and the result is as if they had run one after the other. */
import { expect, test } from "vitest";
import { inSteps, type Steps } from "#contract/steps.ts";
import { Changes, type Decision } from "#domain/decision.ts";
import type { World } from "#domain/world.ts";
import { nodeFiles } from "#store/disk/files.ts";
import { faultyFiles, type Plan } from "./faulty-files.ts";
import { APP, addProfile, app, contents, MAIL, passcode, profile, uuid } from "./records.ts";
import { abandon, between, newDir, open } from "./support.ts";

/** So many that it takes several turns. */
const COUNT = 8_000;

/** Adds many profiles to the app; `during` runs at each pause. */
const importing = (during: (step: number) => void = () => undefined, count = COUNT) =>
  function* (world: World): Steps<Decision<number>> {
    const changes = new Changes(world);
    changes.putApp(app(world.app(APP)?.app.seq ?? 0, APP));
    const numbers = Array.from({ length: count }, (_, i) => i + 1);
    let step = 0;
    for (const _ of inSteps(numbers, (n) => void changes.put("profiles", APP, profile(changes.seq, n)))) {
      during(step++);
      yield undefined;
    }
    return changes.decided(count);
  };

/** @returns a rule that adds many profiles, and how often it has decided. */
const countedImport = () => {
  const rule = importing();
  const counted = {
    decided: 0,
    rule: (world: World): Steps<Decision<number>> => {
      counted.decided += 1;
      return rule(world);
    },
  };
  return counted;
};

test("it is one transaction, with one event, and survives a kill", async () => {
  const dir = newDir();
  const store = await open(dir);
  const published: number[] = [];
  store.subscribe((changes) => void published.push(changes.length));
  const before = store.world.seq;
  expect(await store.transactInSteps(importing())).toEqual({ ok: true, value: COUNT });
  expect(published).toEqual([COUNT + 1]);
  expect(store.world.seq).toBe(before + COUNT + 1);
  expect(store.world.app(APP)?.profiles.map(({ userId }) => userId)).toEqual(
    Array.from({ length: COUNT }, (_, i) => uuid(i + 1)),
  );
  const again = await open(abandon(dir));
  expect(contents(again.world)).toEqual(contents(store.world));
});

test("others change the world while it is decided and written; nothing is lost, and it comes after them", async () => {
  const dir = newDir();
  const store = await open(dir);
  let n = 10_000;
  const crashes: string[] = [];
  // The first steps are made at once.
  const during = (step: number): void => void (step >= 20 && step % 10 === 0 && store.transact(addProfile(++n)));
  const work = store.transactInSteps(importing(during));
  // How many turns it takes is the machine's affair: the faster it is, the fewer.
  await between(work, (turn) => {
    if (turn < 20) expect(store.transact(addProfile(++n)).ok).toBe(true);
    if (turn === 1) crashes.push(abandon(dir));
  });
  expect(await work).toEqual({ ok: true, value: COUNT });
  expect(crashes).toHaveLength(1);
  const ids = store.world.app(APP)?.profiles.map(({ userId }) => userId) ?? [];
  const others = Array.from({ length: n - 10_000 }, (_, i) => uuid(10_001 + i));
  expect(ids).toEqual([...others, ...Array.from({ length: COUNT }, (_, i) => uuid(i + 1))]);
  expect(store.transact(addProfile(++n)).ok).toBe(true);
  const again = await open(abandon(dir));
  expect(contents(again.world)).toEqual(contents(store.world));
  // In the middle, a kill would have left the others, and nothing of it.
  for (const crash of crashes) {
    const left = (await open(crash)).world.app(APP)?.profiles.map(({ userId }) => userId) ?? [];
    expect(left.length).toBeGreaterThan(0);
    expect(others.slice(0, left.length)).toEqual(left);
  }
});

/** A rule that gives the app another name. */
const rename =
  (name: string) =>
  (world: World): Decision<unknown> => {
    const changes = new Changes(world);
    changes.putApp({ ...app(world.app(APP)?.app.seq ?? 0, APP), name });
    return changes.decided(null);
  };

test.each<[string, (world: World) => Decision<unknown>]>([
  ["a username that it gives", addProfile(20_000, { phone: profile(0, 77).phone })],
  ["a user that it stores", addProfile(88, { phone: "+491701234567" })],
  ["its app", rename("renamed")],
])("it decides again if others take %s", async (what, rule) => {
  const store = await open(newDir());
  let decided = 0;
  let isTaken = false;
  const outcome = await store.transactInSteps(function* (world): Steps<Decision<number>> {
    decided += 1;
    const changes = new Changes(world);
    changes.putApp({ ...app(world.app(APP)?.app.seq ?? 0, APP), name: `${world.app(APP)?.app.name} again` });
    for (let n = 1; n <= COUNT; n += 1) {
      const record = profile(changes.seq, n);
      const isFree =
        world.app(APP)?.profileByUsername(record.phone ?? "") === undefined &&
        world.app(APP)?.find("profiles", record.userId) === undefined;
      if (isFree) changes.put("profiles", APP, record);
      if (n % 100 === 0) yield undefined;
    }
    if (!isTaken) {
      isTaken = true;
      expect(store.transact(rule).ok).toBe(true);
    }
    return changes.decided(COUNT);
  });
  expect(outcome).toEqual({ ok: true, value: COUNT });
  expect(decided).toBe(2);
  const { profiles = [], app: record } = store.world.app(APP) ?? {};
  expect(new Set(profiles.map(({ phone }) => phone)).size).toBe(profiles.length);
  expect(profiles).toHaveLength(COUNT);
  expect(record?.name).toBe(what === "its app" ? "renamed again" : `${APP} again`);
});

test("if others contradict it each time, it blocks the event loop in the end, and is made", async () => {
  const dir = newDir();
  const store = await open(dir);
  let renamed = 0;
  const work = store.transactInSteps(importing());
  await between(work, () => void store.transact(rename(`number ${++renamed}`)));
  expect(await work).toEqual({ ok: true, value: COUNT });
  expect(store.world.app(APP)?.profiles).toHaveLength(COUNT);
  const again = await open(abandon(dir));
  expect(contents(again.world)).toEqual(contents(store.world));
});

test("others who change something all the time neither wait for it nor lose anything, wherever a kill comes", async () => {
  const dir = newDir();
  const crashes: { readonly others: number; readonly copy: string }[] = [];
  let n = 10_000;
  const store = await open(dir);
  store.transact(addProfile(50_000));
  const counted = countedImport();
  const work = store.transactInSteps(counted.rule);
  const crash = () => crashes.push({ others: n - 10_000, copy: abandon(dir) });
  await between(work, (turn) => {
    expect(store.transact(addProfile(++n)).ok).toBe(true);
    if (turn < 5) crash();
  });
  crash();
  expect(await work).toEqual({ ok: true, value: COUNT });
  expect(counted.decided).toBe(1);
  expect(store.world.app(APP)?.profiles).toHaveLength(COUNT + 1 + n - 10_000);
  const made: boolean[] = [];
  for (const { others, copy } of crashes) {
    const again = await open(copy);
    const count = again.world.app(APP)?.profiles.length;
    made.push(count === COUNT + 1 + others);
    expect(count).toBe((made.at(-1) ? COUNT : 0) + 1 + others);
    if (made.at(-1) && others === n - 10_000) expect(contents(again.world)).toEqual(contents(store.world));
    expect(again.transact(addProfile(60_000)).ok).toBe(true);
    const seqs = again.world.app(APP)?.profiles.map(({ seq }) => seq) ?? [];
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    await again.close();
    expect(contents((await open(copy)).world)).toEqual(contents(again.world));
  }
  expect([made[0], made.at(-1)]).toEqual([false, true]);
});

test.each(["create", "rename", "remove", "list", "sync", "syncData"] as const)(
  "whichever call of %s fails under constant writes: what was acknowledged is there after a kill",
  async (call) => {
    for (let at = 1, seen = at; seen >= at - 1; at += 1) {
      const plan: Plan = { call, at: 0, manner: "EIO", forGood: false, seen: 0 };
      const dir = newDir();
      const store = await open(dir, { files: faultyFiles(plan) });
      let n = 10_000;
      let acknowledged = 0;
      const work = store.transactInSteps(importing(undefined, 1_100));
      plan.at = at;
      await between(work, () => {
        n += 1;
        if (store.transact(addProfile(n)).ok) acknowledged += 1;
      });
      const outcome = await work;
      ({ seen } = plan);
      plan.at = 0;
      const again = await open(abandon(dir));
      expect(again.world.app(APP)?.profiles).toHaveLength(acknowledged + (outcome.ok ? 1_100 : 0));
      expect(contents(again.world)).toEqual(contents(store.world));
      await again.close();
      await store.close();
    }
  },
);

test("logins of the app, and other apps, do not make it decide again", async () => {
  const dir = newDir();
  const store = await open(dir);
  store.transact(addProfile(50_000));
  let n = 60_000;
  const counted = countedImport();
  const work = store.transactInSteps(counted.rule);
  await between(work, () => {
    const issue = (w: World): Decision<unknown> => {
      const changes = new Changes(w);
      changes.put("passcodes", APP, passcode(changes.seq, ++n, uuid(50_000)));
      return changes.decided(null);
    };
    if (n < 60_020) {
      expect(store.transact(issue).ok).toBe(true);
      expect(store.transact(addProfile(n + 10_000, { email: `u${n}@example.com` }, MAIL)).ok).toBe(true);
    }
  });
  expect((await work).ok).toBe(true);
  expect(counted.decided).toBe(1);
  expect(n).toBeGreaterThan(60_000);
  expect(store.world.app(APP)?.passcodes).toHaveLength(n - 60_000);
  expect(store.world.app(MAIL)?.profiles).toHaveLength(n - 60_000);
  const again = await open(abandon(dir));
  expect(contents(again.world)).toEqual(contents(store.world));
});

test("a full disk refuses it, and nothing has changed", async () => {
  const dir = newDir();
  let isFull = false;
  const write: typeof nodeFiles.write = (...how) => {
    if (isFull) throw Object.assign(new Error("full"), { code: "ENOSPC" });
    return nodeFiles.write(...how);
  };
  const store = await open(dir, { files: { ...nodeFiles, write } });
  store.transact(addProfile(10_000));
  const before = contents(store.world);
  isFull = true;
  expect(await store.transactInSteps(importing())).toEqual({ ok: false, problem: { code: "disk_full" } });
  isFull = false;
  expect(contents(store.world)).toEqual(before);
  expect(contents((await open(abandon(dir))).world)).toEqual(before);
  expect((await store.transactInSteps(importing())).ok).toBe(true);
});

test("a store that is closed meanwhile refuses it, and nothing has changed", async () => {
  const dir = newDir();
  const store = await open(dir);
  const before = contents(store.world);
  const work = store.transactInSteps(importing());
  await new Promise((resolve) => setImmediate(resolve));
  await store.close();
  expect(await work).toMatchObject({ ok: false, problem: { code: "disk_failed" } });
  const again = await open(dir);
  expect(contents(again.world)).toEqual(before);
});

test("two at once are made one after the other", async () => {
  const store = await open(newDir());
  const counted = countedImport();
  const both = await Promise.all([store.transactInSteps(counted.rule), store.transactInSteps(counted.rule)]);
  expect(both.map(({ ok }) => ok)).toEqual([true, true]);
  expect(counted.decided).toBe(2);
  expect(store.world.app(APP)?.profiles).toHaveLength(COUNT);
});

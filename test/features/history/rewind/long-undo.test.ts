/** Undoing and rewinding many records goes in slices: all of it or nothing, beside the changes of others. */
import { describe, expect, test } from "vitest";
import { finish } from "#contract/steps.ts";
import { Changes, type Decision } from "#domain/decision.ts";
import type { Store } from "#domain/store.ts";
import type { World } from "#domain/world.ts";
import { rewindTo } from "#features/history/rewind/rewind.ts";
import { undoOf } from "#features/history/rewind/undo.ts";
import { APP, addProfile, contents, MAIL, passcode, profile, uuid } from "#test/store/records.ts";
import { abandon, between, newDir, open } from "#test/store/support.ts";

/** So many that it takes several turns. */
const COUNT = 12_000;

/** @returns an open store with many users, who came in one transaction, and its number. */
const withMany = async (dir: string) => {
  const store = await open(dir);
  store.transact(addProfile(20_000));
  store.transact((world) => {
    const changes = new Changes(world);
    for (let n = 1; n <= COUNT; n += 1) changes.put("profiles", APP, profile(changes.seq, n));
    return changes.decided(null);
  });
  return { store, seq: store.world.seq };
};

const sendsTo =
  (n: number) =>
  (world: World): Decision<unknown> => {
    const changes = new Changes(world);
    changes.put("passcodes", APP, passcode(changes.seq, 1, uuid(n)));
    return changes.decided(null);
  };

const undone = (store: Store, seq: number) => store.transactInSteps(undoOf(store.history, seq, undefined));
const idsOf = (store: Store) => store.world.app(APP)?.profiles.map(({ userId }) => userId) ?? [];

describe("an undo of many", () => {
  test("leaves turns to others, whose users stay, in one transaction that survives a kill", async () => {
    const dir = newDir();
    const { store, seq } = await withMany(dir);
    const published: number[] = [];
    const work = undone(store, seq);
    let n = 20_000;
    const turns = await between(work, (turn) => {
      if (turn >= 5) return;
      expect(store.transact(addProfile(++n)).ok).toBe(true);
      expect(store.transact(addProfile(n + 10_000, { email: `u${n}@example.com` }, MAIL)).ok).toBe(true);
      published.push(n);
    });
    expect(turns).toBeGreaterThan(2);
    expect(await work).toMatchObject({ ok: true, value: { profiles: COUNT } });
    expect(idsOf(store)).toEqual([20_000, ...published].map(uuid));
    expect(store.world.app(APP)?.profileByUsername(store.world.app(APP)?.profiles[0]?.phone ?? "")?.userId).toBe(
      uuid(20_000),
    );
    const again = await open(abandon(dir));
    expect(contents(again.world)).toEqual(contents(store.world));
    // Redone, also in slices.
    expect(await undone(store, store.world.seq)).toMatchObject({ ok: true, value: { profiles: COUNT } });
    expect(idsOf(store)).toHaveLength(COUNT + 1 + published.length);
  });

  test("is refused, and changes nothing, if one of its users gets a code meanwhile", async () => {
    const { store, seq } = await withMany(newDir());
    const work = undone(store, seq);
    await between(work, (turn) => void (turn === 1 && store.transact(sendsTo(COUNT))));
    expect(await work).toMatchObject({ ok: false, problem: { code: "changed_since" } });
    expect(idsOf(store)).toHaveLength(COUNT + 1);
    expect(store.world.app(APP)?.of("passcodes", uuid(COUNT))).toHaveLength(1);
  });

  test("is all of it or nothing wherever a kill comes", async () => {
    const dir = newDir();
    const { store, seq } = await withMany(dir);
    const left: string[] = [];
    await between(undone(store, seq), () => left.push(abandon(dir)));
    left.push(abandon(dir));
    const counts: number[] = [];
    for (const one of left) counts.push(idsOf(await open(one)).length);
    expect(new Set(counts)).toEqual(new Set([COUNT + 1, 1]));
    expect(counts.toSorted((a, b) => b - a)).toEqual(counts);
  });
});

test("a small undo does not wait for a long one", async () => {
  const { store, seq } = await withMany(newDir());
  store.transact(addProfile(30_000));
  const small = store.world.seq;
  const ended: string[] = [];
  const long = undone(store, seq).then(() => ended.push("long"));
  await new Promise((resolve) => setImmediate(resolve));
  await undone(store, small).then(() => ended.push("small"));
  await long;
  expect(ended).toEqual(["small", "long"]);
  expect(idsOf(store)).toEqual([uuid(20_000)]);
});

test("a rewind of many leaves turns to other apps, and begins anew if its own app changes", async () => {
  const { store, seq } = await withMany(newDir());
  const order = { appId: APP, userId: undefined, turnsClock: false, to: seq - COUNT };
  const work = store.transactInSteps(rewindTo(store.history, order, 0));
  let n = 40_000;
  const turns = await between(work, (turn) => {
    if (turn >= 6) return;
    store.transact(addProfile(++n, { email: `u${n}@example.com` }, MAIL));
    if (turn === 2) store.transact(addProfile(25_000));
  });
  expect(turns).toBeGreaterThan(3);
  expect(await work).toMatchObject({ ok: true });
  expect(idsOf(store)).toEqual([uuid(20_000)]);
  expect(store.world.app(MAIL)?.profiles).toHaveLength(Math.min(turns, 6));
});

test("a rewind of deleted profiles puts them where they were, one or many", async () => {
  for (const count of [1, 15, 16, 200]) {
    const store = await open("", { durability: "memory" });
    store.transact((world: World) => {
      const changes = new Changes(world);
      for (let n = 1; n <= 1_000; n++) changes.put("profiles", APP, profile(changes.seq, n));
      return changes.decided(null);
    });
    const before = structuredClone(store.world.app(APP)?.profiles);
    const { seq } = store.world;
    const ids = (before ?? [])
      .filter((_, place) => place % Math.floor(1_000 / count) === 0)
      .map(({ userId }) => userId);
    store.transact((world) => {
      const changes = new Changes(world);
      changes.remove("profiles", APP, ids);
      return changes.decided(null);
    });
    const order = { appId: APP, userId: undefined, to: seq, turnsClock: false };
    expect(store.transact((world) => finish(rewindTo(store.history, order, 0)(world)))).toMatchObject({ ok: true });
    expect(store.world.app(APP)?.profiles).toEqual(before);
  }
});

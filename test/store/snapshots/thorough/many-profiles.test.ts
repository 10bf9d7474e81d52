/** Named snapshots of 100,000 profiles: what saving and restoring cost. */
import { expect, test } from "vitest";
import { Changes } from "#domain/decision.ts";
import type { World } from "#domain/world.ts";
import { hastyFiles } from "#test/store/faulty-files.ts";
import { APP, AT, contents, profile, uuid } from "#test/store/records.ts";
import { newDir, open } from "#test/store/support.ts";

const addMany = (from: number, to: number) => (world: World) => {
  const changes = new Changes(world);
  for (let n = from; n < to; n += 1) changes.put("profiles", APP, profile(changes.seq, n, { phone: `+1${1e9 + n}` }));
  return changes.decided(null);
};

test("with 100,000 profiles, saving and restoring cost little more than what changed", async () => {
  const store = await open(newDir(), { files: hastyFiles });
  store.transact(addMany(0, 100_000));
  const timed = <T>(action: () => T): { readonly ms: number; readonly value: T } => {
    // CPU time, since other processes may use the machine.
    const before = process.cpuUsage();
    const value = action();
    const { user, system } = process.cpuUsage(before);
    return { ms: (user + system) / 1000, value };
  };
  const saved = timed(() => store.snapshots.save("big", null, AT));
  const whole = timed(() => contents(store.world));
  const before = whole.value as { apps: unknown };
  const rename = (world: World) => {
    const changes = new Changes(world);
    for (let n = 0; n < 1_000; n += 100) changes.put("profiles", APP, profile(n + 3, n, { name: "other" }));
    changes.remove("profiles", APP, [uuid(5), uuid(50_005)]);
    changes.put("profiles", APP, profile(changes.seq, 200_000));
    return changes.decided(null);
  };
  expect(store.transact(rename).ok).toBe(true);
  const few = timed(() => store.snapshots.restore("big", null));
  expect(await few.value).toMatchObject({ ok: true, value: { changes: 13 } });
  expect((contents(store.world) as { apps: unknown }).apps).toEqual(before.apps);

  const half = Array.from({ length: 20_000 }, (_, i) => uuid(i * 5));
  store.transact((world) => {
    const changes = new Changes(world);
    changes.remove("profiles", APP, half);
    return changes.decided(null);
  });
  const many = timed(() => store.snapshots.restore("big", null));
  expect(await many.value).toMatchObject({ ok: true, value: { changes: 20_000 } });
  expect((contents(store.world) as { apps: unknown }).apps).toEqual(before.apps);
  checkLookUpsOf(store.world);
  // Relative to a copy of all content, in the same run.
  const isShort = (ms: number, share: number): boolean => ms < Math.max(25, whole.ms * share);
  expect({ saved: isShort(saved.ms, 0.2), few: isShort(few.ms, 0.2), many: isShort(many.ms, 8) }).toEqual({
    saved: true,
    few: true,
    many: true,
  });
});

/** Checks a few look-ups; all would take too long. */
const checkLookUpsOf = (world: World): void => {
  const found = world.app(APP);
  for (const n of [0, 5, 50_005, 99_999]) {
    expect(found?.find("profiles", uuid(n))?.userId).toBe(uuid(n));
    expect(found?.profileByUsername(`+1${1e9 + n}`)?.userId).toBe(uuid(n));
  }
};

/** The changes since a snapshot (docs/rewind.md). */
import { describe, expect, test } from "vitest";
import { snapshotCalls } from "#test/http/control/snapshot-calls.ts";
import { harness } from "#test/http/control/support.ts";

const at = harness();
const { control, app } = at;
const { save, restore, diff, remove, login } = snapshotCalls(at);
const NOTHING = { apps: [], profiles: [], passcodes: [], sessions: [], connections: [] };

describe("diff", () => {
  test("reports what was added, removed and changed, by resource", async () => {
    const { appId, admin, profile } = await app();
    const [ann, bob, cy] = [await profile(), await profile(), await profile()];
    await save("then", appId);
    expect(await diff("then", appId)).toEqual({
      counts: { added: 0, removed: 0, changed: 0 },
      added: NOTHING,
      removed: NOTHING,
      changed: { ...NOTHING, clocks: [] },
    });
    await admin("DELETE", `/v1/profiles/${ann.userId}`);
    await admin("PUT", `/v1/profiles/${bob.userId}`, { name: "Bob" });
    const dan = await profile();
    await control("DELETE", `/profiles/${(await profile()).userId}?appId=${appId}`);
    await login(appId, cy.phone);
    await control("PATCH", `/apps/${appId}`, { name: "Renamed" });
    const found = await diff("then", appId);
    expect(found.counts).toEqual({ added: 3, removed: 1, changed: 3 });
    expect(found.added).toMatchObject({
      profiles: [dan],
      passcodes: [{ status: "used" }],
      sessions: [{ userId: cy.userId }],
    });
    expect(found.removed).toEqual({ ...NOTHING, profiles: [ann] });
    expect(found.changed).toMatchObject({
      apps: [{ before: { appId }, after: { name: "Renamed" } }],
      profiles: [
        { before: bob, after: { userId: bob.userId, name: "Bob" } },
        { before: cy, after: { userId: cy.userId, name: "In" } },
      ],
    });
  });

  test("limits its lists but not its counts; importing identical data is no change", async () => {
    const { appId, profile } = await app();
    await profile();
    const same = (await control("GET", `/state?appId=${appId}`)).json;
    await save("then", appId);
    await control("PUT", `/state?appId=${appId}`, { mode: "replace", state: same });
    expect((await diff("then", appId)).counts).toEqual({ added: 0, removed: 0, changed: 0 });
    for (let i = 0; i < 5; i++) await profile();
    const limited = (await control("GET", `/snapshots/then/diff?appId=${appId}&limit=2`)).json;
    expect([limited.counts.added, limited.added.profiles.length]).toEqual([5, 2]);
    expect((await control("GET", `/snapshots/then/diff?appId=${appId}&limit=1001`)).status).toBe(422);
  });

  test("pages its lists in a stable order; the counts are always totals", async () => {
    const { appId, profile } = await app();
    await save("then", appId);
    for (let i = 0; i < 5; i++) await profile({ name: `${i}`, metadata: { word: "Grüße, 世界" } });
    const made = (await control("GET", `/profiles?appId=${appId}&sort=name`)).json.items;
    const page = async (n: number) =>
      (await control("GET", `/snapshots/then/diff?appId=${appId}&limit=2&page=${n}`)).json;
    const pages = [await page(1), await page(2), await page(3), await page(4)];
    expect(pages.flatMap(({ added }) => added.profiles)).toEqual(made);
    expect(pages.map(({ counts }) => counts.added)).toEqual([5, 5, 5, 5]);
    expect((await control("GET", `/snapshots/then/diff?appId=${appId}&page=0`)).status).toBe(422);
  });

  test("lists clocks that differ: that of all apps, and of apps that exist in both states", async () => {
    const [one, two, three] = [await app(), await app(), await app()];
    const put = (body: object, appId?: string) =>
      control("PUT", `/clock${appId === undefined ? "" : `?appId=${appId}`}`, body);
    await put({ offsetSeconds: 60 }, two.appId);
    await save("clocks");
    await put({ frozenAt: "2030-01-01T00:00:00.000Z" }, one.appId);
    await put({}, two.appId);
    await control("POST", `/clock/advance?appId=${three.appId}`, { seconds: 5 });
    await control("POST", `/clock/advance?appId=${three.appId}`, { seconds: -5 });
    await put({ offsetSeconds: 1 }, (await app()).appId);
    const real = { offsetSeconds: 0, frozenAt: null };
    const listed = (await diff("clocks")).changed.clocks;
    expect(listed).toEqual([
      { appId: one.appId, before: null, after: { offsetSeconds: 0, frozenAt: "2030-01-01T00:00:00.000Z" } },
      { appId: two.appId, before: { offsetSeconds: 60, frozenAt: null }, after: null },
      { appId: three.appId, before: null, after: real },
    ]);
    await put({ offsetSeconds: 3_600 });
    const later = await diff("clocks");
    expect(later.changed.clocks[0]).toEqual({
      appId: null,
      before: real,
      after: { offsetSeconds: 3_600, frozenAt: null },
    });
    expect((await diff("clocks", one.appId)).changed.clocks).toEqual([]);
    expect((await diff("clocks", two.appId)).changed.clocks).toEqual([{ ...listed[1], after: null }]);
    await restore("clocks");
    expect(await diff("clocks")).toMatchObject({ counts: { changed: 0 }, changed: { clocks: [] } });
    expect((await control("GET", `/clock?appId=${two.appId}`)).json.offsetSeconds).toBe(60);
    await remove("clocks");
  });

  test("lists apps that were added or removed", async () => {
    const gone = await app();
    const { userId } = await gone.profile();
    await save("apps");
    const came = await app();
    const made = await came.profile();
    await control("DELETE", `/apps/${gone.appId}`);
    expect(await diff("apps")).toMatchObject({
      counts: { added: 2, removed: 2, changed: 0 },
      added: { apps: [{ appId: came.appId }], profiles: [made] },
      removed: { apps: [{ appId: gone.appId }], profiles: [{ userId }] },
    });
    await remove("apps");
  });
});

import { describe, expect, test } from "vitest";
import { LOGIN, snapshotCalls } from "#test/http/control/snapshot-calls.ts";
import { freshPhone, handClock, harness } from "#test/http/control/support.ts";

const at = harness({ now: handClock().now });
const { control, auth, app } = at;
const { state, save, restore, remove } = snapshotCalls(at);

describe("snapshots of one app", () => {
  test("leave other apps unchanged, even when restored from a snapshot of all", async () => {
    const [one, two] = [await app(), await app()];
    await save("all");
    const empty = [await state(one.appId), await state(two.appId)];
    await one.profile();
    await two.profile();
    await save("own", one.appId);
    const full = [await state(one.appId), await state(two.appId)];
    await one.profile();
    expect((await restore("own", one.appId)).json.changes).toBe(1);
    expect([await state(one.appId), await state(two.appId)]).toEqual(full);
    await restore("all", two.appId);
    expect([await state(one.appId), await state(two.appId)]).toEqual([full[0], empty[1]]);
    expect((await restore("own")).status).toBe(404);
    expect((await restore("all", (await app()).appId)).status).toBe(404);
    await remove("all");
  });

  test("come before one of all apps with the same name", async () => {
    const { appId, profile } = await app();
    await save("same");
    await profile();
    await save("same", appId);
    const own = await state(appId);
    await profile();
    await restore("same", appId);
    expect(await state(appId)).toEqual(own);
    await remove("same");
  });

  test("are separate in parallel tests that use the same name", async () => {
    const apps = await Promise.all(Array.from({ length: 8 }, () => app()));
    await Promise.all(
      apps.map(async ({ appId, profile }) => {
        await profile();
        await save("start", appId);
        const before = await state(appId);
        for (let round = 0; round < 5; round++) {
          await profile();
          await auth("POST", LOGIN, { appId, user: { phone: freshPhone() } });
          await restore("start", appId);
          expect(await state(appId)).toBe(before);
        }
      }),
    );
  });

  test("are deleted with their app; a secret that another app has taken is not restored", async () => {
    const [one, two] = [await app(), await app()];
    await save("own", one.appId);
    await control("PATCH", `/apps/${one.appId}`, { secret: `${one.secret}2` });
    await control("PATCH", `/apps/${two.appId}`, { secret: one.secret });
    const before = await state();
    expect((await restore("own", one.appId)).reason).toBe("secret_taken");
    expect(await state()).toBe(before);
    await control("DELETE", `/apps/${two.appId}`);
    expect((await restore("own", one.appId)).status).toBe(200);
    await control("DELETE", `/apps/${one.appId}`);
    expect((await control("GET", `/snapshots?appId=${one.appId}`)).status).toBe(404);
  });

  test("restore two apps that swapped their secrets", async () => {
    const [one, two] = [await app(), await app()];
    await one.profile();
    await save("secrets");
    await control("PATCH", `/apps/${one.appId}`, { secret: `${one.secret}3` });
    await control("PATCH", `/apps/${two.appId}`, { secret: one.secret });
    await control("PATCH", `/apps/${one.appId}`, { secret: two.secret });
    expect((await one.admin("GET", "/v1/profiles")).json).toEqual([]);
    expect((await restore("secrets")).status).toBe(200);
    expect((await one.admin("GET", "/v1/profiles")).json).toHaveLength(1);
    expect((await two.admin("GET", "/v1/profiles")).json).toEqual([]);
    await remove("secrets");
  });
});

/** Apps with a limited lifetime. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Changes } from "#domain/decision.ts";
import { Leases } from "#http/leases.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { harness, PHONE, SESSION } from "#test/http/decisions/support.ts";
import { app } from "#test/store/records.ts";
import { newDir, open } from "#test/store/support.ts";

afterEach(() => void vi.useRealTimers());
let nowMs = 0;
const { app: newApp, control, auth, server } = harness({ monotonic: () => nowMs });

const exists = async (appId: string): Promise<boolean> =>
  (await control("GET", "/apps")).json.items.some((app: { appId: string }) => app.appId === appId);
/** Advances time; the server checks its apps twice a second. */
const after = async (seconds: number, appId: string, isThere: boolean): Promise<void> => {
  nowMs += (seconds - 1.001) * 1_000;
  // A second app with the shortest lifetime shows that a check has run.
  const { appId: fly } = (await control("POST", "/apps", { ttlSeconds: 1 })).json;
  nowMs += 1_001;
  await expect.poll(() => exists(fly), { interval: 50 }).toBe(false);
  await expect.poll(() => exists(appId), { interval: 50 }).toBe(isThere);
};

test("at most 1,000 apps are leased at a time", async () => {
  const others = await startInProcess();
  const { control: own } = clientsOf(() => others);
  const made: string[] = [];
  for (let n = 0; n < 1_000; n++) made.push((await own("POST", "/apps", { ttlSeconds: 600 })).json.appId);
  const refused = await own("POST", "/apps", { ttlSeconds: 600 });
  expect([refused.status, refused.reason]).toEqual([429, "too_many_leases"]);
  expect((await own("POST", "/apps", {})).status).toBe(201);
  expect((await own("DELETE", `/apps/${made[0]}`)).status).toBe(204);
  expect((await own("POST", "/apps", { ttlSeconds: 600 })).status).toBe(201);
  await others.close();
});

/** An app in a store, with its leases and the time that they read. */
const leasedApp = async (ttlSeconds: number) => {
  let ms = 0;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const store = await open(newDir(), { durability: "memory" });
  const put = (seconds: number): void => {
    store.transact((world) => {
      const changes = new Changes(world);
      return changes.decided(
        changes.putApp(app(world.app("leased")?.app.seq ?? changes.seq, "leased", { ttlSeconds: seconds })),
      );
    });
  };
  put(ttlSeconds);
  const leases = new Leases(store, () => ms, Date.now);
  const isThereAfter = (seconds: number): boolean => {
    ms += seconds * 1_000;
    vi.advanceTimersByTime(500);
    return store.world.app("leased") !== undefined;
  };
  return { leases, put, isThereAfter };
};

describe("ttlSeconds", () => {
  test("removes an unused app with its data; the list shows when", async () => {
    const { appId, start } = await newApp({ ttlSeconds: 60 });
    expect((await start({ phone: PHONE })).status).toBe(200);
    const { items } = (await control("GET", "/apps")).json;
    const { lease } = items.find((app: { appId: string }) => app.appId === appId);
    expect(lease).toEqual({ ttlSeconds: 60, expiresAt: expect.stringMatching(/^\d{4}-/) });
    await after(59, appId, true);
    await after(2, appId, false);
    expect(await auth("POST", SESSION, { appId, user: { phone: PHONE } })).toMatchObject({ status: 401 });
    expect((await control("GET", `/apps/${appId}`)).status).toBe(404);
  });

  test("starts again with every request for the app: on auth, admin and the control API", async () => {
    const { appId, start, admin } = await newApp({ ttlSeconds: 60 });
    const naming = [
      () => start({ phone: PHONE }),
      () => admin("GET", "/v1/profiles"),
      () => control("GET", `/profiles?appId=${appId}`),
      () => control("GET", `/apps/${appId}`),
      () => control("POST", "/profiles", { appId }),
    ];
    for (const name of naming) {
      nowMs += 45_000;
      expect((await name()).status).toBeLessThan(300);
    }
    await after(45, appId, true);
  });

  test("keeps running when a browser looks at the app", async () => {
    const { appId } = await newApp({ ttlSeconds: 60 });
    nowMs += 45_000;
    await fetch(`${server().urls.console}/emulator/v1/profiles?appId=${appId}`, {
      headers: { "Sec-Fetch-Site": "same-origin" },
    });
    await after(20, appId, false);
  });

  test("does not end during a waiting request", async () => {
    const { appId, start } = await newApp({ ttlSeconds: 10 });
    await start({ phone: PHONE });
    const waiting = control("GET", `/passcodes/latest?to=%2B${PHONE.slice(1)}&appId=${appId}&wait=30000`);
    await expect.poll(async () => (await control("GET", "/status")).status).toBe(200);
    await after(20, appId, true);
    await control("POST", "/passcodes", {
      appId,
      userId: (await control("GET", `/profiles?q=${PHONE.slice(1)}`)).json.items.at(-1).userId,
    });
    expect((await waiting).status).toBe(200);
  });

  test("counts from the end of a long request, not from its start", async () => {
    const { appId, start, sentCode } = await newApp({ ttlSeconds: 10 });
    await start({ phone: PHONE });
    await sentCode({ phone: PHONE });
    await control("POST", "/clock/advance", { seconds: 700 });
    const expiry = async (): Promise<string> =>
      (await control("GET", "/apps")).json.items.find((item: { appId: string }) => item.appId === appId).lease
        .expiresAt;
    nowMs += 1_000;
    const before = await expiry();
    const waiting = control("GET", `/passcodes/latest?to=%2B${PHONE.slice(1)}&appId=${appId}&wait=60000`);
    // The request has arrived once it has renewed the lease.
    await expect.poll(expiry).not.toBe(before);
    await after(20, appId, true);
    // What ends the wait does not name the app: the code is valid again.
    await control("PUT", "/clock", {});
    expect((await waiting).status).toBe(200);
    // A response proves that the server has seen the end of the request before it.
    await control("GET", "/status");
    await after(9, appId, true);
    await after(2, appId, false);
  });

  test("can change while a request holds the app, which is kept until then and no longer than the new time after", async () => {
    const { leases, put, isThereAfter } = await leasedApp(10);
    const release = leases.hold("leased");
    put(20);
    expect(isThereAfter(100)).toBe(true);
    release?.();
    expect(isThereAfter(19.999)).toBe(true);
    expect(isThereAfter(0.001)).toBe(false);
  });

  test("is optional, rejects invalid values with 422, and cannot be changed by PATCH", async () => {
    const { appId, patch } = await newApp();
    expect((await control("GET", `/apps/${appId}`)).json.lease).toBe(undefined);
    expect((await patch({ ttlSeconds: 5 })).json).toEqual({ ttlSeconds: ["cannot be changed"] });
    expect((await patch({ appId: "x" })).json).toEqual({ appId: ["cannot be changed"] });
    for (const ttlSeconds of [0, -1, 1.5, "60", 604_801])
      expect((await control("POST", "/apps", { ttlSeconds })).status, String(ttlSeconds)).toBe(422);
    await after(1_000_000, appId, true);
  });

  test("is not exported", async () => {
    const { appId } = await newApp({ ttlSeconds: 60 });
    expect((await control("GET", `/state?appId=${appId}`)).text).not.toContain("ttlSeconds");
    await control("DELETE", `/state?appId=${appId}`);
    expect((await control("GET", `/apps/${appId}`)).json.lease.ttlSeconds).toBe(60);
  });
});

test("many leased apps come and go while others log in; all are removed, none too early", async () => {
  const appIds: string[] = [];
  for (let n = 0; n < 200; n++) appIds.push((await control("POST", "/apps", { ttlSeconds: 30 })).json.appId);
  const { start } = await newApp({ ttlSeconds: 30 });
  for (let n = 0; n < 3; n++) {
    nowMs += 20_000;
    await start({ phone: PHONE });
    const kept = appIds[0] ?? "";
    expect((await control("GET", `/apps/${kept}`)).status).toBe(200);
  }
  await expect
    .poll(
      async () =>
        (await control("GET", "/apps")).json.items.filter(({ appId }: { appId: string }) => appIds.includes(appId))
          .length,
    )
    .toBe(1);
  expect((await start({ phone: PHONE })).status).toBe(202);
});

test("after a restart a leased app has its full time again, then it is removed", async () => {
  const dir = await mkdtemp(join(tmpdir(), "stagedoor-leases-"));
  try {
    let ms = 0;
    const config = { dataDir: dir, durability: "process" } as const;
    const first = await startInProcess({ config, monotonic: () => ms });
    const { appId } = (await clientsOf(() => first).control("POST", "/apps", { ttlSeconds: 60 })).json;
    await first.close();
    const second = await startInProcess({ config, monotonic: () => ms });
    const { control: again } = clientsOf(() => second);
    const there = async () =>
      (await again("GET", "/apps")).json.items.some((app: { appId: string }) => app.appId === appId);
    expect(await there()).toBe(true);
    ms += 61_000;
    await expect.poll(there).toBe(false);
    await second.close();
  } finally {
    await rm(dir, { recursive: true });
  }
});

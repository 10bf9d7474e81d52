import { describe, expect, test } from "vitest";
import type { Reply } from "#test/hosts/client.ts";
import { handClock, harness, type TestApp } from "./support.ts";

const real = handClock();
const world = harness({ now: real.now });
const SESSION = "/v1/users/session";
const BEGINS = Date.parse("2026-01-01T00:00:00.000Z");
const PHONE = "+12025550150";

/** An app with a seed, and no other settings unless given. */
const seeded = (settings: object = {}): Promise<TestApp> =>
  world.app({ settings: { "deterministic.seed": "time", ...settings } });
const clockOf = async ({ appId }: TestApp): Promise<number> =>
  Date.parse((await world.control("GET", `/clock?appId=${appId}`)).json.now) - BEGINS;
const sent = async ({ appId }: TestApp): Promise<{ code: string; createdAt: string }> => {
  expect((await world.auth("POST", SESSION, { appId, user: { phone: PHONE } })).status).toBe(202);
  return (await world.control("GET", `/passcodes/latest?appId=${appId}&to=${encodeURIComponent(PHONE)}`)).json;
};
const login = ({ appId }: TestApp, passcode: string): Promise<Reply> =>
  world.auth("PUT", SESSION, { appId, user: { phone: PHONE }, passcode });
const patch = ({ appId }: TestApp, settings: object): Promise<Reply> =>
  world.control("PATCH", `/apps/${appId}`, { settings });

describe("the time of a deterministic app", () => {
  test("starts with 2026, stands still, and advances 1 ms with every transaction that changes something", async () => {
    const app = await seeded();
    const { createdAt } = (await world.control("GET", `/apps/${app.appId}`)).json;
    expect(createdAt).toBe("2026-01-01T00:00:00.000Z");
    expect(await clockOf(app)).toBe(1);
    real.tick(60_000);
    await app.profile({ phone: PHONE });
    expect(await clockOf(app)).toBe(2);
    const { code, createdAt: issued } = await sent(app);
    expect(Date.parse(issued) - BEGINS).toBe(2);
    expect((await login(app, "x")).status).toBe(401);
    expect(await clockOf(app)).toBe(4);
    // Requests that change nothing, or belong to another app, do not advance it.
    expect((await world.auth("POST", SESSION, { appId: app.appId, user: {} })).status).toBe(422);
    await (await seeded()).profile();
    expect(await clockOf(app)).toBe(4);
    expect((await login(app, code)).status).toBe(200);
    expect(await clockOf(app)).toBe(5);
  });

  test("moves with advance: codes and sessions expire, and are valid again when it goes back", async () => {
    const app = await seeded();
    await app.profile({ phone: PHONE });
    const { code } = await sent(app);
    await world.control("POST", `/clock/advance?appId=${app.appId}`, { seconds: 600 });
    expect((await login(app, code)).reason).toBe("passcode_expired");
    await world.control("POST", `/clock/advance?appId=${app.appId}`, { seconds: -600 });
    const { json } = await login(app, code);
    const isActive = async () =>
      (await world.control("POST", "/sessions/introspect", { token: json.token })).json.active;
    expect(json.expiration).toBe(BEGINS / 1000 + 86_400);
    expect(await isActive()).toBe(true);
    await world.control("POST", `/clock/advance?appId=${app.appId}`, { seconds: 86_401 });
    expect(await isActive()).toBe(false);
  });

  test("can have an offset or be frozen, and {} restores the app's own time", async () => {
    const app = await seeded();
    const put = (body: object) => world.control("PUT", `/clock?appId=${app.appId}`, body);
    expect((await put({ offsetSeconds: 3_600 })).json).toEqual({
      now: "2026-01-01T01:00:00.002Z",
      offsetSeconds: 3_600,
      frozenAt: "2026-01-01T01:00:00.002Z",
    });
    await app.profile({ phone: PHONE });
    expect(await clockOf(app)).toBe(3_600_003);
    await put({ frozenAt: "2040-01-01T00:00:00.000Z" });
    const ids = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const { createdAt, userId } = await app.profile();
      expect(createdAt).toBe("2040-01-01T00:00:00.000Z");
      ids.add(userId);
    }
    expect(ids.size).toBe(3);
    await put({});
    expect(await clockOf(app)).toBe(8);
    // The app's own time rejects values outside the years 1970 to 9999.
    expect((await put({ offsetSeconds: -BEGINS / 1000 - 1 })).status).toBe(422);
    expect(await clockOf(app)).toBe(8);
  });

  test("follows the clock of all apps unless it has its own", async () => {
    const app = await seeded();
    await world.control("POST", "/clock/advance", { seconds: 100 });
    expect(await clockOf(app)).toBe(100_001);
    await world.control("PUT", "/clock", { frozenAt: "2040-01-01T00:00:00.000Z" });
    expect((await app.profile()).createdAt).toBe("2040-01-01T00:00:00.000Z");
    await world.control("PUT", "/clock", {});
    expect(await clockOf(app)).toBe(2);
  });
});

describe("the seed", () => {
  const made = async (app: TestApp): Promise<string> => {
    const { userId } = await app.profile();
    await world.control("DELETE", `/profiles/${userId}?appId=${app.appId}`);
    return userId;
  };

  test("restarts time and randomness when it changes, continues when it does not, and null ends them", async () => {
    const app = await seeded();
    const first = await made(app);
    await patch(app, { "deterministic.seed": "time", signUp: "closed" });
    expect(await clockOf(app)).toBe(4);
    expect(await made(app)).not.toBe(first);
    await patch(app, { "deterministic.seed": "another" });
    expect(await clockOf(app)).toBe(1);
    expect(await made(app)).not.toBe(first);
    await patch(app, { "deterministic.seed": "time" });
    expect(await clockOf(app)).toBe(1);
    expect(await made(app)).toBe(first);
    await patch(app, { "deterministic.seed": null });
    expect(await clockOf(app)).toBe(real.now() - BEGINS);
    expect((await world.control("GET", `/apps/${app.appId}`)).json.settings).toEqual({
      signUp: "closed",
      deterministic: {},
    });
    const state = (await world.control("GET", `/state?appId=${app.appId}&volatile=1`)).json;
    expect(state.apps[0]).not.toHaveProperty("steps");
    expect(await made(app)).not.toBe(first);
  });

  test('treats 42 and "42" as one seed; 0 is a seed too', async () => {
    const app = await seeded({ "deterministic.seed": 42 });
    const first = await made(app);
    await patch(app, { "deterministic.seed": null });
    await patch(app, { deterministic: { seed: "42" } });
    expect(await made(app)).toBe(first);
    await patch(app, { "deterministic.seed": 0 });
    expect(await clockOf(app)).toBe(1);
  });

  test("does not override a fixed code", async () => {
    const app = await seeded({ "passcode.length": 8 });
    const { userId } = await app.profile({ phone: PHONE });
    expect((await sent(app)).code).toMatch(/^\d{8}$/);
    await patch(app, { "passcode.fixed": "47114711" });
    expect((await sent(app)).code).toBe("47114711");
    await world.control("PATCH", `/profiles/${userId}?appId=${app.appId}`, { testPasscode: "00000000" });
    expect((await sent(app)).code).toBe("00000000");
  });

  test("does not affect secrets: two apps with one seed have unpredictable secrets", async () => {
    const secrets = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const { appId, secret } = await world.app({ appId: "same", settings: { "deterministic.seed": 1 } });
      secrets.add(secret).add((await world.control("POST", `/apps/${appId}/secret`)).json.secret);
      await world.control("DELETE", `/apps/${appId}`);
    }
    expect(secrets.size).toBe(4);
  });

  test.each(["", "x".repeat(65), 1.5, true, {}, ["a"]])(
    "is a string of 1 to 64 characters or an integer: %j",
    async (seed) => {
      const refused = await world.control("POST", "/apps", { settings: { deterministic: { seed } } });
      expect(refused.status).toBe(422);
      expect(Object.keys(refused.json)).toEqual(["settings.deterministic.seed"]);
    },
  );
});

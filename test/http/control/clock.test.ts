import { describe, expect, test } from "vitest";
import { freshPhone, handClock, harness } from "#test/http/control/support.ts";

const real = handClock("2026-06-01T12:00:00.000Z");
const { control, auth, admin, app } = harness({ now: real.now });
const iso = (ms: number) => new Date(ms).toISOString();
const clock = async (appId?: string) =>
  (await control("GET", appId === undefined ? "/clock" : `/clock?appId=${appId}`)).json;
const REAL = { offsetSeconds: 0, frozenAt: null };

describe("the clock of all apps", () => {
  test("shows real time at first", async () => {
    expect(await clock()).toEqual({ now: iso(real.now()), ...REAL });
    real.tick(1_500);
    expect((await clock()).now).toBe(iso(real.now()));
  });

  test("runs at an offset until {} resets it", async () => {
    const moved = await control("PUT", "/clock", { offsetSeconds: 3_600 });
    expect([moved.status, moved.json]).toEqual([
      200,
      { now: iso(real.now() + 3_600_000), offsetSeconds: 3_600, frozenAt: null },
    ]);
    real.tick(10_000);
    expect((await clock()).now).toBe(iso(real.now() + 3_600_000));
    const made = await admin("POST", "/v1/profiles", {});
    expect(made.json.createdAt).toBe(iso(real.now() + 3_600_000));
    expect((await control("PUT", "/clock", {})).json).toEqual({ now: iso(real.now()), ...REAL });
  });

  test("stays frozen, also across advance", async () => {
    const frozenAt = "2031-05-05T05:05:05.000Z";
    expect((await control("PUT", "/clock", { frozenAt })).json).toMatchObject({ now: frozenAt, frozenAt });
    real.tick(60_000);
    expect((await clock()).now).toBe(frozenAt);
    const advanced = await control("POST", "/clock/advance", { seconds: 90 });
    expect([advanced.status, advanced.json]).toEqual([
      200,
      expect.objectContaining({ now: "2031-05-05T05:06:35.000Z", frozenAt: "2031-05-05T05:06:35.000Z" }),
    ]);
    await control("PUT", "/clock", {});
  });

  test("advances cumulatively, backwards too", async () => {
    await control("POST", "/clock/advance", { seconds: 60 });
    await control("POST", "/clock/advance", { seconds: 0.5 });
    expect((await clock()).offsetSeconds).toBe(60.5);
    await control("POST", "/clock/advance", { seconds: -60.5 });
    expect(await clock()).toEqual({ now: iso(real.now()), ...REAL });
  });

  test.each([
    ["PUT", "", { offsetSeconds: "1" }, "offsetSeconds"],
    ["PUT", "", { offsetSeconds: 1e30 }, "offsetSeconds"],
    ["PUT", "", { frozenAt: "tomorrow" }, "frozenAt"],
    ["PUT", "", { frozenAt: 5 }, "frozenAt"],
    ["POST", "/advance", {}, "seconds"],
    ["POST", "/advance", { seconds: null }, "seconds"],
    ["POST", "/advance", { seconds: 1e300 }, "seconds"],
  ] as const)("%s clock%s %j returns 422 and changes nothing", async (method, path, body, field) => {
    const refused = await control(method, `/clock${path}`, body);
    expect([refused.status, Object.keys(refused.json)]).toEqual([422, [field]]);
    expect(await clock()).toEqual({ now: iso(real.now()), ...REAL });
  });
});

describe("the clock of one app", () => {
  test("moves without the others", async () => {
    const [one, two] = [await app(), await app()];
    const moved = await control("PUT", `/clock?appId=${one.appId}`, { offsetSeconds: -86_400 });
    expect(moved.json.now).toBe(iso(real.now() - 86_400_000));
    expect(await clock(two.appId)).toEqual({ now: iso(real.now()), ...REAL });
    expect(await clock()).toEqual({ now: iso(real.now()), ...REAL });
    expect((await one.profile()).createdAt).toBe(iso(real.now() - 86_400_000));
    expect((await two.profile()).createdAt).toBe(iso(real.now()));
  });

  test("moves with advance of all, from where it is; PUT of all sets every app, new ones included", async () => {
    const [one, two] = [await app(), await app()];
    const frozenAt = "2030-01-01T00:00:00.000Z";
    await control("PUT", `/clock?appId=${one.appId}`, { frozenAt });
    await control("POST", "/clock/advance", { seconds: 60 });
    expect((await clock(one.appId)).now).toBe("2030-01-01T00:01:00.000Z");
    expect((await clock(two.appId)).offsetSeconds).toBe(60);
    expect((await clock((await app()).appId)).offsetSeconds).toBe(60);
    await control("PUT", "/clock", { offsetSeconds: 5 });
    for (const { appId } of [one, two, await app()])
      expect(await clock(appId)).toEqual({ now: iso(real.now() + 5_000), offsetSeconds: 5, frozenAt: null });
    await control("PUT", `/clock?appId=${one.appId}`, {});
    expect(await clock(one.appId)).toEqual({ now: iso(real.now()), ...REAL });
    expect((await clock(two.appId)).offsetSeconds).toBe(5);
    await control("PUT", "/clock", {});
  });

  test("keeps advance of all from moving any of them if one would leave the years that a clock can show", async () => {
    const [last, other] = [await app(), await app()];
    const frozenAt = "9999-12-31T23:59:00.000Z";
    await control("PUT", `/clock?appId=${last.appId}`, { frozenAt });
    await control("PUT", `/clock?appId=${other.appId}`, { offsetSeconds: 5 });
    const refused = await control("POST", "/clock/advance", { seconds: 60 });
    expect([refused.status, Object.keys(refused.json)]).toEqual([422, ["seconds"]]);
    expect(await clock()).toEqual({ now: iso(real.now()), ...REAL });
    expect((await clock(last.appId)).now).toBe(frozenAt);
    expect((await clock(other.appId)).offsetSeconds).toBe(5);
    expect((await control("POST", "/clock/advance", { seconds: 59.999 })).status).toBe(200);
    expect((await clock(last.appId)).now).toBe("9999-12-31T23:59:59.999Z");
    await control("PUT", "/clock", {});
  });

  test("returns 404 for an unknown app", async () => {
    expect((await control("GET", "/clock?appId=none")).status).toBe(404);
    expect((await control("PUT", "/clock?appId=none", {})).status).toBe(404);
    expect((await control("POST", "/clock/advance?appId=none", { seconds: 1 })).status).toBe(404);
  });
});

describe("with a moved clock", () => {
  test("passcodes expire to the millisecond, and are valid again when it goes back", async () => {
    const { appId, profile, ask } = await app();
    const { phone } = await profile();
    const frozenAt = "2028-01-01T00:00:00.000Z";
    await control("PUT", `/clock?appId=${appId}`, { frozenAt });
    await ask(phone);
    const { id, code, expiresAt } = (await control("GET", `/passcodes/latest?to=${phone}`)).json;
    expect(expiresAt).toBe("2028-01-01T00:10:00.000Z");
    const status = async () => (await control("GET", `/passcodes/${id}`)).json.status;
    const type = () => auth("PUT", "/v1/users/session", { appId, user: { phone }, passcode: code });
    await control("PUT", `/clock?appId=${appId}`, { frozenAt: "2028-01-01T00:10:00.000Z" });
    expect(await status()).toBe("expired");
    expect((await type()).reason).toBe("passcode_expired");
    await control("PUT", `/clock?appId=${appId}`, { frozenAt: "2028-01-01T00:09:59.999Z" });
    expect(await status()).toBe("active");
    expect((await type()).status).toBe(200);
  });

  test("sessions expire, and are active again when it goes back", async () => {
    const { appId, profile } = await app();
    const { userId } = await profile();
    const { id, token } = (await control("POST", "/sessions", { appId, userId })).json;
    const seen = async () => [
      (await control("GET", `/sessions/${id}`)).json.state,
      (await control("POST", "/sessions/introspect", { token })).json.active,
      (await control("GET", `/sessions?appId=${appId}&state=expired`)).json.total,
    ];
    expect(await seen()).toEqual(["active", true, 0]);
    await control("POST", `/clock/advance?appId=${appId}`, { seconds: 86_401 });
    expect(await seen()).toEqual(["expired", false, 1]);
    await control("POST", `/clock/advance?appId=${appId}`, { seconds: -2 });
    expect(await seen()).toEqual(["active", true, 0]);
  });

  test("lists keep their order, which is by seq", async () => {
    const { appId, profile, ask } = await app();
    const [one, two] = [await profile({ name: "one" }), await profile({ name: "two" })];
    await ask(one.phone);
    await control("POST", `/clock/advance?appId=${appId}`, { seconds: -3_600 });
    await ask(two.phone);
    await profile({ name: "three" });
    const to = (await control("GET", `/passcodes?appId=${appId}`)).json.items.map((item: { to: string }) => item.to);
    expect(to).toEqual([two.phone, one.phone]);
    expect((await control("GET", `/passcodes/latest?appId=${appId}`)).json.to).toBe(two.phone);
    const names = (await control("GET", `/profiles?appId=${appId}`)).json.items.map((p: { name: string }) => p.name);
    expect(names).toEqual(["one", "two", "three"]);
  });

  test("waits and rate limits still use real time", async () => {
    const { appId, profile, ask } = await app({ settings: { limits: { otpPerMinute: 1 } } });
    const { phone } = await profile();
    await control("PUT", `/clock?appId=${appId}`, { frozenAt: "2027-01-01T00:00:00.000Z" });
    const began = performance.now();
    const none = await control("GET", `/passcodes/latest?to=${freshPhone()}&wait=50`);
    expect([none.status, performance.now() - began > 45]).toEqual([404, true]);
    expect(await ask(phone)).toBe(202);
    await control("POST", `/clock/advance?appId=${appId}`, { seconds: 3_600 });
    const again = await auth("POST", "/v1/users/session", { appId, user: { phone } });
    expect(again.status).toBe(429);
    const wait = Number(again.headers.get("Retry-After"));
    expect(wait > 0 && wait <= 60).toBe(true);
  });
});

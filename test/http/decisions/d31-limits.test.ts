/** D31: rate limits and the limits.* settings. They use real time, whatever the service's clock. */
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Reply } from "#test/hosts/client.ts";
import { expectInvalid, expectRefusal, harness, OTHER_PHONE, PHONE, type User } from "./support.ts";

const { app: newApp, clock, control } = harness();
const USER = { phone: PHONE };
const limited = (limits: User, more: User = {}) => newApp({ ...more, settings: { limits } });

const expectLimited = (reply: Reply): number => {
  expectRefusal(reply, 429, "rate_limited");
  const seconds = reply.headers.get("Retry-After") ?? "";
  expect(seconds).toMatch(/^[1-9][0-9]?$/);
  expect(Number(seconds)).toBeLessThanOrEqual(60);
  return Number(seconds);
};

/** Moves the clock that limits use and nobody can set. */
const now = performance.now.bind(performance);
const realSecondsLater = (seconds: number): void => {
  vi.spyOn(performance, "now").mockImplementation(() => now() + seconds * 1000);
};
afterEach(() => vi.restoreAllMocks());

describe("D31 rate limits", () => {
  test("D31: none by default", async () => {
    const app = await newApp();
    const replies = await Promise.all(Array.from({ length: 150 }, () => app.start(USER)));
    expect(replies.filter(({ status }) => status === 429)).toEqual([]);
  });

  test("limits.otpPerMinute: limits passcodes per username with 429 and Retry-After", async () => {
    const app = await limited({ otpPerMinute: 2 });
    expect((await app.start(USER)).status).toBe(200);
    await app.sentCode(USER);
    const code = await app.sentCode(USER);
    expectLimited(await app.start(USER));
    expect(await app.passcodes()).toHaveLength(2);
    expect((await app.start({ phone: OTHER_PHONE })).status).toBe(200);
    expect((await app.start({ phone: OTHER_PHONE })).status).toBe(202);
    expect((await app.authenticate(USER, code)).status).toBe(200);
    expectLimited(await app.start(USER));
  });

  test("limits.otpPerMinute: treats a username in capitals as the same", async () => {
    const app = await limited({ otpPerMinute: 1 }, { strategy: "email" });
    await app.start({ email: "ada@example.com" });
    expect((await app.start({ email: "ada@example.com" })).status).toBe(202);
    expectLimited(await app.start({ email: "ADA@example.com" }));
  });

  test("limits.requestsPerMinute: counts session requests of the app, whatever their result", async () => {
    const [app, other] = [await limited({ requestsPerMinute: 3 }), await limited({ requestsPerMinute: 3 })];
    expect((await app.start(USER)).status).toBe(200);
    expectInvalid(await app.start({}), "phone");
    expectRefusal(await app.authenticate(USER, "1"), 401);
    expectLimited(await app.start(USER));
    expectLimited(await app.authenticate(USER, "1"));
    expectLimited(await app.start(5));
    expect((await other.start(USER)).status).toBe(200);
    expect((await app.admin("GET", "/v1/profiles")).status).toBe(200);
  });

  test("allow requests again after Retry-After", async () => {
    const app = await limited({ otpPerMinute: 1 });
    await app.start(USER);
    await app.sentCode(USER);
    const wait = expectLimited(await app.start(USER));
    realSecondsLater(wait - 2);
    expectLimited(await app.start(USER));
    realSecondsLater(wait);
    expect((await app.start(USER)).status).toBe(202);
    expectLimited(await app.start(USER));
  });

  test("use real time: moving the service's clock does not lift them", async () => {
    const app = await limited({ otpPerMinute: 1 });
    await app.start(USER);
    await app.sentCode(USER);
    clock.advance(3_600);
    await control("PUT", `/clock?appId=${app.appId}`, { offsetSeconds: 7_200 });
    expectLimited(await app.start(USER));
    clock.advance(-3_600);
  });

  test("are removed by null", async () => {
    const app = await limited({ otpPerMinute: 1, requestsPerMinute: 3 });
    await app.start(USER);
    await app.start(USER);
    expectLimited(await app.start(USER));
    await app.patch({ settings: { limits: { otpPerMinute: null, requestsPerMinute: null } } });
    expect((await app.start(USER)).status).toBe(202);
    expect((await app.start(USER)).status).toBe(202);
  });

  test("do not affect passcode attempts: too many return 401, never 429", async () => {
    const app = await newApp();
    await app.start(USER);
    await app.sentCode(USER);
    for (let i = 0; i < 12; i++) expectRefusal(await app.authenticate(USER, "x"), 401);
  });

  test("count concurrent requests one by one", async () => {
    const app = await limited({ requestsPerMinute: 10 });
    const all = await Promise.all(Array.from({ length: 40 }, () => app.start(USER)));
    expect(all.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  test.each([{ otpPerMinute: 0 }, { otpPerMinute: "5" }, { requestsPerMinute: -1 }, { requestsPerMinute: 1.5 }])(
    "return 422 for an invalid value: %j",
    async (limits) => {
      expectInvalid(
        await control("POST", "/apps", { settings: { limits } }),
        `settings.limits.${Object.keys(limits)[0]}`,
      );
    },
  );
});

/** service.md 4.2.2, 4.2.3; D24: the passcode life cycle. */
import { describe, expect, test } from "vitest";
import { expectInvalid, expectRefusal, harness, PHONE, type User, wrong } from "./support.ts";

const { app: newApp, clock, control } = harness();
const USER = { phone: PHONE };

/** An app with one user. */
const withUser = async (settings: User = {}) => {
  const app = await newApp({ settings });
  const { userId } = (await app.start(USER)).json;
  return { ...app, userId, code: () => app.sentCode(USER), submit: (code: unknown) => app.authenticate(USER, code) };
};

describe("D24 passcode", () => {
  test("D24: has 6 random digits", async () => {
    const app = await withUser();
    const seen = new Set<string>();
    for (let i = 0; i < 30; i++) {
      const code = await app.code();
      expect(code).toMatch(/^[0-9]{6}$/);
      seen.add(code);
    }
    expect(seen.size).toBeGreaterThan(25);
  });

  test("service.md 4.2.3: authenticates with the right code and returns a new session of the profile", async () => {
    const app = await withUser();
    const done = await app.submit(await app.code());
    expect(done.status).toBe(200);
    expect(done.json.userId).toBe(app.userId);
    expect((await app.passcodes())[0]).toMatchObject({ status: "used", attempts: 1 });
    expect((await control("GET", `/sessions?appId=${app.appId}`)).json.total).toBe(2);
  });

  test("D24: works once", async () => {
    const app = await withUser();
    const code = await app.code();
    expect((await app.submit(code)).status).toBe(200);
    expectRefusal(await app.submit(code), 401, "passcode_used");
    expectRefusal(await app.submit(wrong(code)), 401);
  });

  test("D24: is valid for exactly 600 s", async () => {
    const app = await withUser();
    const code = await app.code();
    clock.advance(599.999);
    const late = await withUser();
    const lateCode = await late.code();
    expect((await app.submit(code)).status).toBe(200);
    clock.advance(600);
    expectRefusal(await late.submit(lateCode), 401, "passcode_expired");
    expect((await late.passcodes())[0].status).toBe("expired");
  });

  test("D24: can be requested again after it has expired", async () => {
    const app = await withUser();
    await app.code();
    clock.advance(601);
    expect((await app.submit(await app.code())).status).toBe(200);
  });

  test("D24: is replaced by a newer one", async () => {
    const app = await withUser();
    const first = await app.code();
    let second = await app.code();
    if (second === first) second = await app.code();
    expectRefusal(await app.submit(first), 401, "passcode_replaced");
    expect((await app.submit(second)).status).toBe(200);
    expectRefusal(await app.submit(first), 401);
    expect((await app.passcodes()).map(({ status }) => status)).toEqual(["used", "replaced"]);
  });

  test("D24: a replaced code counts as an attempt on the active one", async () => {
    const app = await withUser();
    const first = await app.code();
    const second = await app.code();
    for (let i = 0; i < 5; i++) expectRefusal(await app.submit(first), 401, "passcode_replaced");
    expect((await app.passcodes())[0]).toMatchObject({ status: "exhausted", attempts: 5 });
    expectRefusal(await app.submit(second), 401, "passcode_exhausted");
  });

  test("D24: is locked after 5 wrong attempts", async () => {
    const app = await withUser();
    const code = await app.code();
    for (let i = 1; i <= 5; i++) expectRefusal(await app.submit(wrong(code, i)), 401, "passcode_mismatch");
    expectRefusal(await app.submit(code), 401, "passcode_exhausted");
    expect((await app.passcodes())[0]).toMatchObject({
      status: "exhausted",
      attempts: 5,
      tried: [1, 2, 3, 4, 5].map((n) => wrong(code, n)),
    });
  });

  test("D24: still works after 4 wrong attempts; a new code has 5 attempts again", async () => {
    const app = await withUser();
    for (let round = 0; round < 2; round++) {
      const code = await app.code();
      for (let i = 1; i <= 4; i++) expectRefusal(await app.submit(wrong(code, i)), 401);
      expect((await app.submit(code)).status).toBe(200);
    }
  });

  test("D24: counts attempts per user", async () => {
    const app = await withUser();
    const other = { phone: "+12025550150" };
    await app.start(other);
    const [mine, theirs] = [await app.code(), await app.sentCode(other)];
    for (let i = 1; i <= 5; i++) await app.submit(wrong(mine, i));
    if (mine !== theirs) expectRefusal(await app.authenticate(other, mine), 401, "passcode_mismatch");
    expect((await app.authenticate(other, theirs)).status).toBe(200);
  });

  test.each([42, 0, 7_000, 123_456])("D24: pads an integer with zeros on the left: %i", async (typed) => {
    const app = await withUser({ passcode: { fixed: String(typed).padStart(6, "0") } });
    await app.code();
    expect((await app.submit(typed)).status).toBe(200);
  });

  test("D24: neither pads nor trims a string", async () => {
    const app = await withUser({ passcode: { fixed: "000042" } });
    await app.code();
    for (const typed of ["42", " 000042", "000042 ", "+00042"])
      expectRefusal(await app.submit(typed), 401, "passcode_mismatch");
    expect((await app.submit("000042")).status).toBe(200);
  });

  test.each(["", "x", "💥".repeat(1000), "1".repeat(100_000), "\u0000", "000\ud800", 9_007_199_254_740_991])(
    "D24: counts any value as an attempt: %j",
    async (typed) => {
      const app = await withUser();
      const code = await app.code();
      expectRefusal(await app.submit(typed), 401, "passcode_mismatch");
      expect((await app.passcodes())[0].attempts).toBe(1);
      expect((await app.submit(code)).status).toBe(200);
    },
  );

  test("is valid again when the clock goes back, since expiry is computed", async () => {
    const app = await withUser();
    const code = await app.code();
    clock.advance(700);
    expectRefusal(await app.submit(code), 401, "passcode_expired");
    clock.advance(-200);
    expect((await app.submit(code)).status).toBe(200);
  });
});

describe("D24 concurrency", () => {
  test("of 50 concurrent correct attempts exactly one succeeds", async () => {
    const app = await withUser();
    const code = await app.code();
    const all = await Promise.all(Array.from({ length: 50 }, () => app.submit(code)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 401)).toHaveLength(49);
    expect((await control("GET", `/sessions?appId=${app.appId}`)).json.total).toBe(2);
  });

  test("counts attempts before comparing: of 50 concurrent wrong ones 5 count, and the code is locked", async () => {
    const app = await withUser();
    const code = await app.code();
    const all = await Promise.all(Array.from({ length: 50 }, (_, i) => app.submit(wrong(code, i + 1))));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([401]));
    expect(all.filter(({ reason }) => reason === "passcode_mismatch")).toHaveLength(5);
    expect(all.filter(({ reason }) => reason === "passcode_exhausted")).toHaveLength(45);
    expect((await app.passcodes())[0]).toMatchObject({ status: "exhausted", attempts: 5 });
    expectRefusal(await app.submit(code), 401, "passcode_exhausted");
  });

  test("of concurrent correct and wrong attempts at most one succeeds", async () => {
    const app = await withUser();
    const code = await app.code();
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) => app.submit(i % 8 < 7 ? wrong(code, i + 1) : code)),
    );
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect((await app.passcodes())[0].attempts).toBeLessThanOrEqual(6);
  });
});

describe("settings passcode.*", () => {
  test.each([4, 5, 10])("passcode.length %i", async (length) => {
    const app = await withUser({ passcode: { length } });
    const code = await app.code();
    expect(code).toMatch(new RegExp(`^[0-9]{${length}}$`));
    expect((await app.submit(Number(code))).status).toBe(200);
  });

  test.each([1, 30, 86_400])("passcode.ttlSeconds %i", async (ttlSeconds) => {
    const app = await withUser({ passcode: { ttlSeconds } });
    const code = await app.code();
    clock.advance(ttlSeconds - 0.001);
    expect((await app.submit(code)).status).toBe(200);
    const late = await app.code();
    clock.advance(ttlSeconds);
    expectRefusal(await app.submit(late), 401, "passcode_expired");
  });

  test.each([1, 2, 7])("passcode.maxAttempts %i", async (maxAttempts) => {
    const app = await withUser({ passcode: { maxAttempts } });
    const alive = await app.code();
    for (let i = 1; i < maxAttempts; i++) await app.submit(wrong(alive, i));
    expect((await app.submit(alive)).status).toBe(200);
    const dead = await app.code();
    for (let i = 1; i <= maxAttempts; i++) expectRefusal(await app.submit(wrong(dead, i)), 401, "passcode_mismatch");
    expectRefusal(await app.submit(dead), 401, "passcode_exhausted");
  });

  test("passcode.fixed: everybody gets this code, but it must still be requested; null: a random one", async () => {
    const app = await withUser({ passcode: { fixed: "987654" } });
    expectRefusal(await app.submit("987654"), 401, "passcode_not_sent");
    expect(await app.code()).toBe("987654");
    expect((await app.submit("987654")).status).toBe(200);
    expectRefusal(await app.submit("987654"), 401, "passcode_used");
    await app.patch({ settings: { passcode: { fixed: null } } });
    const codes = [await app.code(), await app.code(), await app.code()];
    expect(codes).not.toEqual(["987654", "987654", "987654"]);
  });

  test.each([
    { length: 3 },
    { length: 11 },
    { ttlSeconds: 0 },
    { ttlSeconds: 86_401 },
    { maxAttempts: 0 },
    { maxAttempts: 101 },
    { fixed: "12" },
    { fixed: 123_456 },
  ])("out of range returns 422: %j", async (passcode) => {
    expectInvalid(
      await control("POST", "/apps", { settings: { passcode } }),
      `settings.passcode.${Object.keys(passcode)[0]}`,
    );
  });
});

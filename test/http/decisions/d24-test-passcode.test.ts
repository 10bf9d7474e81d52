/** D24: `testPasscode` of a profile. */
import { describe, expect, test } from "vitest";
import { expectInvalid, expectRefusal, harness, OTHER_PHONE, PHONE, type User, wrong } from "./support.ts";

const { app: newApp, clock, control } = harness();
const USER = { phone: PHONE };
const CODE = "424242";

const withTester = async (settings: User = {}, testPasscode: string = CODE) => {
  const app = await newApp({ settings });
  const made = await control("POST", "/profiles", { appId: app.appId, ...USER, testPasscode });
  expect(made.status, made.text).toBe(201);
  const { userId } = made.json;
  const set = (code: string | null) =>
    control("PATCH", `/profiles/${userId}?appId=${app.appId}`, { testPasscode: code });
  return { ...app, userId, set, submit: (code: unknown) => app.authenticate(USER, code) };
};

describe("D24 testPasscode", () => {
  test("D24: works repeatedly, even if none was requested", async () => {
    const app = await withTester();
    for (let i = 0; i < 3; i++) expect((await app.submit(CODE)).status).toBe(200);
    expect(await app.passcodes()).toEqual([]);
    expectRefusal(await app.submit(wrong(CODE)), 401);
  });

  test("D24: is the code that is issued, whatever the app's fixed code", async () => {
    const app = await withTester({ passcode: { fixed: "111111" } });
    expect(await app.sentCode(USER)).toBe(CODE);
    expect((await app.passcodes())[0].message).toContain(CODE);
  });

  test("D24: stays active after use", async () => {
    const app = await withTester();
    await app.sentCode(USER);
    for (let i = 1; i <= 3; i++) {
      expect((await app.submit(CODE)).status).toBe(200);
      expect((await app.passcodes())[0]).toMatchObject({ status: "active", attempts: i });
    }
  });

  test("D24: counts attempts but is never locked", async () => {
    const app = await withTester();
    await app.sentCode(USER);
    for (let i = 1; i <= 12; i++) expectRefusal(await app.submit(wrong(CODE, i)), 401, "passcode_mismatch");
    expect((await app.passcodes())[0]).toMatchObject({ status: "active", attempts: 12 });
    expect((await app.submit(CODE)).status).toBe(200);
  });

  test("D24: can be an integer, padded to its own length", async () => {
    const app = await withTester({ passcode: { length: 5 } }, "00042");
    expect((await app.submit(42)).status).toBe(200);
    expectRefusal(await app.submit("42"), 401);
  });

  test("stays active and valid beyond the lifetime of a passcode", async () => {
    const app = await withTester();
    await app.sentCode(USER);
    clock.advance(10_000);
    expect((await app.passcodes())[0]).toMatchObject({ status: "active" });
    expect((await control("GET", `/passcodes?appId=${app.appId}&status=active`)).json.total).toBe(1);
    expect((await app.submit(CODE)).status).toBe(200);
  });

  test("expires like any other once the profile has another test passcode", async () => {
    const app = await withTester();
    await app.sentCode(USER);
    await app.set("999999");
    clock.advance(10_000);
    expect((await app.passcodes())[0]).toMatchObject({ status: "expired" });
  });

  test("every one of 20 concurrent correct attempts succeeds", async () => {
    const app = await withTester();
    await app.sentCode(USER);
    const all = await Promise.all(Array.from({ length: 20 }, () => app.submit(CODE)));
    expect(all.every(({ status }) => status === 200)).toBe(true);
  });

  test("works for its own profile only", async () => {
    const app = await withTester();
    await app.start({ phone: OTHER_PHONE });
    expectRefusal(await app.authenticate({ phone: OTHER_PHONE }, CODE), 401, "passcode_not_sent");
  });

  test("stops working once removed; codes are random again", async () => {
    const app = await withTester();
    expect((await app.set(null)).json.testPasscode).toBeNull();
    expectRefusal(await app.submit(CODE), 401, "passcode_not_sent");
    const code = await app.sentCode(USER);
    expect((await app.submit(code)).status).toBe(200);
    expectRefusal(await app.submit(code), 401, "passcode_used");
  });

  test("works next to a code that was already issued", async () => {
    const app = await withTester();
    await app.set(null);
    const code = await app.sentCode(USER);
    await app.set(wrong(code));
    expect((await app.submit(wrong(code))).status).toBe(200);
    expect((await app.submit(code)).status).toBe(200);
  });

  test("is neither shown nor settable on admin", async () => {
    const app = await withTester();
    const shown = await app.admin("GET", `/v1/profiles/${app.userId}`);
    expect(shown.text).not.toContain("testPasscode");
    const changed = await app.admin("PUT", `/v1/profiles/${app.userId}`, { testPasscode: "999999" });
    expect(changed.text).not.toContain("testPasscode");
    expect((await app.logged(changed)).ignoredFields).toEqual(["testPasscode"]);
    expect((await app.submit(CODE)).status).toBe(200);
  });

  test.each(["123", "12345678901", "12a456", 123_456, ""])("must have 4 to 10 digits: not %j", async (testPasscode) => {
    const app = await newApp();
    expectInvalid(await control("POST", "/profiles", { appId: app.appId, ...USER, testPasscode }), "testPasscode");
  });
});

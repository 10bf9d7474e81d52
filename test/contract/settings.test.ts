import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS, effectiveSettings } from "#contract/service/effective-settings.ts";
import { mergeSettings, settings } from "#contract/service/settings.ts";
import { namesIn } from "#contract/validation.ts";

describe("an app's settings", () => {
  test("are all optional; the defaults apply and are valid themselves", () => {
    expect(effectiveSettings({})).toEqual(DEFAULT_SETTINGS);
    expect(settings.parse(DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS);
  });

  test("fill the rest of a group with defaults", () => {
    const effective = effectiveSettings({ signUp: "closed", passcode: { length: 4 }, wire: { envelope: "session" } });
    expect(effective).toEqual({
      ...DEFAULT_SETTINGS,
      signUp: "closed",
      passcode: { ...DEFAULT_SETTINGS.passcode, length: 4 },
      wire: { ...DEFAULT_SETTINGS.wire, envelope: "session" },
    });
  });

  test("are computed once per app", () => {
    const own = { signUp: "closed" } as const;
    expect(effectiveSettings(own)).toBe(effectiveSettings(own));
    expect(effectiveSettings({ ...own })).not.toBe(effectiveSettings(own));
  });

  test("have known names, by group", () => {
    const known = namesIn(settings);
    expect(new Set(known([]))).toEqual(new Set(Object.keys(DEFAULT_SETTINGS)));
    expect(known(["passcode"])).toEqual([
      "length",
      "ttlSeconds",
      "maxAttempts",
      "fixed",
      "previous",
      "resend",
      "afterChange",
      "attemptsPer",
    ]);
    expect(known(["signUp"])).toEqual([]);
    expect(known(["toString"])).toEqual([]);
  });

  test.each([
    { passcode: { length: 3 } },
    { passcode: { length: 11 } },
    { passcode: { ttlSeconds: 0 } },
    { passcode: { ttlSeconds: 86_401 } },
    { passcode: { maxAttempts: 101 } },
    { passcode: { fixed: "12345678901" } },
    { passcode: { fixed: 1234 } },
    { session: { ttlSeconds: 31_536_001 } },
    { token: { issuer: "" } },
    { token: { issuer: "http://ä" } },
    { wire: { appIdField: null } },
    { wire: { appIdField: "user.id" } },
    { wire: { passcodeField: "a.b.c" } },
    { wire: { signUpStatus: 202 } },
    { limits: { otpPerMinute: 0 } },
    { sessionExtensions: "true" },
    { validation: "off" },
    { deterministic: { seed: "" } },
    { deterministic: { seed: 1.5 } },
  ])("reject %j", (wrong) => {
    expect(settings.safeParse(wrong).success).toBe(false);
  });
});

describe("changing settings", () => {
  test("accepts a dotted name for a nested one", () => {
    expect(mergeSettings({}, { "passcode.length": 4, "passcode.fixed": "0000" })).toEqual({
      passcode: { length: 4, fixed: "0000" },
    });
  });

  test("merges into a group and leaves the others alone", () => {
    const base = { passcode: { length: 4 }, signUp: "closed" };
    expect(mergeSettings(base, { passcode: { ttlSeconds: 60 } })).toEqual({
      passcode: { length: 4, ttlSeconds: 60 },
      signUp: "closed",
    });
    expect(base).toEqual({ passcode: { length: 4 }, signUp: "closed" });
  });

  test("resets a setting or a group to its default with null", () => {
    const base = { passcode: { length: 4, fixed: "0000" }, signUp: "closed", limits: { otpPerMinute: 3 } };
    expect(mergeSettings(base, { "passcode.fixed": null, signUp: null, limits: null })).toEqual({
      passcode: { length: 4 },
    });
  });

  test("leaves unknown settings in place, to be rejected", () => {
    for (const wrong of [
      { "a.b.c": 1 },
      { ".x": 1 },
      { passcode: 6 },
      { "signUp.x": 1 },
      JSON.parse('{"__proto__":{}}'),
    ])
      expect(settings.safeParse(mergeSettings({ signUp: "open" }, wrong)).success, JSON.stringify(wrong)).toBe(false);
    expect(Object.hasOwn({}, "length")).toBe(false);
  });

  test("modifies no prototype", () => {
    mergeSettings(
      {},
      JSON.parse('{"__proto__":{"polluted":1},"__proto__.polluted":1,"passcode.__proto__":{"polluted":1}}'),
    );
    mergeSettings(
      {},
      JSON.parse('{"constructor":{"prototype":{"polluted":1}},"constructor.prototype":{"polluted":1}}'),
    );
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

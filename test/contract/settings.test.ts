import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS, effectiveSettings } from "#contract/service/effective-settings.ts";
import { mergeSettings, settings } from "#contract/service/settings.ts";

describe("an app's settings", () => {
  test("are all optional; the defaults apply and are valid themselves", () => {
    expect(effectiveSettings({})).toEqual(DEFAULT_SETTINGS);
    expect(settings.parse(DEFAULT_SETTINGS)).toEqual(DEFAULT_SETTINGS);
  });

  test("are computed once per app", () => {
    const own = { signUp: "closed" } as const;
    expect(effectiveSettings(own)).toBe(effectiveSettings(own));
    expect(effectiveSettings({ ...own })).not.toBe(effectiveSettings(own));
  });
});

describe("changing settings", () => {
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

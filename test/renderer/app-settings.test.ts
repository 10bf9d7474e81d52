import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "#contract/service/effective-settings.ts";
import {
  changedPaths,
  defaultText,
  SETTING_GROUPS,
  settingsChange,
  shownText,
} from "../../src-renderer/places/setup/setting-table.ts";

const all = SETTING_GROUPS.flatMap((group) => group.settings);

describe("the settings form", () => {
  test("has every setting of the contract, each with a label", () => {
    const names = Object.entries(DEFAULT_SETTINGS).flatMap(([name, value]) =>
      typeof value === "object" && !Array.isArray(value)
        ? Object.keys(value).map((inner) => `${name}.${inner}`)
        : [name],
    );
    expect(all.map(({ path }) => path).sort()).toEqual(names.sort());
    for (const { path, label, description, source } of all) {
      expect([label, description], path).not.toContain("");
      expect(label, path).not.toBe(path);
      expect([description, source].join(" "), path).toMatch(/^(?!.*\(D\d).* D\d+/);
    }
  });

  test("knows the type of each", () => {
    const kinds = Object.fromEntries(all.map(({ path, kind }) => [path, kind]));
    expect(kinds).toMatchObject({
      signUp: "choice",
      locale: "choice",
      "brand.texts": "json",
      sessionExtensions: "switch",
      "passcode.length": "number",
      "passcode.fixed": "text",
      "limits.otpPerMinute": "number",
      "wire.signUpStatus": "choice",
      "message.sms": "long",
      "message.androidHash": "text",
      "delivery.android": "switch",
      "delivery.ios": "switch",
      "delivery.iosBundleId": "text",
    });
  });

  test("has the default messages of the app's language", () => {
    const own = { locale: "fr" };
    expect(shownText(own, {}, "message.sms")).toBe(defaultText(own, "message.sms"));
    expect(defaultText(own, "message.sms")).toMatch(/^Votre code/);
    const draft = { "message.sms": "Code {code}" };
    expect(settingsChange(own, draft)).toEqual(draft);
    expect(
      settingsChange({ ...own, message: { sms: "x" } }, { "message.sms": defaultText(own, "message.sms") }),
    ).toEqual({
      "message.sms": null,
    });
  });

  test("sends changed values with their type, and null for a restored default", () => {
    const own = { passcode: { length: 4 }, wire: { userField: null } };
    const draft = {
      "passcode.length": "6",
      "passcode.ttlSeconds": "soon",
      "passcode.fixed": "0000",
      sessionExtensions: "true",
      "wire.signUpStatus": "201",
      "wire.userField": "user",
      "token.claims": '{"roles": ["admin"]}',
      signUp: "open",
    };
    expect(changedPaths(own, draft)).not.toContain("signUp");
    expect(settingsChange(own, draft)).toEqual({
      "passcode.length": null,
      "passcode.ttlSeconds": "soon",
      "passcode.fixed": "0000",
      sessionExtensions: true,
      "wire.signUpStatus": 201,
      "wire.userField": "user",
      "token.claims": { roles: ["admin"] },
    });
    expect(settingsChange({ token: { claims: { a: 1 } } }, { "token.claims": "{}" })).toEqual({ "token.claims": null });
    expect(settingsChange({}, { "token.claims": "roles" })).toEqual({ "token.claims": "roles" });
    expect(settingsChange({}, { "wire.userField": "" })).toEqual({ "wire.userField": null });
    expect(shownText(own, {}, "wire.userField")).toBe("");
  });
});

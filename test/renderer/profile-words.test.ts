import { describe, expect, test } from "vitest";
import { phoneValue, recipientText } from "#contract/words/phone-words.ts";
import {
  changeOf,
  directionOf,
  metadataErrors,
  nextSort,
  placeOf,
  profileDraftOf,
  readPlace,
  readSort,
} from "../../src-renderer/places/users/profile-words.ts";
import { PROFILE } from "./records.ts";

const userId = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";
const ADA = { ...PROFILE, userId, name: "Ada Lovelace", metadata: { plan: "pro", seats: 3 } };

describe("a phone number while typing", () => {
  test.each([
    ["+12025550100", "+1 202 555 0100"],
    ["+1202555", "+1 202 555"],
    ["+447700900123", "+44 7700 900123"],
    ["+33612345678", "+33 6 12 34 56 78"],
    ["+34600123456", "+34 600 123 456"],
    ["+3531234567", "+353 123 4567"],
    ["+", "+"],
    ["12025550100", "12025550100"],
    ["call me", "call me"],
    ["+1234567890123456789", "+1234567890123456789"],
  ])("%s is shown as %s", (typed, look) => {
    expect(recipientText(typed)).toBe(look);
    expect(recipientText(look)).toBe(look);
    expect(phoneValue(look)).toBe(phoneValue(typed));
  });
});

describe("a form sends", () => {
  const base = profileDraftOf(ADA);
  test("nothing without changes", () => {
    expect(changeOf(base, base)).toEqual({});
  });
  test("changed fields; null for an emptied one; a number without gaps", () => {
    const draft = { ...base, name: "", phone: "+1 202 555 0199", testPasscode: "424242", scenario: "locked" };
    const change = { name: null, phone: "+12025550199", testPasscode: "424242", scenario: "locked" };
    expect(changeOf(base, draft)).toEqual(change);
    expect(changeOf(draft, base)).toMatchObject({ scenario: null });
  });
  test("of metadata the changed keys, which are merged; all of it, replaced, if keys were removed", () => {
    const metadata = (text: string) => changeOf(base, { ...base, metadata: text });
    expect(metadata('{"plan":"pro","seats":3,"x":1}')).toEqual({ metadata: { x: 1 } });
    expect(metadata('{"plan":"free"}')).toEqual({ metadata: { plan: "free" }, metadataMode: "replace" });
    expect(metadata(" ")).toEqual({ metadata: null });
  });
  test("only metadata that is an object", () => {
    expect(metadataErrors({ metadata: "[1]" })).toEqual({ metadata: ["Metadata must be an object, in { and }"] });
    expect(metadataErrors({ metadata: '{"a"}' })).toEqual({ metadata: ["Line 1, column 5: Expected a colon"] });
  });
});

describe("the address of a profile", () => {
  test("contains the app if all are shown, and the form", () => {
    for (const app of [null, "demo-app"])
      for (const part of [null, "edit", "sessions"] as const)
        expect(readPlace(placeOf(ADA, app, part), app)).toEqual({
          kind: "profile",
          appId: "demo-app",
          userId,
          part,
        });
    expect(readPlace(userId, null)).toEqual({ kind: "profile", appId: null, userId, part: null });
    expect(readPlace("new", null)).toEqual({ kind: "new" });
    expect(readPlace(null, null)).toEqual({ kind: "none" });
  });
  test("contains the sort order; an unknown one is ignored", () => {
    expect(readSort("-name")).toBe("-name");
    expect(readSort("constructor")).toBe("createdAt");
    expect(nextSort("name", "name")).toBe("-name");
    expect(nextSort("-createdAt", "createdAt")).toBeNull();
    expect(directionOf("-name", "name")).toBe("descending");
    expect(directionOf("-name", "email")).toBe("none");
  });
});

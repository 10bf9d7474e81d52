import { describe, expect, test } from "vitest";
import { z } from "zod";
import { knownInState, worldState } from "#contract/control/state.ts";
import { appInput } from "#contract/service/apps.ts";
import { latestQuery } from "#contract/service/passcodes.ts";
import { pageQuery } from "#contract/service/profiles.ts";
import { authenticateBody, sessionInput } from "#contract/service/sessions.ts";
import {
  type FieldErrors,
  fieldErrors,
  mergeErrors,
  namesIn,
  nearestName,
  pathText,
  unknownName,
} from "#contract/validation.ts";

type Known = (path: readonly PropertyKey[]) => readonly string[];

const errorsOf = (schema: z.ZodType, value: unknown, known?: Known): FieldErrors => {
  const parsed = schema.safeParse(value, { reportInput: true });
  return parsed.success ? {} : fieldErrors(parsed.error, known === undefined ? {} : { known });
};

const INSTANT = "must be an instant such as 2026-01-31T12:00:00.000Z";

describe("errors in other bodies and in queries", () => {
  test("D20, D23, D25: a missing value can't be blank, a wrong one gets its own message", () => {
    expect(errorsOf(authenticateBody, {})).toEqual({
      appId: ["can't be blank"],
      user: ["can't be blank"],
      passcode: ["can't be blank"],
    });
    expect(errorsOf(authenticateBody, { appId: 1, user: [], passcode: 1.5 })).toEqual({
      appId: ["must be a string"],
      user: ["must be an object"],
      passcode: ["must be a string of digits"],
    });
  });

  test("D12: page and limit", () => {
    expect(errorsOf(pageQuery, { page: "0", limit: "101" })).toEqual({
      page: ["must be 1 or more"],
      limit: ["must be 100 or less"],
    });
    expect(errorsOf(pageQuery, { page: "-1", limit: `-${"9".repeat(400)}` })).toEqual({
      page: ["must be 1 or more"],
      limit: ["must be 1 or more"],
    });
    expect(errorsOf(pageQuery, { page: "x", limit: "1.5" })).toEqual({
      page: ["must be a whole number"],
      limit: ["must be a whole number"],
    });
    expect(errorsOf(pageQuery, { page: "9007199254740991", limit: "9".repeat(400) })).toEqual({
      page: ["must be 999999999 or less"],
      limit: ["must be 100 or less"],
    });
    expect(pageQuery.parse({})).toEqual({ page: 1, limit: 25 });
  });

  test("an invalid choice lists the valid ones", () => {
    expect(errorsOf(latestQuery, { status: "gone", wait: "60001" })).toEqual({
      status: ['must be "active" or "used" or "replaced" or "expired" or "exhausted" or "any"'],
      wait: ["must be 60000 or less"],
    });
    expect(latestQuery.parse({ to: " 12025550100" })).toMatchObject({ to: "+12025550100", status: "active", wait: 0 });
  });

  test("clock changes and sessions", () => {
    expect(errorsOf(z.object({ frozenAt: z.iso.datetime({ offset: true }).nullable() }), { frozenAt: "now" })).toEqual({
      frozenAt: [INSTANT],
    });
    expect(errorsOf(sessionInput, { appId: "a", userId: "7", ttlSeconds: 0 })).toEqual({
      userId: ["must be a UUID"],
      ttlSeconds: ["must be 1 or more"],
    });
  });

  test("a body that is not an object is reported under base", () => {
    expect(errorsOf(worldState, [])).toEqual({ base: ["must be an object"] });
  });
});

describe("unknown fields", () => {
  test("an unknown setting gets the nearest known name", () => {
    const body = {
      strategi: "phone",
      settings: { signup: "closed", passcode: { lenght: 4 }, wire: { signUpStatus: 202 } },
    };
    expect(errorsOf(appInput, body, namesIn(appInput))).toEqual({
      strategi: ['is unknown; did you mean "strategy"?'],
      "settings.signup": ['is unknown; did you mean "signUp"?'],
      "settings.passcode.lenght": ['is unknown; did you mean "length"?'],
      "settings.wire.signUpStatus": ["must be 200 or 201"],
    });
  });

  test("in an imported state each is named by its path", () => {
    const world = {
      version: 2,
      appz: [],
      apps: [
        { appId: "ok" },
        { appId: "a", profiles: [{ fone: "1" }, { createdAt: "2026-1-1" }], settings: { pascode: {} } },
      ],
    };
    expect(errorsOf(worldState, world, knownInState)).toEqual({
      version: ["must be 1"],
      appz: ['is unknown; did you mean "apps"?'],
      "apps[1].profiles[0].fone": ['is unknown; did you mean "phone"?'],
      "apps[1].profiles[1].createdAt": [expect.stringMatching(/^must be an instant such as .+, a date .+ -30d/)],
      "apps[1].settings.pascode": ['is unknown; did you mean "passcode"?'],
    });
  });

  test("one without a near match lists all known names", () => {
    expect(nearestName("zzzzzzzz", ["page", "limit"])).toBeUndefined();
    expect(unknownName("zzzzzzzz", ["page", "limit"])).toBe("is unknown (known: page, limit)");
    expect(nearestName("PHONE", ["phone", "email"])).toBe("phone");
    expect(nearestName("mail", ["phone", "email", "name"])).toBe("email");
    expect(nearestName("anything", [])).toBeUndefined();
  });
});

describe("the format of errors", () => {
  test("writes paths as in JavaScript", () => {
    expect(pathText(["apps", 0, "profiles", 3, "phone"])).toBe("apps[0].profiles[3].phone");
    expect(pathText([0, "a"])).toBe("[0].a");
    expect(pathText([])).toBe("");
  });

  test("merging repeats no message and modifies no prototype", () => {
    const a: FieldErrors = { phone: ["one"] };
    const merged = mergeErrors(a, { phone: ["one", "two"], name: ["x"] }, JSON.parse('{"__proto__":["y"]}'));
    expect(JSON.stringify(merged)).toBe('{"phone":["one","two"],"name":["x"],"__proto__":["y"]}');
    expect(a).toEqual({ phone: ["one"] });
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });
});

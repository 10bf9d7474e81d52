import { expect, test } from "vitest";
import type { Profile } from "#client/index.ts";
import { statusAt, wrongAttempts } from "../../src-renderer/shared/login/passcode-status.ts";
import { passesFilter, standingOf } from "../../src-renderer/shared/login/standing.ts";
import { slipWords } from "../../src-renderer/shared/login/typed-digits.ts";
import { passcode, row, wrong } from "./login-records.ts";
import { PROFILE } from "./records.ts";

const CODE = passcode("482917", 0, "r0");
const END = Date.parse(CODE.expiresAt);
const ASKED = row(0, "POST", 202);
const fixed: Profile = { ...PROFILE, testPasscode: CODE.code };
const lost = { carriedOut: { status: 200, reason: null }, fault: "f" } as const;

const wordOf = (
  rows: Parameters<typeof standingOf>[0]["rows"],
  code: Partial<typeof CODE> | null = {},
  now = END - 1,
) => standingOf({ rows, passcodes: code === null ? [] : [{ ...CODE, ...code }] }, now, PROFILE).word;

test.each([
  ["Waiting", wordOf([ASKED])],
  ["Expired", wordOf([ASKED], {}, END)],
  ["1 wrong code", wordOf([ASKED, row(1, "PUT", 401, wrong, "1")], { attempts: 1, tried: ["1"] })],
  ["2 wrong codes", wordOf([ASKED], { attempts: 2, tried: ["1", "2"] })],
  ["Locked", wordOf([ASKED], { status: "exhausted", attempts: 5 })],
  ["Replaced", wordOf([ASKED], { status: "replaced" })],
  ["Not delivered", wordOf([ASKED], { delivery: "failed" })],
  ["On its way", wordOf([ASKED], { delivery: "pending" })],
  ["Signed in", wordOf([ASKED, row(2, "PUT", 200)], { status: "used", attempts: 1 })],
  // The log is limited: the code alone says it, too.
  ["Signed in", wordOf([], { status: "used", attempts: 1 })],
  ["Answer lost", wordOf([ASKED, row(2, "PUT", 0, lost)], { status: "used" })],
  ["Simulated 503", wordOf([ASKED, row(2, "PUT", 503, { fault: "f" })])],
  ["Unknown app", wordOf([row(0, "POST", 401, { reason: "unknown_app" })], null)],
  ["Signed up", wordOf([row(0, "POST", 201)], null)],
])("a login is called %s", (word, is) => expect(is).toBe(word));

test("a fixed code is always open, whatever became of it", () => {
  const expired = standingOf({ rows: [ASKED], passcodes: [CODE] }, END, fixed);
  expect([expired.word, passesFilter(expired, "waiting"), passesFilter(expired, "failed")]).toEqual([
    "Fixed code",
    true,
    false,
  ]);
});

test.each([
  ["482971", "The last two digits are swapped."],
  ["842917", "Digits 1 and 2 are swapped."],
  ["482 914", "The sixth digit is wrong."],
  ["48291", "1 digit missing."],
  ["4829177", "1 digit too many."],
  ["482000", "3 digits are wrong."],
  ["111111", "5 digits are wrong."],
  ["000000", "It is another code."],
])("%s in the place of 482917: %s", (typed, words) => expect(slipWords(typed, "482917")).toBe(words));

test("a code expires at its time, and a right one is no wrong attempt", () => {
  expect([statusAt(CODE, END - 1), statusAt(CODE, END)]).toEqual(["active", "expired"]);
  expect(wrongAttempts({ ...CODE, status: "used", attempts: 2, tried: ["1", "482917"] })).toBe(1);
  // A fixed code stays active after a correct attempt.
  expect(wrongAttempts({ ...CODE, attempts: 3, tried: ["482917", "1", "482917"] })).toBe(1);
});

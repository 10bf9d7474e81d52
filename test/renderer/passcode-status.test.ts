import { expect, test } from "vitest";
import type { Passcode, Profile } from "#client/index.ts";
import {
  passes,
  standingAt,
  statusAt,
  whatHappened,
  wrongAttempts,
} from "../../src-renderer/shared/login/passcode-status.ts";
import { PASSCODE } from "./records.ts";

const passcode = (change: Partial<Passcode>): Passcode => ({
  ...PASSCODE,
  createdAt: "2026-01-01T00:00:00.000Z",
  expiresAt: "2026-01-01T00:10:00.000Z",
  ...change,
});
const user: Profile = {
  userId: "22222222-2222-4222-8222-222222222222",
  appId: "demo-app",
  name: null,
  phone: null,
  email: null,
  metadata: null,
  testPasscode: null,
  scenario: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};
const END = Date.parse("2026-01-01T00:10:00.000Z");

test("an active code expires at its time; others keep their status", () => {
  expect(statusAt(passcode({}), END - 1)).toBe("active");
  expect(statusAt(passcode({}), END)).toBe("expired");
  expect(statusAt(passcode({ status: "used" }), END)).toBe("used");
});

test.for<[Partial<Passcode>, wrong: number, words: string]>([
  [{ status: "used", attempts: 1, tried: ["482917"] }, 0, "signed in"],
  [{ status: "used", attempts: 2, tried: ["1", "482917"] }, 1, "signed in after 1 wrong attempt"],
  [{ status: "exhausted", attempts: 5, tried: ["1", "2", "3", "4", "5"] }, 5, "5 wrong attempts"],
  [{ status: "replaced", attempts: 0, tried: [] }, 0, "a newer code was sent"],
  [{ status: "expired", attempts: 2, tried: ["1", "2"] }, 2, "2 wrong attempts"],
  // A permanent test code stays active after a correct attempt.
  [{ status: "active", attempts: 3, tried: ["482917", "1", "482917"] }, 1, "1 wrong attempt"],
])("%o", ([change, wrong, words]) => {
  const item = passcode(change);
  expect(wrongAttempts(item)).toBe(wrong);
  expect(whatHappened(item, item.status)).toBe(words);
});

test("the filters show active, used, and those with a wrong attempt", () => {
  const codes = [
    passcode({}),
    passcode({ status: "used", attempts: 1, tried: ["482917"] }),
    passcode({ attempts: 1, tried: ["1"] }),
  ];
  const shown = (show: string | null, nowMs = END - 1) => codes.map((code) => passes(code, show, nowMs));
  expect(shown(null)).toEqual([true, true, true]);
  expect(shown("active")).toEqual([true, false, true]);
  expect(shown("active", END)).toEqual([false, false, false]);
  expect(shown("used")).toEqual([false, true, false]);
  expect(shown("failed")).toEqual([false, false, true]);
});

test("the user's fixed code takes precedence over everything, then a fault that prevented delivery", () => {
  const lost = passcode({ delivery: "failed" });
  expect(standingAt(lost, END, null)).toBe("lost");
  expect(standingAt(passcode({}), END, null)).toBe("expired");
  expect(standingAt(lost, END, { ...user, testPasscode: "482917" })).toBe("test");
});

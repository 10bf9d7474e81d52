import { expect, test } from "vitest";
import type { Profile } from "#client/index.ts";
import { passcodeItem } from "#contract/passcodes.ts";
import {
  standingAt,
  statusAt,
  whatHappened,
  wrongAttempts,
} from "../../src-renderer/features/inbox/passcode-status.ts";

const passcode = (change: object) =>
  passcodeItem.parse({
    id: "11111111-1111-4111-8111-111111111111",
    seq: 1,
    appId: "demo-app",
    userId: "22222222-2222-4222-8222-222222222222",
    channel: "sms",
    to: "+12025550100",
    code: "482917",
    message: "482917",
    status: "active",
    delivery: "sent",
    devices: [],
    attempts: 0,
    tried: [],
    requestId: null,
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

test.for([
  [{ status: "used", attempts: 1, tried: ["482917"] }, 0, "signed in"],
  [{ status: "used", attempts: 2, tried: ["1", "482917"] }, 1, "signed in after 1 wrong attempt"],
  [{ status: "exhausted", attempts: 5, tried: ["1", "2", "3", "4", "5"] }, 5, "5 wrong attempts"],
  [{ status: "replaced", attempts: 0, tried: [] }, 0, "a newer code was sent"],
  [{ status: "expired", attempts: 2, tried: ["1", "2"] }, 2, "2 wrong attempts"],
  // A permanent test code stays active after a correct attempt.
  [{ status: "active", attempts: 3, tried: ["482917", "1", "482917"] }, 1, "1 wrong attempt"],
] as const)("%o", ([change, wrong, words]) => {
  const item = passcode(change);
  expect(wrongAttempts(item)).toBe(wrong);
  expect(whatHappened(item, item.status)).toBe(words);
});

test("the user's fixed code takes precedence over everything, then a fault that prevented delivery", () => {
  const lost = passcode({ delivery: "failed" });
  expect(standingAt(lost, END, null)).toBe("lost");
  expect(standingAt(passcode({}), END, null)).toBe("expired");
  expect(standingAt(lost, END, { ...user, testPasscode: "482917" })).toBe("test");
});

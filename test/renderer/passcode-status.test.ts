import { expect, test } from "vitest";
import { passcodeItem } from "#contract/passcodes.ts";
import { statusAt, statusWords, wrongTries } from "../../src-renderer/features/inbox/passcode-status.ts";

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
const END = Date.parse("2026-01-01T00:10:00.000Z");

test("an active code expires at its time; what has ended stays as it ended", () => {
  expect(statusAt(passcode({}), END - 1)).toBe("active");
  expect(statusAt(passcode({}), END)).toBe("expired");
  expect(statusAt(passcode({ status: "used" }), END)).toBe("used");
});

test.for([
  [{ status: "used", attempts: 1, tried: ["482917"] }, 0, "Used"],
  [{ status: "used", attempts: 2, tried: ["1", "482917"] }, 1, "Used, 1 wrong try"],
  [{ status: "exhausted", attempts: 5, tried: ["1", "2", "3", "4", "5"] }, 5, "5 wrong tries"],
  [{ status: "replaced", attempts: 0, tried: [] }, 0, "Replaced"],
  [{ status: "expired", attempts: 2, tried: ["1", "2"] }, 2, "Expired, 2 wrong tries"],
  // A standing test code stays active when it was right.
  [{ status: "active", attempts: 3, tried: ["482917", "1", "482917"] }, 1, "1 wrong try"],
] as const)("%o", ([change, wrong, words]) => {
  const item = passcode(change);
  expect(wrongTries(item)).toBe(wrong);
  expect(statusWords(item, item.status)).toBe(words);
});

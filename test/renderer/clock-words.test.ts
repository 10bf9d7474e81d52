import { describe, expect, test } from "vitest";
import type { Passcode, Session } from "#client/index.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import { momentsOf, nextEndings } from "../../src-renderer/places/simulate/clock-state.ts";
import { apartWords, kindOf } from "../../src-renderer/shared/session/session-words.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const at = (seconds: number) => isoInstant(epochMs(NOW + seconds * 1_000));

const passcode = (id: string, expires: number, status: Passcode["status"] = "active"): Passcode => ({
  id,
  seq: 1,
  appId: "a",
  userId: "u",
  channel: "sms",
  to: "+12025550100",
  code: "123456",
  message: "",
  status,
  delivery: "sent",
  devices: [],
  attempts: 0,
  tried: [],
  requestId: null,
  createdAt: at(expires - 600),
  expiresAt: at(expires),
});
const session = (id: string, expires: number, state: Session["state"] = "active"): Session => ({
  id,
  seq: 1,
  appId: "a",
  userId: "u",
  state,
  device: null,
  requestId: null,
  createdAt: at(0),
  expiresAt: at(expires),
  revokedAt: null,
});

describe("the suggested moments", () => {
  test("are those of the newest active code and session", () => {
    const codes = [passcode("used", 900, "used"), passcode("newest", 500), passcode("older", 300)];
    const sessions = [session("revoked", 9_000, "revoked"), session("live", 7_000)];
    const [before, after, end] = momentsOf(codes, sessions, NOW);
    expect([before?.atMs, after?.atMs, end?.atMs]).toEqual([NOW + 499_000, NOW + 500_000, NOW + 7_000_000]);
    expect([before?.ending?.kind, end?.ending?.kind]).toEqual(["code", "session"]);
  });

  test("give the reason when there is none: what the clock has passed is no longer active", () => {
    const moments = momentsOf([passcode("past", 0)], [session("past", -1)], NOW);
    expect(moments.map(({ ending }) => ending)).toEqual([null, null, null]);
    expect(moments.map(({ why }) => why)).toEqual([
      "No code is active.",
      "No code is active.",
      "No session is active.",
    ]);
  });
});

test("upcoming expirations are in order and limited in number", () => {
  const codes = [passcode("c2", 500), passcode("c1", 60), passcode("gone", -5)];
  const ids = nextEndings(codes, [session("s1", 100)], NOW, 2).map(({ id }) => id);
  expect(ids).toEqual(["c1", "s1"]);
});

test("shows how far and in which way a clock differs from real time", () => {
  expect(apartWords(7_200_000)).toBe("2 h ahead of real time");
  expect(apartWords(-90_000)).toBe("1 min 30 s behind real time");
  expect(apartWords(400)).toBe("the same as real time");
  expect(kindOf({ offsetSeconds: 0, frozenAt: null })).toBe("real");
  expect(kindOf({ offsetSeconds: -1, frozenAt: null })).toBe("moved");
  expect(kindOf({ offsetSeconds: 0, frozenAt: at(0) })).toBe("frozen");
});

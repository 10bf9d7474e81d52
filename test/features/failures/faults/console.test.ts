import { describe, expect, test } from "vitest";
import type { Fault } from "#client/index.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import { faultInput } from "#contract/service/faults.ts";
import {
  emptyDraft,
  type FaultDraft,
  faultCurl,
  faultDraftOf,
  readDraft,
} from "../../../../src-renderer/places/simulate/fault-draft.ts";
import { PRESETS } from "../../../../src-renderer/shared/fault/fault-presets.ts";
import {
  concerns,
  counterWords,
  effectWords,
  matchWords,
  meets,
  oftenWords,
} from "../../../../src-renderer/shared/fault/fault-words.ts";

const fault = (change: Partial<Fault> = {}): Fault => ({
  id: "4a7c0bf1-2a2e-4f0e-9a55-0d3f4a1f9b11",
  match: {},
  userId: null,
  scenario: null,
  effect: { status: 503 },
  times: null,
  used: 0,
  remaining: null,
  createdAt: isoInstant(epochMs(0)),
  ...change,
});
const draft = (change: Partial<FaultDraft>): FaultDraft => ({ ...emptyDraft(null), ...change });

describe("descriptions of faults", () => {
  test.for([
    [{}, "All requests"],
    [{ listener: "auth" }, "Requests to auth"],
    [{ method: "POST", appId: "a" }, "POST requests in The app"],
    [
      { listener: "auth", method: "PUT", path: "/v1/users/session", to: "+12025550100" },
      "PUT /v1/users/session on auth for +1 202 555 0100",
    ],
  ] as const)("describe requests: %o", ([match, words]) => expect(matchWords(match, () => "The app")).toBe(words));

  test.for([
    [{ delayMs: 250 }, "Delays 0.25 s"],
    [{ status: 503, delayMs: 2_000 }, "Returns 503, after 2 s"],
    [{ reason: "passcode_expired" }, "Rejects with “code expired”"],
    [{ drop: true }, "Drops the connection"],
    [{ reset: true }, "Resets the connection"],
    [{ drop: true, after: true }, "Drops the connection, after carrying it out"],
    [{ delayMs: 3_000, after: true }, "Delays the response 3 s, after carrying it out"],
    [{ twice: true, delayMs: 2_000 }, "Carries it out twice, after 2 s"],
    [{ twice: true, drop: true, after: true }, "Carries it out twice, drops the connection, after carrying it out"],
    [{ undelivered: true }, "Does not deliver the code"],
    [{ deliverAfterMs: 30_000, deliverTwice: true }, "Delivers the code after 30 s, twice"],
  ] as const)("describe effects: %o", ([effect, words]) => expect(effectWords(effect)).toBe(words));

  test.for([
    [{ used: 0, remaining: null }, ["No limit", "not used yet"]],
    [{ used: 1_200, remaining: null }, ["No limit", "used 1,200×"]],
    [{ used: 0, remaining: 3, times: 3 }, ["3 left", "0 of 3 used"]],
    [{ used: 1, remaining: 2, times: 3 }, ["2 left", "1 of 3 used"]],
    [{ used: 3, remaining: 0, times: 3 }, ["Used up", "3 of 3 used"]],
    [{ used: 1, remaining: 0, times: 1 }, ["Used up", "1 of 1 used"]],
  ] as const)("describe counters: %o", ([counters, words]) => expect(counterWords(fault(counters))).toEqual(words));

  test.for([
    [{}, true],
    [{ listener: "auth", method: "PUT", path: "/v1/users/session" }, true],
    [{ path: "/v1/*", appId: "a", to: "ADA@example.com" }, true],
    [{ listener: "admin" }, false],
    [{ method: "DELETE" }, false],
    [{ path: "/v1/profiles/*" }, false],
    [{ path: "/v1/users" }, false],
    [{ appId: "b" }, false],
    [{ to: "+12025550100" }, false],
  ] as const)("say whether a fault can match the next request of a login: %o, %s", ([match, expected]) =>
    expect(meets(fault({ match }), { appId: "a", to: "ada@example.com" })).toBe(expected),
  );

  test("include the app only if it is not the current one", () => {
    expect(concerns(fault(), "a")).toBe(true);
    expect(concerns(fault({ match: { appId: "a" } }), "a")).toBe(true);
    expect(concerns(fault({ match: { appId: "b" } }), "a")).toBe(false);
    expect(concerns(fault({ match: { appId: "b" } }), null)).toBe(true);
  });
});

describe("the fault form", () => {
  test("reproduces every preset", () => {
    for (const { fault: preset } of PRESETS)
      expect(readDraft(faultDraftOf(preset))).toEqual({ input: faultInput.parse(preset) });
  });

  test("accepts spaces in a number, a decimal comma, and empty for any", () => {
    const typed = draft({ to: "+1 202 555 0100", kind: "delay", seconds: "0,5", times: "", path: " /v1/x* " });
    expect(readDraft(typed)).toEqual({
      input: { match: { to: "+12025550100", path: "/v1/x*" }, effect: { delayMs: 500 }, times: null },
    });
    expect(readDraft(draft({ kind: "lost" }))).toMatchObject({ input: { effect: { drop: true, after: true } } });
  });

  test("takes everything else as JSON, and shows it again", () => {
    const byChance = { delayMs: { from: 500, to: 4_000 }, clockOffMs: -180_000 };
    const cycle = { forMs: 500, everyMs: 60_000 };
    const given = faultInput.parse({ effect: { status: 503, ...byChance }, probability: 0.125, seed: "42", cycle });
    expect(faultDraftOf(given).kind).toBe("other");
    expect(readDraft(faultDraftOf(given))).toEqual({ input: given });
    expect(oftenWords(given)).toBe("until turned off, for 12.5 % of requests, for 0.5 s of every 60 s");
    expect(effectWords(byChance)).toBe("after 0.5 to 4 s, clock 180 s behind");
  });

  test.for([
    [{ status: "soon" }, "effect.status", "must be a number"],
    [{ times: "0" }, "times", "must be 1 or more"],
    [{ kind: "delay", seconds: "61" }, "effect.delayMs", "must be seconds from 0 to 60"],
    [{ kind: "delay", seconds: "" }, "effect.delayMs", "must be seconds from 0 to 60"],
    [{ path: "v1" }, "match.path", "must be a path such as /v1/profiles, or /v1/profiles/* for everything below it"],
    [{ listener: "admin", to: "+12025550100" }, "match.to", "goes with the auth listener"],
    [{ kind: "other", json: "{" }, "json", 'must be a JSON object such as {"effect": {"status": 503}}'],
    [{ kind: "other", json: '{"effect":{"status":99}}' }, "json", "effect.status: must be 200 or more"],
  ] as const)("reports errors: %o", ([change, field, words]) =>
    expect(readDraft(draft(change))).toEqual({ wrong: { [field]: [words] } }),
  );
});

test("the command line omits defaults, and quotes", () => {
  const line = faultCurl("http://127.0.0.1:4012", { match: {}, effect: { status: 500, body: "it's" }, times: null });
  expect(line).toContain("http://127.0.0.1:4012/emulator/v1/faults");
  expect(line).toContain(String.raw`-d '{"effect":{"status":500,"body":"it'\''s"}}'`);
});

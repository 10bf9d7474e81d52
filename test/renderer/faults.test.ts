import { describe, expect, test } from "vitest";
import { faultInput } from "#contract/faults.ts";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import { type Fault, type FaultChange, withFault } from "../../src-renderer/api/faults.ts";
import { faultCurl } from "../../src-renderer/features/faults/fault-curl.ts";
import { type Draft, draftOf, emptyDraft, readDraft } from "../../src-renderer/features/faults/fault-draft.ts";
import { PRESETS } from "../../src-renderer/features/faults/fault-presets.ts";
import { concerns, counterWords, effectWords, matchWords } from "../../src-renderer/features/faults/fault-words.ts";

const fault = (change: Partial<Fault> = {}): Fault => ({
  id: "4a7c0bf1-2a2e-4f0e-9a55-0d3f4a1f9b11",
  match: {},
  effect: { status: 503 },
  times: null,
  used: 0,
  remaining: null,
  createdAt: isoInstant(epochMs(0)),
  ...change,
});
const draft = (change: Partial<Draft>): Draft => ({ ...emptyDraft(null), ...change });

describe("words for faults", () => {
  test.for([
    [{}, "Every request"],
    [{ listener: "auth" }, "Requests to auth"],
    [{ method: "POST", appId: "a" }, "POST requests of The app"],
    [
      { listener: "auth", method: "PUT", path: "/v1/users/session", to: "+12025550100" },
      "PUT /v1/users/session on auth for +1 202 555 0100",
    ],
  ] as const)("requests: %o", ([match, words]) => expect(matchWords(match, () => "The app")).toBe(words));

  test.for([
    [{ delayMs: 250 }, "Answered 0.25 s late"],
    [{ status: 503, delayMs: 2_000 }, "Answered 503, after 2 s"],
    [{ reason: "passcode_expired" }, "Refused: the code has expired"],
    [{ drop: true }, "Closed without an answer"],
    [{ reset: true }, "Connection reset"],
    [{ undelivered: true }, "The code does not arrive"],
  ] as const)("effects: %o", ([effect, words]) => expect(effectWords(effect)).toBe(words));

  test.for([
    [{ used: 0, remaining: null }, "not met yet"],
    [{ used: 1_200, remaining: null }, "met 1,200 so far"],
    [{ used: 0, remaining: 3, times: 3 }, "not met, 3 left"],
    [{ used: 1, remaining: 2, times: 3 }, "met 1, 2 left"],
    [{ used: 3, remaining: 0, times: 3 }, "met all 3"],
    [{ used: 1, remaining: 0, times: 1 }, "met 1, used up"],
  ] as const)("counters: %o", ([counters, words]) => expect(counterWords(fault(counters))).toBe(words));

  test("a fault concerns an app unless it names another", () => {
    expect(concerns(fault(), "a")).toBe(true);
    expect(concerns(fault({ match: { appId: "a" } }), "a")).toBe(true);
    expect(concerns(fault({ match: { appId: "b" } }), "a")).toBe(false);
    expect(concerns(fault({ match: { appId: "b" } }), null)).toBe(true);
  });
});

describe("the form of a fault", () => {
  test("of each preset says the same again", () => {
    for (const { fault: preset } of PRESETS)
      expect(readDraft(draftOf(preset))).toEqual({ input: faultInput.parse(preset) });
  });

  test("reads what people type: gaps in a number, a decimal comma, JSON or text, nothing for any", () => {
    const typed = draft({ to: "+1 202 555 0100", delay: "0,5", body: '{"a": 1}', often: "always", path: " /v1/x* " });
    expect(readDraft(typed)).toEqual({
      input: {
        match: { to: "+12025550100", path: "/v1/x*" },
        effect: { status: 503, body: { a: 1 }, delayMs: 500 },
        times: null,
      },
    });
    expect(readDraft(draft({ body: "<html>" }))).toMatchObject({ input: { effect: { body: "<html>" } } });
  });

  test.for([
    [{ status: "soon" }, "effect.status", "must be a number"],
    [{ status: "" }, "effect.status", "must be a number"],
    [{ times: "" }, "times", "must be a number"],
    [{ times: "0" }, "times", "must be 1 or more"],
    [{ delay: "61" }, "effect.delayMs", "must be seconds from 0 to 60"],
    [{ delay: "a while" }, "effect.delayMs", "must be seconds from 0 to 60"],
    [{ path: "v1" }, "match.path", "must be a path such as /v1/profiles, or /v1/profiles/* for all that begins so"],
    [{ listener: "admin", to: "+12025550100" }, "match.to", "goes with the auth listener"],
    [{ end: "none" }, "effect", "must have delayMs or one of status, reason, drop, reset, undelivered"],
  ] as const)("says what is wrong: %o", ([change, field, words]) =>
    expect(readDraft(draft(change))).toEqual({ wrong: { [field]: [words] } }),
  );
});

test("the line for a terminal leaves out what says nothing, and quotes", () => {
  const line = faultCurl("http://127.0.0.1:4012", { match: {}, effect: { status: 500, body: "it's" }, times: null });
  expect(line).toContain("http://127.0.0.1:4012/emulator/v1/faults");
  expect(line).toContain(String.raw`-d '{"effect":{"status":500,"body":"it'\''s"}}'`);
});

test("events change the list: a new one behind the others, a counter in its place, a removal", () => {
  const [a, b] = [fault({ id: "a" }), fault({ id: "b" })];
  const changes: FaultChange[] = [
    { put: a },
    { put: b },
    { put: { ...a, used: 1 } },
    { removed: "b" },
    { removed: "x" },
  ];
  expect(changes.reduce(withFault, { items: [], total: 0 })).toEqual({ items: [{ ...a, used: 1 }], total: 1 });
});

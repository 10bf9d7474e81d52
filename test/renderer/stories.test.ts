import { describe, expect, test } from "vitest";
import type { Passcode, RequestRow } from "#client/index.ts";
import { stepsOf, storiesOf } from "../../src-renderer/shared/login/stories.ts";
import { digitsOf } from "../../src-renderer/shared/login/typed-digits.ts";
import { item, passcode, row, wrong } from "./login-records.ts";
import { instant } from "./records.ts";

test("a story covers the code to the session, with the attempts left as the timeline has them", () => {
  const rows = [
    row(3, "PUT", 200, {}, "482917"),
    row(2, "PUT", 401, wrong, "482971"),
    row(1, "PUT", 401, wrong, "000000"),
    row(0, "POST", 202),
  ];
  const [story, ...others] = storiesOf(rows, [passcode("482917", 0, "r0")]);
  expect(others).toEqual([]);
  if (story === undefined) expect.unreachable();
  const items = [item(1, "Wrong code: 1 attempt left"), item(2, "Wrong code: locked")].reverse();
  expect(stepsOf(story, items).map(({ title, typed, result }) => [title, typed, result])).toEqual([
    ["Requested a code", undefined, "202"],
    ["Entered", "000000", "wrong · 1 left"],
    ["Entered", "482971", "wrong · locked"],
    ["Entered", "482917", "signed in"],
  ]);
});

test("a story is what the rows say is one login, newest first; what is no login is in none", () => {
  const of = (id: string) => ({ login: { id, to: "+12025550100", typed: null } });
  const rows = [
    row(4, "POST", 202, of("r4")),
    row(3, "PUT", 401, { ...wrong, ...of("r1") }, "1"),
    row(2, "GET", 401, { login: null }),
    row(1, "POST", 202, { ...of("r1"), userId: null }),
  ];
  const stories = storiesOf(rows, [passcode("482917", 4, "r4"), passcode("111111", 1, "r1")]);
  expect(stories.map(({ id, userId, rows: own, passcodes }) => [id, userId, own.length, passcodes.length])).toEqual([
    ["r4", "u1", 1, 1],
    ["r1", "u1", 2, 1],
  ]);
});

test("a wrong code that a fault simulates is no wrong code, and one that the timeline has forgotten has no count", () => {
  const rows = [row(1, "PUT", 401, { ...wrong, fault: "f1" }, "2"), row(0, "PUT", 401, wrong, "1")];
  const [story] = storiesOf(rows, []);
  if (story === undefined) expect.unreachable();
  expect(stepsOf(story).map(({ result }) => result)).toEqual(["wrong", "wrong code"]);
});

/** A request that a fault cut after 2 ms, and what the client then repeated by itself. @param ms when it came. */
const cut = (ms: number, method: string, first: string | null, typed?: string) => {
  const made = row(0, method, 0, { fault: "f1", reason: "fault_injected", repeats: first, durationMs: 2 }, typed);
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0 Safari/537.36" };
  const at = instant(new Date(Date.UTC(2026, 0, 1, 14, 2, 0, ms)).toISOString());
  return { ...made, id: `c${ms}`, at, request: { ...made.request, headers } };
};

test.for([
  [[cut(0, "POST", null)], undefined],
  [[cut(5, "POST", "c0"), cut(0, "POST", null)], "Chrome repeated this by itself after 3 ms"],
  [
    [cut(9, "POST", "c0"), cut(5, "POST", "c0"), cut(0, "POST", null)],
    "Chrome repeated this by itself 2 times, first after 3 ms",
  ],
] as const)("what a client repeats by itself after a cut is one step, with a note: %#", ([rows, note]) => {
  const stories = storiesOf([row(2, "POST", 202), ...rows], [passcode("482917", 2, "r2")]);
  expect(stories.map(({ rows: own }) => own.length)).toEqual([rows.length + 1]);
  const [story] = stories;
  if (story === undefined) expect.unreachable();
  expect(stepsOf(story).map(({ result, times, note: said }) => [result, times, said])).toEqual([
    ["no response", 1, note],
    ["202", 1, undefined],
  ]);
});

test("a request whose response was lost was carried out", () => {
  const lost = (status: number) => ({ fault: "f1", reason: "fault_injected", carriedOut: { status, reason: null } });
  const rows = [
    row(2, "PUT", 401, { reason: "passcode_used" }, "482917"),
    row(1, "PUT", 504, lost(200), "482917"),
    row(0, "POST", 0, lost(200)),
  ];
  const [story] = storiesOf(rows, []);
  if (story === undefined) expect.unreachable();
  const words = "carried out; the answer was lost";
  expect(stepsOf(story).map(({ title, result }) => [title, result])).toEqual([
    ["Signed up", words],
    ["Entered", words],
    ["Entered", "code already used"],
  ]);
});

test("a code that is repeated by the client counts no attempt, and the app's own retry counts", () => {
  const rows = [
    row(3, "PUT", 401, wrong, "1"),
    cut(2_000, "PUT", null, "1"),
    cut(5, "PUT", "c0", "1"),
    cut(0, "PUT", null, "1"),
  ];
  const [story] = storiesOf(rows, []);
  if (story === undefined) expect.unreachable();
  expect(stepsOf(story).map(({ result, times, note }) => [result, times, note])).toEqual([
    ["no response", 2, "Chrome repeated this by itself after 3 ms"],
    ["wrong", 1, undefined],
  ]);
});

test("a code sent from the console starts a story, with attempts that the log has dropped", () => {
  const sent = { ...passcode("482917", 5, null), tried: ["111111", "482917"] };
  const [story] = storiesOf([], [sent]);
  if (story === undefined) expect.unreachable();
  expect(stepsOf(story).map(({ title, typed, result }) => [title, typed, result])).toEqual([
    ["Sent from the console", undefined, ""],
    ["Entered", "111111", "wrong"],
    ["Entered", "482917", "right"],
  ]);
});

describe("a code whose request is not in the log", () => {
  const sent = (seconds: number, change: Partial<Passcode> = {}) => ({
    ...passcode("111111", seconds, null),
    ...change,
  });
  const shapes = (rows: readonly RequestRow[], ...codes: readonly Passcode[]) =>
    storiesOf(rows, codes).map(({ id, rows: own, passcodes }) => [id, own.length, passcodes.map((one) => one.id)]);
  const login = { id: "r9", to: "+12025550100", typed: "111111" };

  test("is of the login of the user's next request, or of the one that goes on", () => {
    expect(shapes([row(9, "PUT", 200, { login })], sent(5))).toEqual([["r9", 1, ["p5"]]]);
    expect(shapes([row(0, "POST", 202)], sent(5))).toEqual([["r0", 1, ["p5"]]]);
    expect(shapes([], sent(5), sent(4))).toEqual([["p4", 0, ["p4", "p5"]]]);
    expect(shapes([row(9, "PUT", 401, {}, "1")], passcode("482917", 0, "r0"))).toEqual([["r0", 1, ["p0"]]]);
  });

  test("is of the login that goes on while its row is on its way, and of none that is over", () => {
    const codes = (seconds: number) => [passcode("111111", seconds, "r8"), passcode("482917", 0, "r0")] as const;
    expect(shapes([row(0, "POST", 202)], ...codes(5))).toEqual([["r0", 1, ["p0", "p5"]]]);
    const over = [row(5, "PUT", 200, {}, "482917"), row(0, "POST", 202)];
    for (const seconds of [5, 6]) expect(shapes(over, ...codes(seconds))).toHaveLength(2);
  });

  test("begins one after a session, after ten quiet minutes, and for another user", () => {
    const session = row(1, "PUT", 200, {}, "482917");
    expect(shapes([session], sent(5))).toEqual([
      ["p5", 0, ["p5"]],
      ["r0", 1, []],
    ]);
    expect(shapes([row(0, "POST", 202)], sent(601))).toHaveLength(2);
    expect(shapes([row(601, "PUT", 401, {}, "1")], sent(0, { id: "p" }))).toHaveLength(2);
    expect(shapes([row(0, "POST", 202)], sent(5, { userId: "u2" }))).toHaveLength(2);
    const used = { status: "used" } as const;
    expect(shapes([row(9, "POST", 202)], sent(5, used))).toHaveLength(2);
    expect(shapes([], sent(6), sent(5, used))).toHaveLength(2);
    expect(shapes([row(9, "PUT", 200, { login })], sent(5, used))).toHaveLength(1);
  });

  test("stands where it was sent, and typed codes are compared with the newest then", () => {
    const rows = [row(7, "PUT", 401, wrong, "222222"), row(2, "PUT", 401, wrong, "1"), row(0, "POST", 202)];
    const [story] = storiesOf(rows, [sent(5), passcode("482917", 0, "r0")]);
    if (story === undefined) expect.unreachable();
    expect(stepsOf(story).map(({ title, typed, code }) => [title, typed, code])).toEqual([
      ["Requested a code", undefined, "482917"],
      ["Entered", "1", "482917"],
      ["Sent from the console", undefined, undefined],
      ["Entered", "222222", "111111"],
    ]);
  });
});

test("digits are compared one by one; a missing or extra one is wrong, and what stands between them", () => {
  const wrongAt = (typed: string) => digitsOf(typed, "482917").flatMap(({ wrong: is }, place) => (is ? [place] : []));
  expect(wrongAt("482971")).toEqual([4, 5]);
  expect(wrongAt("48291")).toEqual([5]);
  expect(wrongAt("4829170")).toEqual([6]);
  expect(wrongAt("482917")).toEqual([]);
  expect(wrongAt("482 917")).toEqual([3]);
  expect(wrongAt(" 482-971")).toEqual([0, 4, 6, 7]);
  expect(wrongAt("482 91")).toEqual([3, 6]);
  expect(digitsOf("x".repeat(1_000), "482917")).toHaveLength(12);
  expect(digitsOf("123", undefined).some(({ wrong: is }) => is)).toBe(false);
});

import { expect, test } from "vitest";
import type { Passcode, RequestRow } from "#client/index.ts";
import { digitsOf, stepsOf, storiesOf } from "../../src-renderer/features/requests/stories.ts";
import { APP, instant, PASSCODE, ROW } from "./records.ts";

const at = (seconds: number) => instant(new Date(Date.UTC(2026, 0, 1, 14, 2, seconds)).toISOString());
const row = (seconds: number, method: string, status: number, change: Partial<RequestRow> = {}, typed?: string) => {
  const user = { phone: "+12025550100" };
  const body = { appId: "demo-app", user, ...(typed === undefined ? {} : { passcode: typed }) };
  const answer = method === "PUT" && status === 200 ? JSON.stringify({ id: "s1" }) : null;
  const made: RequestRow = {
    ...ROW,
    id: `r${seconds}`,
    at: at(seconds),
    method,
    status,
    request: { headers: {}, body: JSON.stringify(body) },
    response: { headers: {}, body: answer },
    ...change,
  };
  return made;
};
const passcode = (code: string, seconds: number, requestId: string | null): Passcode => ({
  ...PASSCODE,
  id: `p${seconds}`,
  seq: seconds,
  code,
  requestId,
  createdAt: at(seconds),
  expiresAt: at(599),
});
const wrong = { reason: "passcode_mismatch" };

test("a story covers the code to the session, and counts down the time left", () => {
  const rows = [
    row(3, "PUT", 200, {}, "482917"),
    row(2, "PUT", 401, wrong, "482971"),
    row(1, "PUT", 401, wrong, "000000"),
    row(0, "POST", 202),
  ];
  const [story, ...others] = storiesOf(rows, [APP], [passcode("482917", 0, "r0")]);
  expect(others).toEqual([]);
  if (story === undefined) expect.unreachable();
  expect(stepsOf(story, [APP]).map(({ title, typed, result }) => [title, typed, result])).toEqual([
    ["Asked for a code", undefined, "202"],
    ["Typed", "000000", "wrong · 4 left"],
    ["Typed", "482971", "wrong · 3 left"],
    ["Typed", "482917", "signed in"],
  ]);
});

test("a POST starts a new story, unless the previous one failed", () => {
  const rows = [row(4, "POST", 202), row(3, "PUT", 401, wrong, "1"), row(2, "POST", 202), row(1, "POST", 429)];
  expect(storiesOf(rows, [APP], []).map(({ id, rows: own }) => [id, own.length])).toEqual([
    ["r4", 1],
    ["r1", 3],
  ]);
});

test("counts down to locked; a wrong code that a fault simulates costs no attempt", () => {
  const rows = [
    row(2, "PUT", 401, wrong, "3"),
    row(1, "PUT", 401, { ...wrong, fault: "f1" }, "2"),
    row(0, "PUT", 401, wrong, "1"),
  ];
  const app = { ...APP, settings: { passcode: { maxAttempts: 2 } } };
  const [story] = storiesOf(rows, [app], []);
  if (story === undefined) expect.unreachable();
  expect(stepsOf(story, [app]).map(({ result }) => result)).toEqual(["wrong · 1 left", "401", "wrong · locked"]);
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
  const stories = storiesOf([row(2, "POST", 202), ...rows], [APP], [passcode("482917", 2, "r2")]);
  expect(stories.map(({ rows: own }) => own.length)).toEqual([rows.length + 1]);
  const [story] = stories;
  if (story === undefined) expect.unreachable();
  expect(stepsOf(story, [APP]).map(({ result, times, note: said }) => [result, times, said])).toEqual([
    ["no response", 1, note],
    ["202", 1, undefined],
  ]);
});

test("a code that is repeated by the client counts no attempt, and the app's own retry counts", () => {
  const rows = [
    row(3, "PUT", 401, wrong, "1"),
    cut(2_000, "PUT", null, "1"),
    cut(5, "PUT", "c0", "1"),
    cut(0, "PUT", null, "1"),
  ];
  const [story] = storiesOf(rows, [APP], []);
  if (story === undefined) expect.unreachable();
  expect(stepsOf(story, [APP]).map(({ result, times, note }) => [result, times, note])).toEqual([
    ["no response", 2, "Chrome repeated this by itself after 3 ms"],
    ["wrong · 4 left", 1, undefined],
  ]);
});

test("an email address is the same user in capitals", () => {
  const typed = (email: string) => ({ request: { headers: {}, body: JSON.stringify({ user: { email } }) } });
  const rows = [row(1, "PUT", 401, typed("Ada@Example.com")), row(0, "POST", 202, typed("ada@example.com"))];
  expect(storiesOf(rows, [{ ...APP, strategy: "email" }], []).map(({ rows: own }) => own.length)).toEqual([2]);
});

test("users have separate stories, and so has a request without a known app", () => {
  const other = row(1, "POST", 202, { userId: "u2", request: { headers: {}, body: '{"user":{"phone":"+1999"}}' } });
  const stranger = row(2, "POST", 401, { appId: null, userId: null, reason: "unknown_app" });
  const stories = storiesOf([stranger, other, row(0, "POST", 202)], [APP], []);
  expect(stories.map(({ to, appId }) => [to, appId])).toEqual([
    ["+12025550100", null],
    ["+1999", "demo-app"],
    ["+12025550100", "demo-app"],
  ]);
});

test("a code sent from the console starts a story, with attempts that the log has dropped", () => {
  const sent = { ...passcode("482917", 5, null), tried: ["111111", "482917"] };
  const [story] = storiesOf([], [APP], [sent]);
  if (story === undefined) expect.unreachable();
  expect(stepsOf(story, [APP]).map(({ title, typed, result }) => [title, typed, result])).toEqual([
    ["Sent from the console", undefined, ""],
    ["Typed", "111111", "wrong · 4 left"],
    ["Typed", "482917", "right"],
  ]);
});

test("digits are compared one by one; a missing or extra one is wrong", () => {
  const wrongAt = (typed: string) => digitsOf(typed, "482917").flatMap(({ wrong: is }, place) => (is ? [place] : []));
  expect(wrongAt("482971")).toEqual([4, 5]);
  expect(wrongAt("48291")).toEqual([5]);
  expect(wrongAt("4829170")).toEqual([6]);
  expect(wrongAt("482917")).toEqual([]);
  expect(digitsOf("x".repeat(1_000), "482917")).toHaveLength(12);
  expect(digitsOf("123", undefined).some(({ wrong: is }) => is)).toBe(false);
});

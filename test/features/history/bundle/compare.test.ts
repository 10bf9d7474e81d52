/** Two logins side by side. */
import { expect, test } from "vitest";
import type { RequestRow } from "#client/index.ts";
import { APP, instant, ROW } from "#test/renderer/records.ts";
import {
  compareLogins,
  comparisonMarkdown,
  type LoginSide,
  partingWords,
} from "../../../../src-renderer/features/bundle/compare.ts";

const ID = "11111111-1111-4111-8111-11111111111";
const row = (at: number, part: Partial<RequestRow>): RequestRow => ({
  ...ROW,
  id: `r${at}`,
  at: instant(`2026-01-31T12:00:${String(at).padStart(2, "0")}.000Z`),
  ...part,
});
const LOGIN = { id: "r0", to: "+12025550100", typed: null };
const body = (value: unknown, headers = {}) => ({ headers, body: JSON.stringify(value) });
const asked = (at: number, part: Partial<RequestRow> = {}): RequestRow =>
  row(at, { method: "POST", status: 202, request: body({ user: { phone: "+12025550100" } }), login: LOGIN, ...part });
const typed = (at: number, passcode: string, part: Partial<RequestRow>): RequestRow =>
  row(at, {
    request: body({ user: { phone: "+12025550100" }, passcode }),
    login: { ...LOGIN, typed: passcode },
    ...part,
  });
const wrong = { status: 401, reason: "passcode_mismatch", response: body({ message: "Unauthorized" }) };
const signedIn = (n: number) => ({
  status: 200,
  response: body({ id: `${ID}${n}`, token: `eyJ${n}`, fresh: n === 1 }),
});
const side = (rows: readonly RequestRow[], apps = [APP], faults: LoginSide["faults"] = []): LoginSide => ({
  story: { id: rows[0]?.id ?? "", appId: "demo-app", userId: "u1", to: "+12025550100", rows, passcodes: [] },
  apps,
  faults,
});
const partOf = (comparison: ReturnType<typeof compareLogins>, title: string) =>
  comparison.parts.find((part) => part.title === title)?.differences;

test("equal logins differ in nothing: ids, times, tokens and right codes are another in any two", () => {
  const first = [asked(1), typed(2, "111111", { ...signedIn(2) })];
  const second = [asked(31), typed(32, "222222", { ...signedIn(3) })];
  const comparison = compareLogins(side(first), side(second));
  expect(partingWords(comparison)).toBeNull();
  expect(comparison.parts.map(({ differences }) => differences)).toEqual([[], [], []]);
  expect(comparison.pairs.map(({ parts, differences }) => [parts, differences])).toEqual([
    [false, []],
    [false, []],
  ]);
});

test("steps stand in pairs, and where they first part is marked", () => {
  const good = side([asked(1), typed(2, "482917", signedIn(1))]);
  const bad = side([asked(1), asked(8), typed(9, "000000", wrong), typed(10, "000001", wrong)]);
  const comparison = compareLogins(good, bad);
  expect(comparison.pairs.map(({ left, right, parts }) => [left?.result, right?.result, parts])).toEqual([
    ["202", "202", false],
    [undefined, "202", true],
    ["signed in", "wrong", true],
    [undefined, "wrong", true],
  ]);
  expect(partingWords(comparison)).toBe("step 2: nothing / Requested a code 202");
});

test("differences of status, fault, times, headers and bodies", () => {
  const phone = (agent: string, offset?: string): Partial<RequestRow> => ({
    request: body({ user: { phone: "+12025550100" } }, { "user-agent": agent, host: agent, accept: "*/*" }),
    response: { headers: offset === undefined ? {} : { "retry-after": offset }, body: null },
  });
  const left = side([asked(1, phone("iOS")), typed(3, "482917", signedIn(1))]);
  const right = side([
    asked(1, { ...phone("Android", "600"), durationMs: 3_000, scheme: "https" }),
    typed(20, "482917", signedIn(2)),
  ]);
  expect(compareLogins(left, right).pairs.map(({ differences }) => differences)).toEqual([
    [
      { what: "scheme", left: "http", right: "https" },
      { what: "duration", left: "0.0 s", right: "3.0 s" },
      { what: "request header user-agent", left: "iOS", right: "Android" },
      { what: "response header retry-after", left: "absent", right: "600" },
    ],
    [
      { what: "time since the first step", left: "2.0 s", right: "19.0 s" },
      { what: "response body fresh", left: "true", right: "false" },
    ],
  ]);
});

test("clock and faults are parts of their own: what they were, and which call met them", () => {
  const at = (offset: string): Partial<RequestRow> => ({
    response: { headers: { "emulator-clock-offset": offset }, body: null },
  });
  const left = side([asked(1), typed(2, "482917", { ...wrong, fault: "gone" })]);
  const right = side(
    [asked(1, { ...at("600"), fault: "f1" }), typed(20, "482917", { ...wrong, ...at("0"), fault: "f1" })],
    [APP],
    [{ id: "f1", effect: { status: 503 } }],
  );
  const comparison = compareLogins(left, right);
  expect(partOf(comparison, "Clock")).toEqual([
    { what: "clock", left: "Real time", right: "Runs 10 min ahead of real time, then Real time" },
  ]);
  expect(partOf(comparison, "Faults")).toEqual([
    { what: "fault turned off since", left: "used by PUT", right: "absent" },
    { what: "fault returns 503", left: "absent", right: "used by POST, PUT" },
  ]);
});

test("the settings of two apps, and all of it as Markdown", () => {
  const other = { ...APP, settings: { signUp: "closed" as const } };
  const comparison = compareLogins(side([asked(1)]), side([asked(1, { status: 422, path: "/a|b" })], [other]));
  expect(partOf(comparison, "Settings")).toEqual([{ what: "setting signUp", left: "open", right: "closed" }]);
  expect(comparisonMarkdown(comparison, ["Demo", "Other"])).toBe(
    [
      "First difference: step 1: Requested a code 202 / Requested a code 422.",
      "",
      "|  | Demo | Other |",
      "| --- | --- | --- |",
      "| **1** | Requested a code 202 | Requested a code 422 |",
      "| status | 202 | 422 |",
      "| path | /v1/users/session | /a\\|b |",
      "",
      "Settings:",
      "",
      "|  | Demo | Other |",
      "| --- | --- | --- |",
      "| setting signUp | open | closed |",
      "",
      "Clock: no difference.",
      "",
      "Faults: no difference.",
      "",
    ].join("\n"),
  );
});

test("in Markdown what was sent and typed is text: no markup, no HTML, no end of a cell", () => {
  const sent = "<img src=x>&amp; `a|b` [c](d) **e** \\| f_g _h_ ~~i~~\r\n| 1 |";
  const text =
    "\\<img src=x\\>\\&amp; \\`a\\|b\\` \\[c\\](d) \\*\\*e\\*\\* \\\\\\| f_g \\_h\\_ \\~\\~i\\~\\~ \\| 1 \\|";
  const comparison = compareLogins(
    side([asked(1), typed(2, sent, wrong)]),
    side([asked(1, { request: body({ user: { phone: "+12025550100", name: sent } }) })]),
  );
  const lines = comparisonMarkdown(comparison, [sent, "Other"]).split("\n");
  expect(lines[0]).toContain(text);
  expect(lines[2]).toBe(`|  | ${text} | Other |`);
  expect(lines).toContain(`| request body user.name | absent | ${text} |`);
  for (const line of lines.filter((one) => one.startsWith("|")))
    expect(line.match(/(?<!\\)(?:\\\\)*\|/g)).toHaveLength(4);
});

test("a lost response is said: what was carried out, and what the client got", () => {
  const good = side([asked(1), typed(2, "482917", signedIn(1))]);
  const lost = { status: 0, reason: "fault_injected", carriedOut: { status: 200, reason: null } };
  const bad = side([asked(1), typed(2, "482917", lost), typed(3, "482917", { ...wrong, repeats: "r2" })]);
  const { pairs } = compareLogins(good, bad);
  expect(pairs[1]?.right?.result).toBe("carried out; the answer was lost");
  expect(pairs[1]?.differences).toContainEqual({
    what: "carried out",
    left: "absent",
    right: "status 200; the client got no response",
  });
  const again = compareLogins(bad, good).pairs;
  expect(again[1]?.differences[0]).toEqual({ what: "status", left: "0", right: "200" });
});

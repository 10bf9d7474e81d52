import { describe, expect, test } from "vitest";
import type { TimelineItem } from "#client/index.ts";
import { item, passcode, row, wrong } from "#test/renderer/login-records.ts";
import { PROFILE, SESSION } from "#test/renderer/records.ts";
import { filmSteps, profileLines, seqsOf, stateAfter } from "../../../../src-renderer/shared/login/film.ts";
import { storiesOf } from "../../../../src-renderer/shared/login/stories.ts";

test("other changes of the user stand between the steps, until the next login", () => {
  const rows = [row(3, "PUT", 401, wrong, "1"), row(1, "POST", 202)];
  const [story] = storiesOf(rows, []);
  if (story === undefined) expect.unreachable();
  const created = { resource: "passcode", id: "p6", before: null, after: {} } as const;
  const items = [
    item(7, "Profile updated: email", null),
    { ...item(6, "Passcode sent"), changes: [created] },
    { ...item(5, "Rewound to change 2", null), changes: [created] },
    item(3, "Wrong code: 4 attempts left"),
    item(2, "Profile updated: name", "r2"),
    item(1, "Passcode sent"),
    item(0, "Profile created: Ada", null),
  ];
  expect(filmSteps(story, items).map(({ title, requestId }) => [title, requestId])).toEqual([
    ["Requested a code", "r1"],
    ["Profile updated: name", "r2"],
    ["Entered", "r3"],
    ["Rewound", null],
  ]);
});

describe("the film", () => {
  const rows = [
    row(4, "PUT", 401, { reason: "passcode_expired" }, "1"),
    row(3, "PUT", 401, wrong, "1"),
    row(1, "POST", 202),
  ];
  const code = passcode("482917", 1, "r1");
  const tried = { ...code, attempts: 1 };
  const change = (resource: "passcode" | "profile" | "session", id: string, before: unknown, after: unknown) => ({
    changes: [{ resource, id, before, after }],
  });
  const ada = { ...PROFILE, name: "Ada" };
  const items = [
    { ...item(6, "Session created", null), ...change("session", SESSION.id, null, SESSION) },
    { ...item(5, "Profile updated: name", null), ...change("profile", ada.userId, ada, { ...ada, name: "Eve" }) },
    { ...item(3, "Wrong code: 4 attempts left"), ...change("passcode", code.id, code, tried) },
    { ...item(1, "Passcode sent"), ...change("passcode", code.id, null, code) },
  ];
  const live = { profile: { ...ada, name: "Eve" }, passcodes: [{ ...tried, attempts: 2 }], sessions: [SESSION] };

  test("shows what the user had after each change, whatever came later", () => {
    const shown = [0, 1, 3, 5, 6].map((seq) => {
      const { profile, passcode: then, sessions } = stateAfter(seq, items, live);
      return [profile?.name, then?.attempts, sessions.length];
    });
    expect(shown).toEqual([
      ["Ada", undefined, 0],
      ["Ada", 0, 0],
      ["Ada", 1, 0],
      ["Eve", 1, 0],
      ["Eve", 1, 1],
    ]);
  });

  test("of a request that changed nothing shows the state before it; without a record, none", () => {
    const [story] = storiesOf(rows, [code]);
    if (story === undefined) expect.unreachable();
    const steps = filmSteps(story, items);
    expect([...seqsOf(steps, items, true)].reverse()).toEqual([
      ["r1", 1],
      ["r3", 3],
      ["r4", 3],
      ["change 5", 5],
    ]);
    const refused = steps.filter(({ key }) => key === "r4");
    expect([seqsOf(refused, [], true).get("r4"), seqsOf(refused, [], false).get("r4")]).toEqual([0, undefined]);
  });

  test("marks what changed in the profile", () => {
    const eve = { ...ada, name: "Eve" };
    const marked = (at: TimelineItem | undefined) =>
      profileLines(eve, at).flatMap(({ field, is, was }) => (was === undefined ? [] : [[field, is, was]]));
    expect(marked(items[1])).toEqual([["name", "Eve", "Ada"]]);
    expect([marked(items[0]), marked(undefined)]).toEqual([[], []]);
  });
});

/** The pure parts of snapshots in the UI: differences in words, and which snapshot is restored. */
import { describe, expect, test } from "vitest";
import type { Snapshot, SnapshotDiff } from "#client/index.ts";
import { isoInstantText } from "#contract/scalars.ts";
import {
  changeWords,
  diffLines,
  fieldChanges,
  idOf,
  restoreTargetOf,
  sinceWords,
} from "../../../../src-renderer/places/setup/diff-lines.ts";

const AT = isoInstantText.parse("2026-01-31T12:00:00.000Z");

describe("the differences", () => {
  test("are listed by field, metadata by key, and updatedAt only if nothing else changed", () => {
    const before = { name: "Ada", metadata: { plan: "free", tags: [1] }, updatedAt: "1", seq: 1 };
    expect(
      fieldChanges(before, { ...before, metadata: { plan: "pro", tags: [1, 2] }, updatedAt: "2", seq: 2 }),
    ).toEqual([
      { path: "metadata.plan", before: "free", after: "pro" },
      { path: "metadata.tags", before: "[1]", after: "[1,2]" },
    ]);
    expect(fieldChanges(before, { ...before, updatedAt: "2" })).toEqual([
      { path: "updatedAt", before: "1", after: "2" },
    ]);
    expect(fieldChanges({ a: null }, { a: "" })).toEqual([{ path: "a", before: "null", after: '""' }]);
    expect(fieldChanges({ a: { b: 1 } }, { a: null })).toEqual([
      { path: "a.b", before: "1", after: null },
      { path: "a", before: null, after: "null" },
    ]);
  });

  const profile = (i: number, name = `Person ${i}`) => ({
    userId: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
    appId: "one",
    name,
    phone: `+1202555${String(i).padStart(4, "0")}`,
    email: null,
    metadata: null,
    testPasscode: null,
    scenario: null,
    createdAt: AT,
    updatedAt: AT,
  });
  const lists = () => ({ apps: [], profiles: [], passcodes: [], sessions: [], connections: [] });
  const diff: SnapshotDiff = {
    counts: { added: 1_500, removed: 1, changed: 1 },
    added: { ...lists(), profiles: [profile(3), profile(4)] },
    removed: { ...lists(), profiles: [profile(2)] },
    changed: {
      ...lists(),
      profiles: [{ before: profile(1), after: profile(1, "Grace") }],
      clocks: [
        { appId: null, before: { offsetSeconds: 0, frozenAt: null }, after: { offsetSeconds: 7_200, frozenAt: null } },
      ],
    },
  };

  test("are grouped by kind, and say if the list is truncated", () => {
    const lines = diffLines(diff, 2);
    expect(
      lines.flatMap((line) => ("words" in line ? [line.words] : ["record", ...line.fields.map(() => "field")])),
    ).toEqual([
      "1 profile changed",
      "record",
      "field",
      "First 2 profiles added",
      "record",
      "record",
      "1 profile removed",
      "record",
      "1 clock changed",
      "record",
      "field",
    ]);
    expect(lines.at(-1)).toMatchObject({ fields: [{ path: "shows", before: "real time", after: "+2 h" }] });
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
  });

  test("can be filtered by names, numbers and values", () => {
    const titles = (sought: string) =>
      diffLines(diff, 100, sought).flatMap((line) => ("title" in line ? [line.title] : []));
    expect(titles("grace")).toEqual(["Grace"]);
    expect(titles("person 1")).toEqual(["Grace"]);
    expect(titles("5550004")).toEqual(["Person 4"]);
    expect(titles("nobody")).toEqual([]);
  });

  test("are summarized in words", () => {
    expect(changeWords(diff.counts)).toBe("1,500 added, 1 changed, 1 removed");
    expect(changeWords({ added: 0, removed: 0, changed: 0 })).toBe("nothing");
    expect(sinceWords(diff.counts)).toEqual(["1,502 changes since", "1,500 added, 1 changed, 1 removed"]);
    expect(sinceWords({ added: 0, removed: 0, changed: 2 })).toEqual(["2 changed", "since then"]);
    expect(sinceWords({ added: 0, removed: 0, changed: 0 })).toEqual(["nothing changed", "since then"]);
  });
});

test("the app's own snapshot is preferred to one of all apps with the same name", () => {
  const counts = { apps: 1, profiles: 0, passcodes: 0, sessions: 0, connections: 0 };
  const snapshot = (appId: string | null): Snapshot => ({
    name: "s",
    appId,
    seq: 1,
    createdAt: AT,
    counts,
    stored: true,
  });
  const [all, own] = [snapshot(null), snapshot("one")];
  expect(restoreTargetOf(all, "one", [all])).toEqual({ name: "s", appId: "one" });
  expect(restoreTargetOf(all, null, [all])).toEqual({ name: "s", appId: null });
  expect(restoreTargetOf(all, "one", [all, own])).toEqual({ name: "s", appId: null });
  expect(restoreTargetOf(own, null, [all, own])).toEqual({ name: "s", appId: "one" });
  expect([idOf(all), idOf(own)]).toEqual(["s@", "s@one"]);
});

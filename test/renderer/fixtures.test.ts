/** The pure parts of the fixtures screen: positions in a JSON text, errors of an import, and differences. */
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
} from "../../src-renderer/features/fixtures/diff-lines.ts";
import { faultsIn, readSource, readWorld } from "../../src-renderer/features/fixtures/read-world.ts";
import {
  appCounts,
  countWords,
  fileName,
  sizeWords,
  worldWords,
} from "../../src-renderer/features/fixtures/world-words.ts";

const AT = isoInstantText.parse("2026-01-31T12:00:00.000Z");

describe("data to import", () => {
  const faults = (text: string) => {
    const read = readWorld(text);
    return "faults" in read ? read.faults.map(({ path, words, line, excerpt }) => [line, path, words, excerpt]) : [];
  };

  test("is parsed, or every error reported by path, line and value", () => {
    expect(readWorld('{"version":1,"apps":[]}')).toEqual({ world: { version: 1, apps: [] } });
    expect(
      faults(
        '{\n "version": 1,\n "apps": [\n  {"appId": "a", "profiles": [\n   {"phone": 1},\n   {"nmae": "x"}]}\n ]}',
      ),
    ).toEqual([
      [5, "apps[0].profiles[0].phone", "must be a string", '{"phone": 1},'],
      [6, "apps[0].profiles[1].nmae", 'is not known here; did you mean "name"?', '{"nmae": "x"}]}'],
    ]);
    expect(faults('{"version":1,\n "apps":[{}]}')).toEqual([[2, "apps[0].appId", "can't be blank", '"apps":[{}]}']]);
  });

  test("that is malformed JSON gets the position of the error", () => {
    expect(faults('{"version": 1,\n "apps": [,]}')).toEqual([[2, "", "Expected a value", '"apps": [,]}']]);
    expect(faults("[]")[0]).toEqual([1, "", "must be an object", "[]"]);
  });

  test("that extends another file says where that works, and reports all syntax errors", () => {
    expect(faults('{"extends": "./base.json", "apps": []}')).toEqual([
      [1, "extends", "works only in files that `start`, `exec` and `seed` read", expect.any(String)],
    ]);
    expect(faults('{"apps": [\n{"appId": \'a\'},\n{"appId" "b"}]}').map(([line]) => line)).toEqual([2, 3]);
  });

  test("with many errors shows the first fifty and counts the rest", () => {
    const profiles = Array.from({ length: 80 }, () => ({ phone: 1 }));
    const read = readWorld(JSON.stringify({ version: 1, apps: [{ appId: "a", profiles }] }));
    expect(read).toMatchObject({ others: 30 });
    expect("faults" in read ? read.faults.length : 0).toBe(50);
    // A line of thousands of characters is shown only around the position.
    expect("faults" in read ? read.faults[49]?.excerpt.length : 0).toBeLessThanOrEqual(120);
  });

  test("shows the server's errors in the same way", () => {
    const read = faultsIn('{\n"apps": [{\n"secret": "s"}]}', { "apps[0].secret": ["has already been taken"] });
    expect(read).toMatchObject({ faults: [{ line: 3, path: "apps[0].secret", excerpt: '"secret": "s"}]}' }] });
  });

  test("is a file of limited size, in any encoding", async () => {
    expect(await readSource(new File(["\uFEFF{}"], "a.json"))).toEqual({ name: "a.json", text: "{}" });
    const latin = new File([new Uint8Array([0x4a, 0x6f, 0x73, 0xe9])], "b.csv");
    expect(await readSource(latin)).toMatchObject({ text: "José", notice: expect.stringContaining("Windows-1252") });
    const long = Object.defineProperty(new File([], "c.json"), "size", { value: 67_108_865 });
    await expect(readSource(long)).rejects.toThrow("The limit is 64.0 MiB");
  });
});

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

test("writes counts and sizes in words", () => {
  expect(countWords({ profiles: 1, sessions: 1_024 })).toBe("1 profile, 1,024 sessions");
  expect(countWords({})).toBe("nothing");
  expect([sizeWords(12), sizeWords(2_048), sizeWords(67_108_864)]).toEqual(["12 bytes", "2.0 KiB", "64.0 MiB"]);
  expect(sizeWords(1)).toBe("1 byte");
  const appsOf = (...profiles: number[]) =>
    appCounts(profiles.map((count) => ({ appId: "a", profiles: Array.from({ length: count }, () => ({})) })));
  expect(worldWords(appsOf())).toBe("No apps yet");
  expect(worldWords(appsOf(0))).toBe("1 app, still empty");
  expect(worldWords(appsOf(12, 1))).toBe("2 apps: 13 profiles");
  const day = new Date(2026, 10, 3);
  expect(fileName("demo-app", false, day)).toBe("demo-app-2026-11-03.json");
  expect(fileName(null, true, day)).toBe("stagedoor-2026-11-03-with-sessions.json");
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

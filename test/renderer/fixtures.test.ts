/** The pure parts of the fixtures screen: positions in a JSON text, and errors of an import. */
import { describe, expect, test } from "vitest";
import { faultsIn, readSource, readWorld } from "../../src-renderer/places/setup/read-world.ts";
import { appCounts, countWords, fileName, sizeWords, worldWords } from "../../src-renderer/places/setup/world-words.ts";

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
      [6, "apps[0].profiles[1].nmae", 'is unknown; did you mean "name"?', '{"nmae": "x"}]}'],
    ]);
    expect(faults('{"version":1,\n "apps":[{}]}')).toEqual([[2, "apps[0].appId", "can't be blank", '"apps":[{}]}']]);
  });

  test("that is malformed JSON gets the position of the error", () => {
    expect(faults('{"version": 1,\n "apps": [,]}')).toEqual([[2, "", "Expected a value", '"apps": [,]}']]);
    expect(faults("[]")[0]).toEqual([1, "", "must be an object", "[]"]);
  });

  test("that extends another file says where that works, and reports the first syntax error", () => {
    expect(faults('{"extends": "./base.json", "apps": []}')).toEqual([
      [
        1,
        "extends",
        expect.stringMatching(
          /^names a file, .* run `stagedoor seed` with this one, or import the named file by itself$/,
        ),
        expect.any(String),
      ],
    ]);
    expect(faults('{"apps": [\n{"appId": \'a\'},\n{"appId" "b"}]}').map(([line]) => line)).toEqual([2]);
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

test("writes counts and sizes in words", () => {
  expect(countWords({ profiles: 1, sessions: 1_024 })).toBe("1 profile, 1,024 sessions");
  expect(countWords({})).toBe("nothing");
  expect([sizeWords(12), sizeWords(2_048), sizeWords(67_108_864)]).toEqual(["12 bytes", "2.0 KiB", "64.0 MiB"]);
  expect(sizeWords(1)).toBe("1 byte");
  const appsOf = (...profiles: number[]) =>
    appCounts(profiles.map((count) => ({ appId: "a", profiles: Array.from({ length: count }, () => ({})) })));
  expect(worldWords(appsOf())).toBe("No apps yet");
  expect(worldWords(appsOf(0))).toBe("1 app, empty");
  expect(worldWords(appsOf(12, 1))).toBe("2 apps: 13 profiles");
  const day = new Date(2026, 10, 3);
  expect(fileName("demo-app", false, day)).toBe("demo-app-2026-11-03.json");
  expect(fileName(null, true, day)).toBe("stagedoor-2026-11-03-with-sessions.json");
});

/** The pure parts of Setup › Data: what is to be imported, and errors of an import. */
import { beforeEach, expect, test } from "vitest";
import { fileName } from "../../src-renderer/places/setup/export.ts";
import { faultsIn, leaveSource, readSource, takeSources, useSources } from "../../src-renderer/places/setup/source.ts";
import { countWords, sizeWords } from "../../src-renderer/places/setup/world-words.ts";

beforeEach(() => useSources.setState({ waiting: [] }));

test("errors of fixtures are named by line, the first ones of a kind", () => {
  expect(faultsIn('{\n"apps": [{\n"secret": "s"}]}', { "apps[0].secret": ["has already been taken"] })).toEqual({
    total: 1,
    first: [{ line: 3, field: "apps[0].secret", value: null, reason: "has already been taken" }],
    more: [],
  });
  expect(faultsIn("{}", { base: ["must be an object"] }).first).toMatchObject([{ line: 1, field: "" }]);
});

test("a file has a limited size, and any encoding: recognised, or named", async () => {
  expect(await readSource(new File(["\uFEFF{}"], "a.json"))).toMatchObject({ name: "a.json", text: "{}" });
  const latin = new File([new Uint8Array([0x4a, 0x6f, 0x73, 0xe9])], "b.csv");
  expect(await readSource(latin)).toMatchObject({ text: "José", notice: expect.stringContaining("Windows-1252") });
  expect(await readSource(latin, "windows-1251")).toMatchObject({ text: "Josй", encoding: "windows-1251" });
  const long = Object.defineProperty(new File([], "c.json"), "size", { value: 67_108_865 });
  await expect(readSource(long)).rejects.toThrow("The limit is 64.0 MiB");
});

test("what is dropped last is planned first; the rest waits", () => {
  const names = () => useSources.getState().waiting.map(({ name }) => name);
  takeSources([
    { name: "a", text: "" },
    { name: "b", text: "" },
  ]);
  takeSources([{ name: "c", text: "" }]);
  expect(names()).toEqual(["c", "a", "b"]);
  leaveSource([{ name: "c again", text: "" }]);
  expect(names()).toEqual(["c again", "a", "b"]);
  leaveSource();
  leaveSource();
  expect(names()).toEqual(["b"]);
});

test("writes counts, sizes and file names", () => {
  expect(countWords({ profiles: 1, sessions: 1_024 })).toBe("1 profile, 1,024 sessions");
  expect(countWords({})).toBe("nothing");
  expect([1, 12, 2_048, 67_108_864].map(sizeWords)).toEqual(["1 byte", "12 bytes", "2.0 KiB", "64.0 MiB"]);
  const day = new Date(2026, 10, 3);
  expect(fileName("demo-app", day)).toBe("demo-app-2026-11-03.json");
  expect(fileName(null, day)).toBe("stagedoor-2026-11-03.json");
});

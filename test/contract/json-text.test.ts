import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { placesInJson, readJson } from "#contract/words/json-text.ts";

describe("hand-written JSON", () => {
  test.each([
    ['{ "a": 1,\n "b" }', 2, 6],
    ['{ "a": 1, }', 1, 11],
    ['{ "a": 01 }', 1, 9],
    ["{ a: 1 }", 1, 3],
    ['{ "a": [1 2] }', 1, 11],
    ['{ "a": "x\ny" }', 1, 8],
    ['{ "a": 1 } x', 1, 12],
    ['{ "a": ', 1, 8],
    ["", 1, 1],
    ["[1,]", 1, 4],
    ['{"a" 1}', 1, 6],
    ['["\t"]', 1, 2],
    ["nul", 1, 1],
    ["[]]", 1, 3],
    ["{]", 1, 2],
    ["[}", 1, 2],
    ['{"a":[{"b":null}', 1, 17],
    ["// x", 1, 1],
  ])("an error in %j is reported at line %i, column %i", (text, line, column) => {
    expect(readJson(text)).toMatchObject({ error: { line, column } });
  });

  test("is accepted or rejected exactly as by JSON.parse", () => {
    const inserted = fc.constantFrom("", ",", "}", "]", '"', "0", "//x", "/*", "\\u12", "\t", "\u2028", "-", "1e", ":");
    fc.assert(
      fc.property(fc.json(), fc.nat(), inserted, fc.nat(2), (json, at, insert, remove) => {
        const start = at % (json.length + 1);
        const text = json.slice(0, start) + insert + json.slice(start + remove);
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          expect(readJson(text)).toHaveProperty("error");
          return;
        }
        expect(readJson(text)).toEqual({ value });
        expect(readJson(text, { jsonc: true })).toEqual({ value });
      }),
    );
  });

  test("may contain comments and trailing commas when these are allowed", () => {
    const text = '{"a":1,/*, } */ "b": [1,2,//,\n],}';
    expect(readJson(text, { jsonc: true })).toEqual({ value: { a: 1, b: [1, 2] } });
    expect(readJson(text)).toMatchObject({ error: { message: "Comments are not allowed here", column: 8 } });
    expect(readJson('{"a":",] /* b */",}', { jsonc: true })).toEqual({ value: { a: ",] /* b */" } });
    for (const wrong of ["[,]", "{,}", "[1,,]"]) expect(readJson(wrong, { jsonc: true })).toHaveProperty("error");
    const own = readJson('{"__proto__":1,}', { jsonc: true });
    expect("value" in own ? Object.keys(own.value ?? {}) : []).toEqual(["__proto__"]);
  });

  test("cannot overflow the parser by its depth: the first bracket too deep is an error", () => {
    const nested = (levels: number): string => `\n${"[".repeat(levels)}${"]".repeat(levels)}`;
    expect(readJson(nested(31))).toHaveProperty("value");
    const error = { message: "Nested deeper than 31 levels", line: 2, column: 32 };
    for (const levels of [32, 3_000, 50_000, 1_000_000]) {
      expect(readJson(nested(levels))).toMatchObject({ error });
      expect(readJson(nested(levels), { jsonc: true })).toMatchObject({ error });
    }
    expect(readJson(`\n${"[".repeat(100_000)}`)).toMatchObject({ error });
    expect(placesInJson("[".repeat(100_000) + "]".repeat(100_000), ["a"]).get("a")).toMatchObject({ offset: 0 });
  });
});

describe("positions in a JSON text", () => {
  const text = '{ "a": [1, { "b": "x]\\"}" , "c": {"d": null}}],\n"e.f": 2, // "a": 3\n }';
  const at = (path: string): string => text.slice(placesInJson(text, [path]).get(path)?.offset ?? -1);

  test("point to the start of the value, or of its closest parent", () => {
    expect(at("a")).toMatch(/^\[1/);
    expect(at("a[0]")).toMatch(/^1,/);
    expect(at("a[1]")).toMatch(/^\{ "b"/);
    expect(at("a[1].c.d")).toMatch(/^null/);
    expect(at("a[1].missing")).toMatch(/^\{ "b"/);
    expect(at("e.f")).toMatch(/^2/);
    expect(at("nothing.such")).toBe(text);
    expect(placesInJson(text, ["e.f"]).get("e.f")).toMatchObject({ line: 2, column: 8 });
  });

  test("are found for any value in any formatting", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.constantFrom(undefined, 1, 3), (before, after, indent) => {
        const written = JSON.stringify({ before, wanted: [after, { here: 7 }], after }, null, indent);
        const { offset = -1 } = placesInJson(written, ["wanted[1].here"]).get("wanted[1].here") ?? {};
        expect(written.slice(0, offset)).toMatch(/"here":\s?$/);
      }),
    );
  });
});

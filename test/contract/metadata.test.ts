import { describe, expect, test } from "vitest";
import { BOUNDS } from "#contract/bounds.ts";
import type { JsonObject, JsonValue } from "#contract/scalars.ts";
import { metadataLimitErrors, unsafeJson } from "#contract/service/metadata.ts";

const KEYS = "has too many keys (at most 50)";
const DEEP = "is nested too deep (at most 8 levels)";
const LARGE = "is too large (at most 16384 bytes as JSON)";

const keys = (count: number): JsonObject => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
const levels = (count: number, wrap: (inner: JsonValue) => JsonValue, bottom: JsonValue = 1): JsonValue =>
  count === 0 ? bottom : wrap(levels(count - 1, wrap, bottom));
const ofBytes = (size: number, letter: string): JsonObject => {
  const width = Buffer.byteLength(JSON.stringify(letter)) - 2;
  const room = size - '{"a":""}'.length;
  return { a: letter.repeat(Math.floor(room / width)) + "x".repeat(room % width) };
};

describe("D5: limits of the merged metadata", () => {
  test("allow 50 keys at the top level, any number below", () => {
    expect(metadataLimitErrors(keys(50))).toEqual([]);
    expect(metadataLimitErrors(keys(51))).toEqual([KEYS]);
    expect(metadataLimitErrors({ inner: keys(200) })).toEqual([]);
  });

  test("allow 8 levels, counting the object itself and lists", () => {
    expect(metadataLimitErrors({ a: levels(7, (inner) => ({ a: inner })) })).toEqual([]);
    expect(metadataLimitErrors({ a: levels(8, (inner) => ({ a: inner })) })).toEqual([DEEP]);
    expect(metadataLimitErrors({ a: levels(7, (inner) => [inner]) })).toEqual([]);
    expect(metadataLimitErrors({ a: levels(8, (inner) => [inner]) })).toEqual([DEEP]);
    expect(metadataLimitErrors({ a: levels(7, (inner) => [inner], {}) })).toEqual([DEEP]);
  });

  test.each(["x", "é", "漢", "😀", '"', "\\", "\n", "\u0001", "\u2028"])("allow 16 KiB of UTF-8, of %j", (letter) => {
    const full = ofBytes(BOUNDS.metadataBytes.most, letter);
    expect(Buffer.byteLength(JSON.stringify(full))).toBe(16_384);
    expect(metadataLimitErrors(full)).toEqual([]);
    expect(metadataLimitErrors(ofBytes(BOUNDS.metadataBytes.most + 1, letter))).toEqual([LARGE]);
  });

  test("are all reported at once", () => {
    const all = { ...keys(60), deep: levels(9, (inner) => [inner]), large: "x".repeat(20_000) };
    expect(metadataLimitErrors(all)).toEqual([KEYS, DEEP, LARGE]);
  });
});

describe("D5: rejected with any setting", () => {
  const parse = (json: string): JsonValue => JSON.parse(json);

  test.each(['{"__proto__":1}', '{"a":{"__proto__":{}}}', '{"a":[[{"__proto__":null}]]}'])(
    "a __proto__ key: %s",
    (json) => {
      expect(unsafeJson(parse(json))).toBe('must not contain the key "__proto__"');
    },
  );

  test.each(['{"a":1e999}', '{"a":[-1e400]}'])("a number that JSON cannot represent: %s", (json) => {
    expect(unsafeJson(parse(json))).toBe("must not contain a number that JSON cannot hold");
  });

  test.each(['{"a":"\\u0000"}', '{"\\u0000":1}', '{"a":[{"b":"x\\u0000"}]}'])("NUL: %s", (json) => {
    expect(unsafeJson(parse(json))).toBe("must not contain the NUL character");
  });

  test.each(['{"a":"\\ud800"}', '{"\\udc00x":1}', '{"a":["\\ud83d\\ud83d\\ude00"]}'])("lone surrogate: %s", (json) => {
    expect(unsafeJson(parse(json))).toBe("must not contain half of a surrogate pair");
  });

  test.each([
    '{"constructor":{"prototype":1}}',
    '{"toString":1}',
    '{"a":-0,"b":5e-324}',
    '{"":"\\ud83d\\ude00"}',
    "{}",
  ])("but not %s", (json) => {
    expect(unsafeJson(parse(json))).toBeUndefined();
  });

  test("a NUL at any depth that a body can have", () => {
    expect(unsafeJson(levels(31, (inner) => [inner], "\0"))).toBe("must not contain the NUL character");
  });
});

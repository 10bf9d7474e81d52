/** Unusual but valid metadata: at most 50 keys, 16 KiB as JSON, 8 levels, and no `__proto__` (D4, D5). */
import type { JsonObject, JsonValue } from "#contract/scalars.ts";

/** Placeholder for a number spelled in a way that `JSON.stringify` never uses. @see spelled */
const raw = (spelling: string): string => `\u0001number:${spelling}`;

/** @param text JSON. @returns it with the numbers of `raw` filled in. */
export const spelled = (text: string): string => text.replace(/"\\u0001number:([^"]+)"/g, "$1");

const bytes = (value: JsonValue): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** Metadata of exactly this many bytes as JSON, most of them in one string. */
const ofSize = (size: number, letter: string, rest: JsonObject = {}): JsonObject => {
  const empty = bytes({ ...rest, text: "" });
  const width = bytes(letter) - bytes("");
  const fill = letter.repeat(Math.floor((size - empty) / width)) + "x".repeat((size - empty) % width);
  return { ...rest, text: fill };
};

/** A value with this many levels, itself being the first. */
const deep = (levels: number, wrap: (inner: JsonValue) => JsonValue): JsonValue =>
  levels === 0 ? "the bottom" : wrap(deep(levels - 1, wrap));

const keys = (count: number, name: (i: number) => string): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), i]));

const list = (...names: readonly string[]): JsonObject => Object.fromEntries(names.map((name, i) => [name, i]));

/** Unusual metadata, and the name of the profile that has it. */
export interface OddMetadata {
  readonly name: string;
  readonly metadata: JsonObject | null;
}

/** All unusual metadata. */
export const ODD_METADATA: readonly OddMetadata[] = [
  { name: "Metadata: empty", metadata: {} },
  { name: "Metadata: null", metadata: null },
  { name: "Metadata: one key, null", metadata: { nothing: null } },
  { name: "Metadata: 50 keys", metadata: keys(50, (i) => `key${i + 1}`) },
  {
    name: "Metadata: 50 keys, all null",
    metadata: Object.fromEntries(Object.keys(keys(50, (i) => `n${i}`)).map((key) => [key, null])),
  },
  { name: "Metadata: 50 keys like numbers", metadata: keys(50, (i) => String(49 - i)) },
  { name: "Metadata: 8 levels of objects", metadata: { level: deep(7, (inner) => ({ level: inner })) } },
  { name: "Metadata: 8 levels of arrays", metadata: { list: deep(7, (inner) => [inner]) } },
  { name: "Metadata: 8 levels, ending empty", metadata: { a: { b: { c: { d: { e: { f: { g: {} } } } } } } } },
  { name: "Metadata: 16384 bytes", metadata: ofSize(16_384, "x") },
  { name: "Metadata: 16383 bytes", metadata: ofSize(16_383, "y", { plan: "pro" }) },
  { name: "Metadata: 16384 bytes of emoji", metadata: ofSize(16_384, "😀") },
  { name: "Metadata: 16384 bytes of kanji", metadata: ofSize(16_384, "漢", { locale: "ja" }) },
  { name: "Metadata: 16384 bytes of quotes", metadata: ofSize(16_384, '"') },
  { name: "Metadata: 1000 numbers", metadata: { numbers: Array.from({ length: 1000 }, (_, i) => i * 7) } },
  {
    name: "Metadata: 200 small objects",
    metadata: { rows: Array.from({ length: 200 }, (_, id) => ({ id, ok: id % 2 === 0 })) },
  },
  {
    name: "Metadata: whole numbers",
    metadata: { zero: 0, one: 1, minus: -1, most: 9_007_199_254_740_991, least: -9_007_199_254_740_991 },
  },
  {
    name: "Metadata: fractions",
    metadata: { tenth: 0.1, sum: 0.30000000000000004, third: 0.3333333333333333, tiny: 5e-324 },
  },
  { name: "Metadata: large numbers", metadata: { e21: 1e21, e100: 1e100, largest: 1.7976931348623157e308 } },
  {
    name: "Metadata: numbers spelled oddly",
    metadata: { negativeZero: raw("-0"), point: raw("1.0"), capital: raw("1E2"), plus: raw("1e+3") },
  },
  { name: "Metadata: true and false", metadata: { yes: true, no: false, both: [true, false] } },
  { name: "Metadata: null everywhere", metadata: { a: null, b: [null, null], c: { d: null } } },
  { name: "Metadata: empty values", metadata: { text: "", list: [], object: {}, lists: [[], [[]]] } },
  { name: "Metadata: mixed list", metadata: { list: [1, "two", null, true, { three: 3 }, [4], ""] } },
  {
    name: "Metadata: texts like values",
    metadata: { a: "null", b: "true", c: "0", d: "NaN", e: "undefined", f: "{}", g: "[1]", h: "007" },
  },
  {
    name: "Metadata: texts like markup",
    metadata: { a: "<script>alert(1)</script>", b: "</script><!--", c: "<![CDATA[x]]>", d: "&quot;" },
  },
  {
    name: "Metadata: texts like templates",
    metadata: { a: "{{constructor}}", b: "\u0024{process.exit()}", c: "{code}", d: "%(x)s" },
  },
  { name: "Metadata: control characters", metadata: { text: "\u0001\b\t\n\v\f\r\u001b\u007f", lines: "a\r\nb\nc\rd" } },
  {
    name: "Metadata: odd Unicode",
    metadata: { separators: "\u2028\u2029", mark: "\ufeff", end: "\uffff\u{10ffff}", joined: "👨‍👩‍👧" },
  },
  { name: "Metadata: JSON in a text", metadata: { json: '{"a":[1,{"b":"\\"c\\""}]}', slashes: "a\\b/c\\/d" } },
  {
    name: "Metadata: dates",
    metadata: { day: "2026-02-29", instant: "2026-11-20T21:00:00.000Z", seconds: 1_790_000_000 },
  },
  {
    name: "Metadata: capitals stay",
    metadata: list("API_KEY", "PascalCase", "camelCase", "URL", "aB_c", "Mixed_Case"),
  },
  {
    name: "Metadata: underscores stay",
    metadata: list("_x", "x_", "_", "__", "a__b", "_a_b", "a_b_", "__proto", "proto__"),
  },
  {
    name: "Metadata: other marks stay",
    metadata: list("kebab-case", "dot.ted", "sla/sh", "col:on", "a b_c", "at@", "$ref", "#", "a[0]"),
  },
  { name: "Metadata: the empty key and spaces", metadata: list("", " ", "  ", "\t", "\n", "\u00a0") },
  { name: "Metadata: emoji keys", metadata: list("🎉", "👩‍🚀", "❤️", "e\u0301", "\u00e9") },
  {
    name: "Metadata: keys in other scripts",
    metadata: list("ключ", "ключ_один", "مفتاح", "鍵", "straße_1", "naïve_key"),
  },
  {
    name: "Metadata: keys of every object",
    metadata: list(
      "constructor",
      "toString",
      "valueOf",
      "hasOwnProperty",
      "isPrototypeOf",
      "__defineGetter__",
      "prototype",
    ),
  },
  {
    name: "Metadata: keys of lists and promises",
    metadata: list("length", "then", "map", "0", "-1", "toJSON", "default"),
  },
  {
    name: "Metadata: keys named as fields",
    metadata: list("userId", "id", "name", "phone", "email", "metadata", "createdAt", "updatedAt"),
  },
  { name: "Metadata: an inner constructor", metadata: { constructor: { prototype: { polluted: true } } } },
  { name: "Metadata: a key of 1000 letters", metadata: { ["k".repeat(1000)]: "long" } },
  {
    name: "Metadata: markup as a key",
    metadata: { "<img src=x onerror=alert(1)>": "<b>", 'a"b': "quote", "a\\b": "slash" },
  },
  {
    name: "Metadata: snake_case",
    metadata: { favorite_color: "teal", postal_code: "00000", line_1: "one", line_2: "two" },
  },
  {
    name: "Metadata: snake_case within",
    metadata: { home_address: { street_name: "Way", geo_point: { lat_deg: 1.5 } }, past_orders: [{ order_id: 7 }] },
  },
  { name: "Metadata: snake_case of digits", metadata: list("1_2", "a1_b2", "x_1_y", "2_factor", "v_10") },
  { name: "Metadata: two keys that meet", metadata: { user_id: "earlier", userId: "later" } },
  { name: "Metadata: a long snake", metadata: { a_very_long_snake_case_key_that_goes_on_and_on_and_on: true } },
];

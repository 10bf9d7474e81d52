/** Reading JSON in pieces gives what `JSON.parse` gives for the whole text, wherever it is cut. */
import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BOUNDS } from "#contract/bounds.ts";
import type { JsonValue } from "#contract/scalars.ts";
import { JsonPieces } from "#contract/words/json-pieces.ts";
import { shapeProblem } from "#http/bodies/body-shape.ts";
import { runs } from "#test/support/runs.ts";

const RUNS = runs(4_000);
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const decode = (pieces: readonly Uint8Array[]): string | undefined => {
  try {
    return utf8.decode(Buffer.concat(pieces));
  } catch {
    return undefined;
  }
};

class Taken {
  readonly list: JsonValue[] = [];
  batches = 0;

  add(entries: readonly JsonValue[]): void {
    this.batches += 1;
    for (const entry of entries) this.list.push(entry);
  }
}

/** Reads it in pieces. */
const inPieces = (bytes: Buffer, cuts: readonly number[], batch?: number) => {
  const reader = new JsonPieces(5, (key) => (key === "profiles" ? new Taken() : undefined), decode, batch);
  let from = 0;
  for (const to of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    reader.add(Uint8Array.from(bytes.subarray(from, to)));
    from = to;
  }
  return reader.end();
};

/** How a whole body was read before: UTF-8, then depth, then JSON. */
const whole = (bytes: Buffer) => {
  if (!isUtf8(bytes)) return { flaw: "body_not_utf8" };
  const shape = shapeProblem(bytes, Number.POSITIVE_INFINITY);
  if (shape !== undefined) return { flaw: shape };
  try {
    return { value: JSON.parse(bytes.toString("utf8").replace(/^\ufeff/, "")) };
  } catch {
    return { flaw: "malformed_json" };
  }
};

/** Keeps the order of keys, and `__proto__` as a key, which `toEqual` does not see. */
const text = (result: object): string => JSON.stringify(result);

const TRICKY = ["\\", '"', "\\u0000", "é", "😀", "[", "]", "{", "}", ",", "__proto__", " "];
const string = fc
  .array(fc.oneof(fc.constantFrom(...TRICKY), fc.string({ maxLength: 3 })), { maxLength: 6 })
  .map((all) => all.join(""));
const scalar = fc.oneof(
  string,
  fc.constantFrom("1", "0", "-0", "1e999", "12.5e-3", "true", "null").map((raw) => ({ raw })),
);
const blank = fc.constantFrom("", "", "", " ", "\n", "\t ");

/** The text of a value, with blanks and sometimes a key twice. */
const { value: json } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar.map((one) => (typeof one === "string" ? JSON.stringify(one) : one.raw)),
    fc
      .array(fc.tuple(blank, tie("value"), blank), { maxLength: 4 })
      .map((all) => `[${all.map((one) => one.join("")).join(",")}]`),
    fc
      .array(fc.tuple(fc.oneof(string, fc.constantFrom("profiles", "a", "__proto__")), blank, tie("value"), blank), {
        maxLength: 4,
      })
      .map(
        (all) =>
          `{${all.map(([key, before, one, after]) => `${JSON.stringify(key)}${before}:${one}${after}`).join(",")}}`,
      ),
  ),
}));
const list = fc
  .array(fc.tuple(blank, json, blank), { maxLength: 6 })
  .map((all) => `[${all.map((one) => one.join("")).join(",")}]`);
const app = fc
  .array(
    fc.tuple(
      fc.constantFrom("profiles", "profil\\u0065s", "connections", "name", "__proto__"),
      blank,
      fc.oneof(list, json),
    ),
    { maxLength: 5 },
  )
  .map((all) => `{${all.map(([key, space, one]) => `"${key}"${space}:${space}${one}`).join(",")}}`);
const body = fc
  .tuple(
    fc.constantFrom("", "\ufeff"),
    fc.array(fc.oneof(app, app, json), { maxLength: 4 }),
    blank,
    fc.constantFrom("", "", "", "x", "]", "{}", "\ufeff"),
  )
  .map(
    ([mark, apps, space, rest]) =>
      `${mark}{"mode":"merge",${space}"state":{"apps":[${apps.join(",")}]}}${space}${rest}`,
  );
const cuts = fc.array(fc.nat(), { maxLength: 12 });
/** A few bytes of it exchanged, dropped or doubled, so that it is no JSON, or another. */
const harmed = fc
  .tuple(
    body,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...Buffer.from('[]{},:"\\1 \u0000é')), fc.constantFrom(0, 1, 2)), {
      maxLength: 3,
    }),
  )
  .map(([one, harms]) => {
    const bytes = [...Buffer.from(one)];
    for (const [at, byte, dropped] of harms) bytes.splice(at % bytes.length, dropped, byte);
    return Buffer.from(bytes);
  });

test("valid bodies, cut anywhere, are the same as the whole", () => {
  fc.assert(
    fc.property(body, cuts, fc.constantFrom(1, 7, 64), (one, places, batch) => {
      const bytes = Buffer.from(one);
      expect(text(inPieces(bytes, places, batch))).toBe(text(whole(bytes)));
    }),
    { numRuns: RUNS },
  );
});

test("harmed bodies, cut anywhere, are refused or read as the whole", () => {
  fc.assert(
    fc.property(harmed, cuts, fc.constantFrom(1, 7, 64), (bytes, places, batch) => {
      expect(text(inPieces(bytes, places, batch))).toBe(text(whole(bytes)));
    }),
    { numRuns: RUNS },
  );
});

const around = (inner: string): Buffer => Buffer.from(`{"state":{"apps":[{"profiles":[${inner}]}]}}`);
const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

test.each<[string, Buffer]>([
  ["nothing but a BOM", Buffer.from("\ufeff")],
  ["a BOM within", around("\ufeff{}")],
  ["a no-break space for an entry", around("\u00a0")],
  ["a comma too many", around("{},")],
  ["two commas", around("{},,{}")],
  ["no comma", around("{} {}")],
  ["a list that closes as an object", Buffer.from('{"state":{"apps":[{"profiles":[{}}]}]}}')],
  ["a quote outside of a string", around('\\"a')],
  ["half a string", Buffer.from('{"state":{"apps":[{"profiles":["a')],
  ["a list twice", Buffer.from('{"state":{"apps":[{"profiles":[1],"profiles":[2,3]}]}}')],
  ["a broken list that a later one replaces", Buffer.from('{"state":{"apps":[{"profiles":[1 1],"profiles":[2]}]}}')],
  ["bytes that are not UTF-8 in a string", Buffer.concat([around('"a'), Buffer.from([0xc3, 0x28])])],
  ["the deepest nesting", around(deep(BOUNDS.bodyDepth.most - 5))],
  ["nesting that is too deep", around(deep(BOUNDS.bodyDepth.most - 4))],
  ["few bytes, nested too deep", Buffer.from("[".repeat(40))],
  ["numbers in a list of lists at that level", Buffer.from("[[[[[0,1],[7]]]]]")],
])("%s", (_, bytes) => {
  for (const step of [1, 2, 3, 1_000]) {
    const places = Array.from({ length: Math.ceil(bytes.length / step) }, (__, i) => i * step);
    expect(text(inPieces(bytes, places, 1))).toBe(text(whole(bytes)));
  }
});

test("a long list arrives in batches", () => {
  const entries = Array.from({ length: 5_000 }, (_, i) => ({ name: `User ${i}` }));
  const sinks: Taken[] = [];
  const sinkFor = (): Taken => {
    const sink = new Taken();
    sinks.push(sink);
    return sink;
  };
  const reader = new JsonPieces(5, sinkFor, decode);
  reader.add(around(entries.map((entry) => JSON.stringify(entry)).join(",")));
  expect(reader.end()).toMatchObject({ value: { state: { apps: [{ profiles: entries }] } } });
  expect(sinks).toHaveLength(1);
  expect(sinks[0]?.list).toEqual(entries);
  expect(sinks[0]?.batches).toBeGreaterThan(2);
});

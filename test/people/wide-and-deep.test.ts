/** Wide tables and deep cells cost no more than they hold, or are refused in a sentence. */
import { expect, test } from "vitest";
import { readPeople } from "./read.ts";

const table = (columns: number, rows: number) => {
  const head = ["email", ...Array.from({ length: columns - 1 }, (_, i) => `extra ${i}`)];
  const lines = Array.from({ length: rows }, (_, n) => [`user${n}@mail.test`, ...head.slice(1).map(() => "v")]);
  return [head, ...lines].map((cells) => cells.join(",")).join("\n");
};
const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

test("a table of 1,000 columns and 200 rows is read at once, with the metadata that a profile can have", async () => {
  const read = await readPeople(table(1_000, 200), {});
  expect(read).toMatchObject({ rows: 200, profiles: { length: 200 } });
  expect("profiles" in read && Object.keys(read.profiles[0]?.metadata ?? {})).toHaveLength(50);
});

test("more than 1,000 columns are refused in a sentence", async () => {
  expect(await readPeople(table(1_001, 1), {})).toEqual({
    kind: "none",
    why: " has 1,001 columns; at most 1,000 are read.",
  });
});

test.each([
  ["a CSV cell", `email,data\nada@mail.test,"${nested(33)}"\nbob@mail.test,"${nested(32)}"\n`, 2],
  ["a CSV cell of 200,000 characters", `email,data\nada@mail.test,"${nested(100_000)}"\nbob@mail.test,x\n`, 2],
  ["an object in JSON", `[\n{"email": "ada@mail.test", "data": ${nested(32)}},\n{"email": "bob@mail.test"}]`, 2],
  ["a line of NDJSON", `{"email": "bob@mail.test"}\n{"email": "ada@mail.test", "data": ${nested(5_000)}}`, 2],
])(
  "%s that is nested deeper than 32 levels is refused in a sentence, and the others are read",
  async (_, text, line) => {
    const read = await readPeople(text, {});
    expect(read).toMatchObject({
      profiles: [{ email: "bob@mail.test" }],
      faults: { first: [{ line, reason: expect.stringMatching(/nested deeper than 3[12] levels$/i) }] },
    });
  },
);

test("JSON in text within JSON that is too deep stays text", async () => {
  const text = JSON.stringify([{ email: "ada@mail.test", data: `{"a":${nested(9_000)}}` }]);
  const read = await readPeople(text, {});
  expect(read).toMatchObject({ profiles: [{ email: "ada@mail.test" }] });
});

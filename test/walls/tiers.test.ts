/** What `npm test` runs: every test file in one tier, and nine of ten mutants caught by the quick one. */
import { expect, test } from "vitest";
import { readMutants } from "#test/mutants/patches.mjs";
import { SLOW } from "../../tools/sequencer.ts";
import { BROWSER, BUILT, CORE, isAt, THOROUGH, testFiles, tierOf } from "../../tools/test-projects.mjs";

/** The share of the mutants that `npm test` must catch. */
const SHARE = 0.9;

const files = testFiles();

test.each([
  ["THOROUGH", THOROUGH],
  ["BUILT", BUILT],
  ["BROWSER", BROWSER],
  ["CORE", CORE],
  ["SLOW", [...SLOW]],
])("each place of %s has tests, and none is inside another", (_name, places) => {
  for (const place of places) {
    const own = files.filter((file) => isAt(file, place));
    expect(own, place).not.toEqual([]);
    for (const file of own) expect(places.filter((other) => isAt(file, other))).toEqual([place]);
  }
});

test("a test is quick unless its place is named", () => {
  expect(tierOf("test/features/new/new.test.ts")).toBe("quick");
  expect(tierOf("test/docs/new.test.ts")).toBe("thorough");
  expect(tierOf("test/e2e/new.test.ts")).toBe("thorough");
  for (const file of CORE)
    expect(
      THOROUGH.some((place) => isAt(file, place)),
      file,
    ).toBe(true);
});

test("the quick tests catch nine of ten mutants", async () => {
  const mutants = await readMutants();
  const missed = mutants.filter(({ test: by }) => by === undefined || tierOf(by.file) === "thorough");
  expect(missed.length, missed.map(({ name }) => name).join("\n")).toBeLessThanOrEqual(mutants.length * (1 - SHARE));
});

/** What `npm test` runs: the folder says it, and the quick tests catch nine of ten mutants. */
import { expect, test } from "vitest";
import { readMutants } from "#test/mutants/patches.mjs";
import { tierOf } from "../../tools/test-projects.mjs";

/** The share of the mutants that `npm test` must catch. */
const SHARE = 0.9;

test.each([
  ["test/features/new/new.test.ts", "quick"],
  ["test/features/new/thorough/new.test.ts", "thorough"],
  ["test/features/new/browser/new.test.ts", "thorough"],
  ["test/cli/built/new.test.ts", "thorough"],
  ["test/cli/core/new.test.ts", "quick"],
  ["test/e2e/new.test.ts", "thorough"],
  ["test/e2e/core/new.test.ts", "quick"],
  ["test/docs/new.test.ts", "thorough"],
])("%s is %s", (file, tier) => {
  expect(tierOf(file)).toBe(tier);
});

test("the quick tests catch nine of ten mutants", async () => {
  const mutants = await readMutants();
  const missed = mutants.filter(({ test: by }) => by === undefined || tierOf(by.file) === "thorough");
  expect(missed.length, missed.map(({ name }) => name).join("\n")).toBeLessThanOrEqual(mutants.length * (1 - SHARE));
});

/** Keeps the list of mutants usable; `npm run mutants` runs it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apply, mutantOf, patternOf, readMutants } from "#test/mutants/patches.mjs";
import { ROOT } from "../../tools/build.mjs";

const mutants = await readMutants();

describe.each(mutants)("the mutant $name", (mutant) => {
  test("still applies", () => apply(ROOT, mutant, "--check"));

  if (mutant.test === undefined) return;
  const { file, titles } = mutant.test;
  test("names a test that exists", async () => {
    const text = await readFile(join(ROOT, file), "utf8");
    for (const title of titles) expect(text).toContain(title);
  });
});

test("a patch that no longer applies is an error", async () => {
  const [mutant] = mutants;
  if (mutant !== undefined) await expect(apply(ROOT, mutant, "--check", "--reverse")).rejects.toThrow("does not apply");
});

test("a patch must name its defect and its test", () => {
  const diff = "\n\n--- a/x.ts\n+++ b/x.ts\n";
  const head = "Defect: a code is lost\nCaught by: ";
  expect(mutantOf("a/b", `${head}test/a.test.ts › keeps it › always${diff}`)).toMatchObject({
    defect: "a code is lost",
    test: { file: "test/a.test.ts", titles: ["keeps it", "always"] },
  });
  expect(mutantOf("a/b", `${head}nothing yet, because it needs a phone${diff}`).test).toBeUndefined();
  for (const text of [`Defect: x${diff}`, `${head}test/a.test.ts${diff}`, diff])
    expect(() => mutantOf("a/b", text)).toThrow("a/b.patch must");
});

test("a title with placeholders matches any value", () => {
  expect(patternOf(["a (b)", "is %s for $name"])).toBe("a \\(b\\) is .* for .*");
});

import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { folderLine } from "../../tools/folder-reporter.ts";
import { tallyLine } from "../../tools/tally-line.mjs";
import { secondTryLines } from "../../tools/tally-reporter.ts";

test("the last line always counts failures, and skipped tests only if there are some", () => {
  expect(tallyLine({ passed: 3, failed: 0, skipped: 0 })).toBe("3 passed, 0 failed");
  expect(tallyLine({ passed: 3, failed: 1, skipped: 2 })).toBe("3 passed, 1 failed, 2 skipped");
});

test("the line of a folder counts failed and skipped tests only if there are some", () => {
  expect(folderLine("test/http", { passed: 3, failed: 0, skipped: 0, ms: 1_200 })).toBe("✓ test/http: 3 passed (2 s)");
  expect(folderLine("test/http", { passed: 0, failed: 1, skipped: 2, ms: 10 })).toBe(
    "✗ test/http: 0 passed, 1 failed, 2 skipped (1 s)",
  );
});

test("tests that passed only on the second attempt are listed, one per line", () => {
  expect(secondTryLines([])).toEqual([]);
  expect(secondTryLines(["a.test.ts > one", "b.test.ts > two"]).join("\n")).toBe(
    "\nPassed only at the second try, a defect to mend:\n  a.test.ts > one\n  b.test.ts > two\n",
  );
});

test("whatever skips a test says why: with `skip(condition, reason)` of its context", async () => {
  const root = new URL("../", import.meta.url);
  const files = (await readdir(root, { recursive: true })).filter((name) => /\.test\.tsx?$/.test(name));
  // Without a reason: test.skipIf, describe.skip, skip().
  const silent = /\b(?:test|describe)\.(?:skip|skipIf|runIf|todo)\b|(?<![\w.])skip\(\)/;
  const found: string[] = [];
  for (const name of files) if (silent.test(await readFile(new URL(name, root), "utf8"))) found.push(name);
  expect(found).toEqual(["tools/tally-reporter.test.ts"]);
});

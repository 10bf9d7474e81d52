/** `npm run everywhere`: its rows and its table. The rows themselves take minutes and run apart. */
import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ROWS } from "../everywhere/rows.mjs";
import { sumOf, tableOf, tallyIn } from "../everywhere/table.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

test("the last tally of a run counts", () => {
  expect(tallyIn("1 passed, 0 failed\nnoise\n12 passed, 3 failed, 4 skipped\nmore\n")).toEqual({
    passed: 12,
    failed: 3,
    skipped: 4,
  });
  expect(tallyIn("7 passed, 0 failed\n")).toEqual({ passed: 7, failed: 0, skipped: 0 });
  expect(tallyIn("it died: 7 passed, 0 failed")).toBeUndefined();
});

test("the table has the sum as its last line, and a row that cannot run says why", () => {
  const lines = [
    { name: "a", about: "A", ran: "npm test", end: { passed: 5, failed: 1, skipped: 0, problems: [] }, seconds: 3.4 },
    { name: "b", about: "B", ran: "black box", end: { missing: "on Debian, apt-get install x" }, seconds: 0 },
  ];
  expect(sumOf(lines)).toEqual({ passed: 5, failed: 1, skipped: 1 });
  expect(tableOf(lines).split("\n")).toEqual([
    "row  environment  what ran                               passed  failed  skipped  time",
    "a    A            npm test                               5       1       0        3 s",
    "b    B            skipped: on Debian, apt-get install x",
    "5 passed, 1 failed, 1 skipped",
  ]);
});

test("an unknown row ends with 2 and names those there are", () => {
  const { status, stderr } = spawnSync(process.execPath, ["test/everywhere/run.mjs", "node5"], { cwd: ROOT });
  expect(status).toBe(2);
  expect(String(stderr)).toContain("Unknown: node5. Rows: node20.19, node22,");
});

test.each(ROWS)("$name: its tests exist, and docs/internals/platforms.md has it", async ({ name, part = [] }) => {
  const files = (await readdir(join(ROOT, "test"), { recursive: true })).filter((file) => file.endsWith(".test.ts"));
  const paths = files.map((file) => `test/${file.replaceAll("\\", "/")}`);
  expect(part.filter((tests) => !paths.some((path) => path.startsWith(tests)))).toEqual([]);
  expect(await readFile(new URL("../../docs/internals/platforms.md", import.meta.url), "utf8")).toContain(
    `\`${name}\``,
  );
});

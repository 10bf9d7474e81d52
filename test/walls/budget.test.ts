/**
 * How large the project may be. Each part has grown by features that looked small; whoever raises a figure here says in
 * the commit why, and what was removed for it.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** A source archive has no list of its files. */
const hasGit = existsSync(join(ROOT, ".git"));

const BUDGET = {
  src: { files: /^src-.*\.(ts|tsx|mjs|css)$/, lines: 69_350, bytes: 3_065_000 },
  test: { files: /^test\//, lines: 69_420 },
  tools: { files: /^tools\//, lines: 3_800 },
} as const;

test.skipIf(!hasGit).each(Object.entries(BUDGET))("%s stays within its budget", (_part, { files, ...most }) => {
  const names = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" }).split("\0");
  const texts = names
    .filter((name) => files.test(name) && existsSync(join(ROOT, name)))
    .map((name) => readFileSync(join(ROOT, name)))
    // Pictures, fonts and other data have no lines.
    .filter((content) => !content.includes(0));
  const lines = texts.reduce((sum, content) => sum + content.filter((byte) => byte === 10).length, 0);
  const bytes = texts.reduce((sum, { length }) => sum + length, 0);
  expect(lines, "lines").toBeLessThanOrEqual(most.lines);
  if ("bytes" in most) expect(bytes, "bytes").toBeLessThanOrEqual(most.bytes);
});

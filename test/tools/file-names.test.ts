/** File names that every system can hold: of this checkout, and of what a server writes. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { snapshotName } from "#contract/control/snapshots.ts";
import { gitList, NO_GIT } from "./git.ts";

const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** @returns why Windows or macOS cannot hold these paths side by side. */
const faults = (paths: readonly string[]): string[] => {
  const seen = new Map<string, string>();
  return paths.flatMap((path) => {
    const folded = path.toLowerCase();
    const other = seen.get(folded);
    seen.set(folded, path);
    const isBad = path.split("/").some((part) => RESERVED.test(part) || /[<>:"|?*\\]|[. ]$/.test(part));
    return isBad || other !== undefined || path.length > 180 ? [path] : [];
  });
};

test("every file of this checkout", ({ skip }) => {
  expect(faults(gitList("ls-files", "-z") ?? skip(NO_GIT))).toEqual([]);
});

test("names that a system cannot hold are found", () => {
  expect(faults(["a/B.ts", "a/b.ts", "src/aux.ts", "x/con", "a:b", "a/b.", "consoles/nul-value.ts"])).toEqual([
    "a/b.ts",
    "src/aux.ts",
    "x/con",
    "a:b",
    "a/b.",
  ]);
});

test("the longest name in a data folder is that of a snapshot while it is written", () => {
  const longest = "x".repeat(64);
  expect([snapshotName.safeParse(longest).success, snapshotName.safeParse(`${longest}x`).success]).toEqual([
    true,
    false,
  ]);
  const written = `${"0".repeat(12)}-${longest}.json.${"0".repeat(24)}.tmp`;
  expect(written).toHaveLength(111);
  // A temporary file of an encrypted home folder may have the least.
  expect(written.length).toBeLessThan(143);
});

test("the tests that docs/internals/platforms.md names exist", async () => {
  const page = await readFile(new URL("../../docs/internals/platforms.md", import.meta.url), "utf8");
  const named = [...page.matchAll(/`([a-z]+(?:\/[a-z-]+)+)`(?=[^`|\n]*\||, `)/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(12);
  for (const name of named) expect(existsSync(new URL(`../${name}.test.ts`, import.meta.url)), name).toBe(true);
});

/** Finds what a change affects: the files that differ from the last commit, and the tests of their rooms. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./build.mjs";

/** @param {string[]} args @returns {string[]} the paths that git lists */
const git = (...args) => spawnSync("git", args, { cwd: ROOT, encoding: "utf8" }).stdout.split("\0").filter(Boolean);

/** @returns {string[]} files that differ from the last commit, including new ones; relative to the checkout */
export const changedFiles = () => [
  ...git("diff", "-z", "--name-only", "--diff-filter=d", "HEAD"),
  ...git("ls-files", "-z", "--others", "--exclude-standard"),
];

/**
 * Source folder → folder of its tests.
 * @type {[RegExp, string][]}
 */
const TESTED_IN = [
  [/^src-server\/commands\b/, "test/cli"],
  [/^src-server\/domain(?=\/[^/]+$)/, "test/http/decisions"],
  [/^src-client\/frameworks\b/, "test/client"],
  [/^src-server(?=\/)/, "test"],
  [/^src-(?=client|main|renderer)/, "test/"],
];

/**
 * @param {string} file relative to the checkout
 * @param {(folder: string) => boolean} [isThere]
 * @returns {string | undefined} the tests of a file: itself, or the folder of its room; undefined if it has none
 */
export const testsOf = (file, isThere = (folder) => existsSync(join(ROOT, folder))) => {
  if (/\.test\.tsx?$/.test(file)) return file;
  const [pattern, replacement] = TESTED_IN.find(([found]) => found.test(file)) ?? [/^/, ""];
  let folder = dirname(file.replace(pattern, replacement));
  while (folder.startsWith("test/") && !isThere(folder)) folder = dirname(folder);
  // A top-level server file, such as server.ts, is tested by the model test, which covers everything.
  if (folder === "test") return "test/model";
  return folder.startsWith("test/") ? `${folder}/` : undefined;
};

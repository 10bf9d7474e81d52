import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The top of the checkout. */
export const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

/** Why tests that ask git are skipped. */
export const NO_GIT = "this folder is no checkout that git can read, such as an unpacked archive";

/** @param args among them `-z`. @returns what git lists in the checkout; undefined: see NO_GIT. */
export const gitList = (...args: readonly string[]): string[] | undefined => {
  // Of an enclosing repository, git would list nothing.
  const top = spawnSync("git", ["rev-parse", "--show-cdup"], { cwd: CHECKOUT, encoding: "utf8" });
  if (top.status !== 0 || top.stdout.trim() !== "") return undefined;
  const { stdout } = spawnSync("git", args, { cwd: CHECKOUT, encoding: "utf8" });
  return stdout.split("\0").filter(Boolean);
};

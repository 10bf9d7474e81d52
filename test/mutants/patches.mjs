/** Reads the list of mutants: deliberate defects, each with the test that catches it. */
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const HEAD =
  /^Defect: (?<defect>.+)\nCaught by: (?:nothing yet, because (?<why>.+)|(?<file>\S+) › (?<titles>.+))\n\n--- a\//;

/**
 * @typedef {object} Mutant
 * @property {string} name such as `store/forgets-the-lock`; its room is the first part
 * @property {string} path of the patch, absolute
 * @property {string} defect what a user would lose
 * @property {{ file: string, titles: string[] } | undefined} test its file below the checkout, and its titles as in the
 *   source, outermost first; undefined: nothing catches this mutant yet
 */

/** @param {string} name @param {string} text of the patch @returns {Mutant} @throws {Error} if the head is invalid */
export const mutantOf = (name, text) => {
  const { defect, file, titles } = HEAD.exec(text)?.groups ?? {};
  if (defect === undefined) throw new Error(`${name}.patch must begin with "Defect:" and "Caught by: FILE › TITLE"`);
  const test = file === undefined || titles === undefined ? undefined : { file, titles: titles.split(" › ") };
  return { name, path: join(FOLDER, `${name}.patch`), defect, test };
};

/** @returns {Promise<Mutant[]>} all mutants, by name */
export const readMutants = async () => {
  const names = (await readdir(FOLDER, { recursive: true })).map((name) => name.replaceAll("\\", "/"));
  const patches = names.filter((name) => name.endsWith(".patch")).sort();
  const read = async (/** @type {string} */ name) =>
    mutantOf(name.slice(0, -".patch".length), await readFile(join(FOLDER, name), "utf8"));
  return await Promise.all(patches.map(read));
};

const run = promisify(execFile);

/**
 * Applies a patch below `tree`, a repository or not, or inside another one. It may have moved by some lines.
 * @param {string} tree @param {Mutant} mutant @param {...string} options such as `--check` or `--reverse`
 * @throws {Error} with what git says
 */
export const apply = async (tree, { path }, ...options) => {
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(tree.replace(/[\\/]$/, "")) };
  await run("git", ["apply", "--recount", "--unidiff-zero", "--whitespace=nowarn", ...options, path], {
    cwd: tree,
    env,
  });
};

/** @param {readonly string[]} titles as in the source @returns {string} a pattern for the full name of a test */
export const patternOf = (titles) =>
  titles.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/%[sdifjo#]|\\\$\w+/g, ".*")).join(" ");

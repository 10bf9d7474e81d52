/**
 * `npm run mutants [-- WORD …]`: applies each mutant whose name contains a word to a copy of the checkout, and expects
 * the test that it names to fail there. Prints how many were caught by room, and the survivors. Exits with status 1 if
 * fewer than nine of ten are caught, or if a test fails without its mutant.
 */
import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { ROOT } from "../../tools/build.mjs";
import { apply, patternOf, readMutants } from "./patches.mjs";

const ENOUGH = 0.9;
/** A test file takes seconds. With a mutant that never ends it would not end. */
const LONGEST_MS = 120_000;
/** Its runner has processes of its own, which end with its group. */
const HAS_GROUPS = process.platform !== "win32";
const words = process.argv.slice(2);
const mutants = (await readMutants()).filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const top = await mkdtemp(join(tmpdir(), "stagedoor-mutants-"));
const tree = join(top, "tree");

const copyTree = async () => {
  const skipped = new Set([".git", "node_modules", "release"]);
  const filter = (/** @type {string} */ source) => !skipped.has(relative(ROOT, source));
  // Links are copied as they are, so that none leads out of the copy.
  await cp(ROOT, tree, { recursive: true, filter, verbatimSymlinks: true });
  await symlink(join(ROOT, "node_modules"), join(tree, "node_modules"), "junction");
};

/** @param {string} file @param {string} pattern @returns {Promise<"passed" | "failed" | "not run">} */
const runTest = async (file, pattern) => {
  const report = join(top, "report.json");
  await rm(report, { force: true });
  const options = ["--reporter=json", `--outputFile=${report}`, "--retry=0", "-t", pattern];
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", file, ...options], {
    cwd: tree,
    stdio: "ignore",
    detached: HAS_GROUPS,
  });
  const timer = setTimeout(() => {
    if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  }, LONGEST_MS);
  const status = await new Promise((resolve) => child.once("close", resolve));
  clearTimeout(timer);
  const { numPassedTests, numFailedTests } = JSON.parse(await readFile(report, "utf8").catch(() => "{}"));
  // A mutant that never ends takes the runner with it, before it has written its report.
  if (numFailedTests > 0 || (numPassedTests === undefined && status !== 0)) return "failed";
  return numPassedTests > 0 ? "passed" : "not run";
};

/** Results without a mutant, by test. @type {Map<string, Promise<string>>} */
const sound = new Map();

/** @param {import("./patches.mjs").Mutant} mutant @returns {Promise<string>} `caught`, or why not */
const tryMutant = async (mutant) => {
  if (mutant.test === undefined) return "nothing catches it yet";
  const { file, titles } = mutant.test;
  const pattern = patternOf(titles);
  const key = `${file} ${pattern}`;
  if (!sound.has(key)) sound.set(key, runTest(file, pattern));
  const without = await sound.get(key);
  if (without !== "passed") return `its test ${without} without the mutant`;
  await apply(tree, mutant);
  const result = await runTest(file, pattern);
  await apply(tree, mutant, "--reverse");
  return result === "failed" ? "caught" : `its test ${result}`;
};

/** By room: how many were caught, of how many. @type {Map<string, [number, number]>} */
const rooms = new Map();
/** @type {string[]} */
const survivors = [];
try {
  await copyTree();
  for (const mutant of mutants) {
    const result = await tryMutant(mutant).catch((/** @type {Error} */ error) => error.message);
    const isCaught = result === "caught";
    console.log(`${isCaught ? "✓" : "✗"} ${mutant.name}${isCaught ? "" : `: ${result}. ${mutant.defect}`}`);
    const room = mutant.name.replace(/\/.*/, "");
    const [caught, of] = rooms.get(room) ?? [0, 0];
    rooms.set(room, [caught + Number(isCaught), of + 1]);
    if (!isCaught) survivors.push(`${mutant.name}: ${result}`);
  }
} finally {
  await rm(top, { recursive: true, force: true });
}
console.log("");
for (const [room, [caught, of]] of rooms) console.log(`${room.padEnd(14)} ${caught} of ${of} caught`);
for (const line of survivors) console.log(`survived: ${line}`);
console.log(`${mutants.length - survivors.length} of ${mutants.length} mutants were caught`);
const isBroken = survivors.some((line) => line.includes("without the mutant"));
process.exitCode =
  isBroken || mutants.length === 0 || mutants.length - survivors.length < ENOUGH * mutants.length ? 1 : 0;

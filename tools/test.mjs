/**
 * `npm test`: lint, type check, unused code and build, and beside them the quick tests (`test-projects.mjs`), as soon as
 * there is a build. `npm run test:all` runs every test; `npm run test:all -- --rest` only those that `npm test` leaves,
 * without the checks. Named files (`npm test -- test/walls`) run whatever they are; other arguments go to vitest, too.
 * Everything runs even after a failure, so that one run shows all problems. The last line counts checks and tests
 * together. `npm test -- --changed` takes seconds: it lints the files that differ from the last commit, checks types,
 * and runs the walls and the tests of the changed rooms and of those that stand on them, as far as they need no build.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ROOT } from "./build.mjs";
import { changedFiles, readWalls, selectTests } from "./changed.mjs";
import { refusePath } from "./checkout-path.mjs";
import { tallyLine } from "./tally-line.mjs";

// Vitest takes a % in the path of a module for the start of an escape.
refusePath(/%/, "tested");

const OWN = ["--changed", "--all", "--rest"];
const isOwn = (/** @type {string} */ argument) => OWN.includes(argument);
const [isChanged, isAll, isRest] = OWN.map((name) => process.argv.includes(name));
const given = process.argv.slice(2).filter((argument) => !isOwn(argument));

const changed = isChanged ? changedFiles() : [];
const linted = isChanged
  ? ["--no-errors-on-unmatched", ...changed.filter((file) => existsSync(join(ROOT, file)))]
  : ["."];

/** @returns {Promise<string[]>} the arguments for vitest */
const selected = async () => {
  if (!isChanged) return given;
  const { run, unbuilt, why } = selectTests(changed, await readWalls());
  for (const line of why) console.log(`• ${line}`);
  console.log(
    `${run.length} test files; ${unbuilt.length} more need a build or a browser; nothing else stands on the change`,
  );
  return [...given, ...run];
};

/** @returns {Promise<string | undefined>} which tests run; absent: those that are named */
const tier = async () => {
  if (isChanged) return "all";
  if (isRest) return "thorough";
  if (isAll) return "all";
  if (given.every((argument) => argument.startsWith("-"))) return "quick";
  const { parseCLI } = await import("vitest/node");
  return parseCLI(["vitest", "run", ...given], { allowUnknownOptions: true }).filter.length > 0 ? undefined : "quick";
};

const biome = "node_modules/@biomejs/biome/bin/biome";
const PLAIN = process.stdout.isTTY ? [] : ["--colors=off"];
/** @type {[string, string[]][]} */
const CHECKS = [
  ["lint", [biome, "ci", "--error-on-warnings", "--diagnostic-level=warn", ...PLAIN, ...linted]],
  ["types", ["tools/typecheck.mjs"]],
];
if (!isChanged) CHECKS.push(["unused", ["node_modules/knip/bin/knip.js"]]);

const begin = performance.now();
const seconds = () => `${Math.round((performance.now() - begin) / 1000)} s`;

/** @param {string[]} args @param {import("node:child_process").StdioOptions} stdio @param {NodeJS.ProcessEnv} [env] */
const start = ([script = "", ...args], stdio, env = process.env) =>
  spawn(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, stdio, env });

/** @param {import("node:child_process").ChildProcess} child @param {string} name @returns {Promise<boolean>} whether it exited with 0 */
const endOf = (child, name) =>
  new Promise((resolve) =>
    child.once("close", (status, signal) => {
      if (signal !== null) console.log(`✗ ${name} was ended by ${signal}`);
      resolve(status === 0);
    }),
  );

const tally = { passed: 0, failed: 0, skipped: 0 };
/** Counts a check, and prints what it said in one piece, as the tests print beside it. @param {[string, string[]]} given */
const check = async ([name, args]) => {
  const child = start(args, ["ignore", "pipe", "pipe"]);
  const ended = endOf(child, name);
  const said = await Promise.all([child.stdout, child.stderr].map((stream) => (stream === null ? "" : text(stream))));
  const clean = await ended;
  tally[clean ? "passed" : "failed"]++;
  console.log(clean ? `✓ ${name} (${seconds()})` : `${said.join("").trimEnd()}\n✗ ${name}`);
};

const build = async () => {
  const clean = await endOf(start(["tools/build.mjs", "--stale"], "inherit"), "build");
  tally[clean ? "passed" : "failed"]++;
  console.log(clean ? `✓ build (${seconds()})` : "✗ build");
};

/** @returns {Promise<boolean>} whether all tests passed */
const runTests = async () => {
  const only = await tier();
  const env = only === undefined ? process.env : { ...process.env, STAGEDOOR_TEST_TIER: only };
  const vitest = ["node_modules/vitest/vitest.mjs", "run"];
  const child = start([...vitest, ...(await selected())], ["inherit", "inherit", "inherit", "ipc"], env);
  let isCounted = false;
  child.on("message", (/** @type {{ tally: typeof tally }} */ message) => {
    isCounted = true;
    for (const name of /** @type {const} */ (["passed", "failed", "skipped"])) tally[name] += message.tally[name];
  });
  const green = await endOf(child, "vitest");
  if (!green && !isCounted) tally.failed++;
  return green;
};

// The rest runs after `npm test`, which has checked everything.
const checks = isRest ? [] : CHECKS.map(check);
if (!isChanged && !isRest) await build();
const green = await runTests();
await Promise.all(checks);
console.log(`\nIn ${seconds()}:`);
console.log(tallyLine(tally));
process.exitCode = green && tally.failed === 0 ? 0 : 1;

/**
 * `npm test`: lint, type check, unused code and build, and next to them the quick tests (`test-projects.mjs`), as soon as
 * there is a build. `npm run test:all` runs every test; `npm run test:all -- --rest` only those that `npm test` leaves,
 * without the checks. `npm test -- PATH` runs only the tests there; `npm test -- --changed` lints, checks types, and
 * runs the tests that import what differs from the last commit. Other arguments go to vitest, too. Everything runs even
 * after a failure, so that one run shows all problems. The last line counts checks and tests together.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ROOT } from "./build.mjs";
import { refusePath } from "./checkout-path.mjs";
import { tallyLine } from "./tally-line.mjs";

// Vitest takes a % in the path of a module for the start of an escape.
refusePath(/%/, "tested");
const { parseCLI } = await import("vitest/node");

const OWN = ["--all", "--rest"];
const [isAll, isRest] = OWN.map((name) => process.argv.includes(name));
const given = process.argv.slice(2).filter((argument) => !OWN.includes(argument));
const { filter, options } = parseCLI(["vitest", "run", ...given], { allowUnknownOptions: true });
const isNamed = filter.length > 0;
const isChanged = Boolean(options.changed);

/** Which tests run: quick, thorough or all. Absent: those that are named, or that import what has changed. */
const tier = isNamed || isChanged ? undefined : isRest ? "thorough" : isAll ? "all" : "quick";

const biome = "node_modules/@biomejs/biome/bin/biome";
const PLAIN = process.stdout.isTTY ? [] : ["--colors=off"];
/** @type {[string, string[]][]} */
const CHECKS = [
  ["lint", [biome, "ci", "--error-on-warnings", "--diagnostic-level=warn", ...PLAIN, "."]],
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
/** Counts a check, and prints what it said in one piece, as the tests print next to it. @param {[string, string[]]} given */
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
  const env = tier === undefined ? process.env : { ...process.env, STAGEDOOR_TEST_TIER: tier };
  const child = start(
    ["node_modules/vitest/vitest.mjs", "run", ...given],
    ["inherit", "inherit", "inherit", "ipc"],
    env,
  );
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
const checks = isRest || isNamed ? [] : CHECKS.map(check);
if (tier === "quick" || tier === "all") await build();
const green = await runTests();
await Promise.all(checks);
console.log(`\nIn ${seconds()}:`);
console.log(tallyLine(tally));
process.exitCode = green && tally.failed === 0 ? 0 : 1;

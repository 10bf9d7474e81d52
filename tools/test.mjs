/**
 * `npm test`: lint, type check, unused code and build in parallel, then the tests (including the walls). Everything
 * runs even after a failure, so that one run shows all problems. Arguments go to vitest. The last line counts checks
 * and tests together. `npm test -- --changed` takes seconds: it lints the files that differ from the last commit,
 * checks types, and runs the walls and the tests of the changed rooms and of those that stand on them, as far as they
 * need no build.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./build.mjs";
import { changedFiles, readWalls, selectTests } from "./changed.mjs";
import { refusePath } from "./checkout-path.mjs";

// Vitest takes a % in the path of a module for the start of an escape.
refusePath(/%/, "tested");

const given = process.argv.slice(2);
const isQuick = given.includes("--changed");
const PLAIN = process.stdout.isTTY ? [] : ["--colors=off"];

const changed = isQuick ? changedFiles() : [];
const linted = isQuick
  ? ["--no-errors-on-unmatched", ...changed.filter((file) => existsSync(join(ROOT, file)))]
  : ["."];

/** @returns {Promise<string[]>} the arguments for vitest */
const selected = async () => {
  if (!isQuick) return given;
  const { run, unbuilt, why } = selectTests(changed, await readWalls());
  for (const line of why) console.log(`• ${line}`);
  console.log(
    `${run.length} test files; ${unbuilt.length} more need a build or a browser; nothing else stands on the change`,
  );
  return [...given.filter((argument) => argument !== "--changed"), ...run];
};

/** @type {[string, string[]][]} */
const CHECKS = [
  ["lint", ["node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings", ...PLAIN, ...linted]],
  ["types", ["tools/typecheck.mjs"]],
];
if (!isQuick) CHECKS.push(["unused", ["node_modules/knip/bin/knip.js"]], ["build", ["tools/build.mjs", "--stale"]]);

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<boolean>} whether Node exited with status 0
 */
const node = ([script = "", ...args], env = process.env) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, stdio: "inherit", env });
    child.once("close", (status, signal) => {
      if (signal !== null) console.log(`✗ ${script} was ended by ${signal}`);
      resolve(status === 0);
    });
  });

let passed = 0;
/** @param {[string, string[]]} given */
const check = async ([name, args]) => {
  const clean = await node(args);
  if (clean) passed++;
  console.log(clean ? `✓ ${name}` : `✗ ${name}`);
};
await Promise.all(CHECKS.map(check));
const failed = CHECKS.length - passed;
const env = { ...process.env, STAGEDOOR_CHECKS: `${passed} ${failed}` };
const green = await node(
  ["node_modules/vitest/vitest.mjs", "run", "--config", "tools/config/vitest.config.ts", ...(await selected())],
  env,
);
process.exitCode = green && failed === 0 ? 0 : 1;

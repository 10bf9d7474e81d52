/**
 * `npm test`: lint, types, build, then the tests (the walls among them). Everything runs, whatever fails before it, so that one
 * run shows all there is to mend. Arguments go to vitest. The last line counts the checks and the tests together.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./build.mjs";

const PLAIN = process.stdout.isTTY ? [] : ["--colors=off"];

/** @type {[string, string[]][]} */
const CHECKS = [
  ["lint", ["node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings", ...PLAIN, "."]],
  ["types", ["tools/typecheck.mjs"]],
  ["build", ["tools/build.mjs", "--stale"]],
];

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {boolean} whether Node ended with status 0
 */
const node = ([script = "", ...args], env = process.env) =>
  spawnSync(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, stdio: "inherit", env }).status === 0;

let passed = 0;
for (const [name, args] of CHECKS) {
  const clean = node(args);
  if (clean) passed++;
  console.log(clean ? `✓ ${name}` : `✗ ${name}`);
}
const failed = CHECKS.length - passed;
const env = { ...process.env, STAGEDOOR_CHECKS: `${passed} ${failed}` };
const green = node(["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)], env);
process.exitCode = green && failed === 0 ? 0 : 1;

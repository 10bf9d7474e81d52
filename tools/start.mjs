/**
 * `npm start -- <options>`: builds what is stale, runs `stagedoor start <options>` in this terminal and, once its
 * listeners are up, opens the desktop window as its client if possible. Exits with the server's status.
 * `npm start -- <command> <options>` runs any other command: before the first build a checkout has no `stagedoor`. All run
 * in the folder where npm was called, so `npm --prefix ../stagedoor start -- exec -- pytest` runs the tests of a project.
 *
 * The server reports its URLs through a pipe: STAGEDOOR_READY_FD is the file descriptor to which it writes the ready
 * line of `--json`. Our own messages go to stderr: stdout belongs to the server.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { constants } from "node:os";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { ROOT, START_PARTS, stalePart } from "./build.mjs";
import { electronBinary, fetchElectron, noWindow, showWindow } from "./window.mjs";

/** Under npm one Ctrl+C arrives twice: from the terminal, and forwarded by npm. */
const SAME_PRESS_MS = 100;

/** @typedef {(line: string) => void} Say */

/**
 * @param {string} script
 * @param {string[]} args
 * @returns {Promise<number>} its exit status; its stdout goes to our stderr
 */
const runScript = (script, args) =>
  new Promise((resolve) => {
    // Through pipes, because the bundler draws progress on a terminal.
    const child = spawn(process.execPath, [script, ...args], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.pipe(process.stderr, { end: false });
    child.on("error", () => resolve(1)).on("close", (code) => resolve(code ?? 1));
  });

/**
 * Shows the console in a window until the signal aborts; reports the result in one line.
 *
 * @param {object} options
 * @param {string} options.consoleUrl
 * @param {string} [options.accessToken] of a console that is open to other machines
 * @param {readonly string[]} options.args
 * @param {NodeJS.ProcessEnv} options.env
 * @param {Say} options.say
 * @param {AbortSignal} options.signal
 * @param {string} [options.installer]
 * @param {(folder: string) => void} [options.onProfile] receives the folder of the window
 * @param {() => void} options.onRestart called when the window's user restarts the server
 */
const offerWindow = async ({ consoleUrl, accessToken, args, env, say, signal, installer, onProfile, onRestart }) => {
  const page = accessToken === undefined ? consoleUrl : `${consoleUrl}/?access_token=${accessToken}`;
  const browser = `open the console in your browser at ${page}`;
  const refusal = noWindow(args, env, process.platform);
  if (refusal !== undefined) {
    if (refusal !== "") say(`${refusal}: ${browser}`);
    return;
  }
  if ((await electronBinary(env)) === undefined) {
    if (env["ELECTRON_SKIP_BINARY_DOWNLOAD"]) return say(`Electron is not installed: ${browser}`);
    say(`Fetching Electron for the window, once, about 110 MB; until then, ${browser}`);
    const failure = await fetchElectron({ say, signal, ...(installer === undefined ? {} : { installer }) });
    if (signal.aborted) return;
    if (failure !== undefined) return say(`Electron could not be fetched (${failure}): ${browser}`);
  }
  const binary = await electronBinary(env);
  if (binary === undefined) return say(`Electron is missing after its installation: ${browser}`);
  const failure = await showWindow({
    binary,
    consoleUrl,
    signal,
    onRestart,
    ...(accessToken === undefined ? {} : { accessToken }),
    ...(onProfile === undefined ? {} : { onProfile }),
  });
  if (signal.aborted) return;
  say(
    failure === undefined
      ? `Window closed; Stagedoor keeps running, Ctrl+C stops it: ${browser}`
      : `No window (${failure}): ${browser}`,
  );
};

/**
 * Shows the window of a Stagedoor that already runs on the same data: Electron raises it if it is open.
 *
 * @param {object} options
 * @param {string} options.consoleUrl
 * @param {NodeJS.ProcessEnv} options.env
 * @param {Say} options.say
 * @param {AbortSignal} options.signal
 * @returns {Promise<boolean>} whether it was shown
 */
const showRunning = async ({ consoleUrl, env, say, signal }) => {
  const binary = await electronBinary(env);
  if (binary === undefined) return false;
  say(`Stagedoor is already running: showing its window, ${consoleUrl}`);
  const failure = await showWindow({ binary, consoleUrl, signal });
  if (failure !== undefined && !signal.aborted) say(`No window (${failure})`);
  return failure === undefined || signal.aborted;
};

/** @param {NodeJS.ProcessEnv} env @returns {string} the folder where the user is: npm starts scripts at the top of the checkout */
const folderOf = ({ INIT_CWD: folder = "" }) => (existsSync(folder) ? folder : process.cwd());

/** @param {string} folder @returns {string} what starts a command there */
const commandIn = (folder) => {
  const way = relative(folder, ROOT);
  return way === "" || /^[./\\]+$/.test(way) ? "npm start --" : `npm --prefix ${way} start --`;
};

/** @param {string} line of the server @returns {string | undefined} the console of the Stagedoor that has the data in use */
const runningConsole = (line) => {
  const { code, holder } = JSON.parse(line);
  return code === "data_in_use" ? (holder?.consoleUrl ?? undefined) : undefined;
};

/**
 * @param {object} options
 * @param {string[]} options.args the arguments of `stagedoor`; of `stagedoor start` if they name no command
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {string} [options.cli] the built command line
 * @param {string} [options.installer] Electron's installer
 * @param {Say} [options.say]
 * @returns {Promise<number>} the exit status of the server
 */
export const start = ({
  args,
  env = process.env,
  cli = join(ROOT, "dist/server/cli.js"),
  installer,
  say = console.error,
}) =>
  new Promise((resolve) => {
    const [command = "-"] = args;
    const line = command.startsWith("-") ? ["start", ...args] : args;
    const serves = line[0] === "start";
    // Without other options it does not matter which start a window is of.
    const isPlain =
      args.length === 0 || (args.length === 2 && args[0] === "--data") || /^--data=\S+$/.test(args.join(" "));
    const mayShowRunning = isPlain && noWindow(args, env, process.platform) === undefined;
    const cwd = folderOf(env);
    const server = spawn(process.execPath, [cli, ...line], {
      cwd,
      env: { ...env, STAGEDOOR_CALLED_AS: commandIn(cwd), ...(serves && { STAGEDOOR_READY_FD: "3" }) },
      stdio: ["inherit", "inherit", mayShowRunning ? "pipe" : "inherit", serves ? "pipe" : "ignore"],
    });
    const window = new AbortController();
    /** What the server has said before it was up: that the data is in use is no error if the window is shown. */
    let held = "";
    let isUp = false;
    const release = () => {
      isUp = true;
      process.stderr.write(held);
      held = "";
    };
    server.stderr?.setEncoding("utf8").on("data", (text) => {
      held += text;
      if (isUp) release();
    });
    /** @type {string | undefined} */
    let running;
    /** @type {string | undefined} the window's folder, if no other start will have its port */
    let profile;
    /** @type {Promise<unknown> | undefined} */
    let shown;
    /** By the window's user. */
    const restart = new AbortController();
    const status = server.stdio[3];
    if (status !== null && status !== undefined && "read" in status)
      createInterface({ input: status }).once("line", (line) => {
        const { event, consoleUrl, accessToken, anyPort } = JSON.parse(line);
        if (window.signal.aborted) return;
        if (event !== "ready") {
          if (mayShowRunning) running = runningConsole(line);
          return;
        }
        release();
        const offer = {
          consoleUrl,
          accessToken,
          args,
          env,
          say,
          signal: window.signal,
          onRestart: () => restart.abort(server.kill()),
          ...(installer === undefined ? {} : { installer }),
          ...(anyPort === true && { onProfile: (/** @type {string} */ folder) => (profile = folder) }),
        };
        shown = offerWindow(offer).catch((error) => say(`No window (${error.message}): see ${consoleUrl}`));
      });
    let last = Number.NEGATIVE_INFINITY;
    for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
      process.on(signal, () => {
        if (performance.now() - last < SAME_PRESS_MS) return;
        last = performance.now();
        window.abort();
        server.kill(signal === "SIGHUP" ? "SIGTERM" : signal);
      });
    server.on("error", (error) => {
      say(error.message);
      resolve(1);
    });
    server.on("close", async (code, signal) => {
      if (running !== undefined && (await showRunning({ consoleUrl: running, env, say, signal: window.signal })))
        return resolve(0);
      release();
      // A server that failed leaves its window, which says so; from its menu the server starts again.
      if (shown !== undefined && code !== 0 && !window.signal.aborted && !restart.signal.aborted)
        await Promise.race([shown, once(restart.signal, "abort")]);
      const isAgain = restart.signal.aborted && !window.signal.aborted;
      window.abort();
      if (isAgain) await shown;
      if (isAgain) return resolve(await start({ args, env, cli, say, ...(installer !== undefined && { installer }) }));
      if (profile !== undefined) {
        await shown;
        await rm(profile, { recursive: true, force: true, maxRetries: 5 }).catch((error) => say(error.message));
      }
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  // In a separate process, because the bundler would stay in memory while the server runs.
  const built =
    (await stalePart()) === undefined ? 0 : await runScript(join(ROOT, "tools/build.mjs"), ["--stale", ...START_PARTS]);
  process.exitCode = built === 0 ? await start({ args: process.argv.slice(2) }) : built;
}

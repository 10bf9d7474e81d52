/** The three measured servers, each in its own process: starts, measures and stops them. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** @param {string} path from the root of the checkout */
const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {import("node:child_process").ChildProcess} child
 * @property {string} admin base URL
 * @property {string} auth base URL
 * @property {string} console base URL
 * @property {number} startedMs from process start to ready line
 * @property {number} startCpuMs processor time until then
 */

/** The names of the servers that each table compares, in its order. */
export const KINDS = ["node:http", "Express 5", "Stagedoor"];

/** The built command line of this checkout. */
export const CLI = at("dist/server/cli.js");

/** Plain Express whose messages have Express's prototypes from the beginning: what V8 would cost it besides is not Express's. */
export const PREPARED_EXPRESS = "Express 5, prepared";

/** The command that starts each. @type {Record<string, (fixtures: string | undefined, dataDir: string, root: string) => string[]>} */
const COMMANDS = {
  "node:http": (fixtures) => [at("test/bench/baselines/bare-http.mjs"), ...(fixtures ? [fixtures] : [])],
  "Express 5": (fixtures) => [at("test/bench/baselines/plain-express.mjs"), ...(fixtures ? [fixtures] : [])],
  [PREPARED_EXPRESS]: (fixtures) => [at("test/bench/baselines/prepared-express.mjs"), ...(fixtures ? [fixtures] : [])],
  Stagedoor: (fixtures, dataDir, root) => {
    const ports = ["--admin-port", "0", "--auth-port", "0", "--console-port", "0"];
    const data = [...(dataDir ? ["--data", dataDir] : ["--ephemeral"]), ...(fixtures ? ["--fixtures", fixtures] : [])];
    return [join(root, "dist/server/cli.js"), "start", "--headless", "--json", ...ports, ...data];
  },
};

/**
 * @param {number} pid
 * @returns {number} processor time so far, user and system, in milliseconds
 */
export const cpuMs = (pid) => {
  if (existsSync(`/proc/${pid}/stat`)) {
    // All threads, because signing and file access run outside the main thread.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }
  const [minutes = "0", seconds = "0"] = execFileSync("ps", ["-o", "time=", "-p", String(pid)], { encoding: "utf8" })
    .trim()
    .split(":")
    .slice(-2);
  return (Number(minutes) * 60 + Number(seconds)) * 1000;
};

/**
 * @param {number} pid
 * @returns {number} resident memory in MB
 */
export const memoryMb = (pid) => {
  if (existsSync(`/proc/${pid}/status`))
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;
};

/**
 * @param {string} name of `KINDS`
 * @param {object} options
 * @param {string} [options.fixtures] a file
 * @param {string} [options.dataDir] Stagedoor's
 * @param {string} [options.node] the path of its Node; this one if absent
 * @param {string[]} [options.nodeFlags]
 * @param {string[]} [options.args] additional arguments
 * @param {Record<string, string>} [options.env] additional variables
 * @param {"inherit" | "pipe"} [options.stderr]
 * @param {string} [options.root] the checkout whose Stagedoor it is; this one if absent
 * @param {string} [options.single] the single executable, which is Stagedoor then
 * @returns {Promise<Server>}
 */
export const startServer = async (
  name,
  {
    fixtures,
    dataDir = "",
    node = process.execPath,
    nodeFlags = [],
    args = [],
    env = {},
    stderr = "inherit",
    root = at(""),
    single,
  },
) => {
  const command = COMMANDS[name];
  if (command === undefined) throw new Error(`There is no server "${name}".`);
  const begun = performance.now();
  const [script = "", ...own] = command(fixtures, dataDir, root);
  const program = name === "Stagedoor" && single ? [single] : [node, ...nodeFlags, script];
  const child = spawn(program[0] ?? "", [...program.slice(1), ...own, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", stderr],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} did not start.`);
  if (child.stdout === null) throw new Error(`${name} has no standard output.`);
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([
    once(lines, "line"),
    once(child, "exit").then(([status]) => {
      throw new Error(`${name} ended with ${status} before it was ready.`);
    }),
  ]);
  const startedMs = performance.now() - begun;
  const startCpuMs = cpuMs(pid);
  const ready = JSON.parse(line);
  const base = `http://127.0.0.1:${ready.port}`;
  return {
    name,
    child,
    admin: ready.adminUrl ?? base,
    auth: ready.authUrl ?? base,
    console: ready.consoleUrl ?? base,
    startedMs,
    startCpuMs,
  };
};

/**
 * @param {Server} server
 * @param {NodeJS.Signals} [signal]
 */
export const stopServer = async ({ child }, signal = "SIGTERM") => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
};

/**
 * The built server run by another runtime: a login, a kill, a restart on the same data, and a stop. The runtime's output
 * goes to files and all requests come from this Node, because under Wine neither pipes nor `fetch` work.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { buildStale, ROOT } from "../../tools/build.mjs";
import { buildSingle } from "../../tools/single.mjs";
import { fetchPackage, onPath } from "./packages.mjs";

/** Emulated processors are twenty times slower. */
const PATIENCE_MS = 120_000;
const USER = { appId: "demo-app", user: { phone: "+12025550100" } };

/**
 * @param {string} method @param {string} url @param {object} [body]
 * @returns {Promise<{ status: number | undefined, json: any }>} `json`: the body, null if it is empty
 */
const call = async (method, url, body) => {
  const sent = request(url, { method, agent: false, headers: { "Content-Type": "application/json" } });
  sent.end(body && JSON.stringify(body));
  const [answer] = await once(sent, "response");
  let text = "";
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode, json: JSON.parse(text || "null") };
};

/** @param {import("./rows.mjs").Runtime} runtime @returns {string | undefined} what this machine lacks */
const missingFor = ({ emulator: [emulator] = [], files = [], install }) => {
  if (process.platform !== "linux" || process.arch !== "x64") return "only checked on Linux x64";
  const isThere = (emulator === undefined || onPath(emulator) !== undefined) && files.every((file) => existsSync(file));
  return isThere ? undefined : `on Debian, apt-get install ${install}`;
};

/**
 * @param {import("./rows.mjs").Runtime} runtime
 * @param {string} folder for programs, data and output
 * @returns {Promise<import("./table.mjs").End>} one passed or failed per step; a failure ends it
 */
export const checkRuntime = async (runtime, folder) => {
  const missing = missingFor(runtime);
  if (missing !== undefined) return { missing };
  await buildStale();
  const program =
    runtime.single === undefined
      ? [
          join(fetchPackage(runtime.spec ?? "", folder), runtime.program),
          ...(runtime.args ?? []),
          join(ROOT, "dist/server/cli.js"),
        ]
      : [await buildSingle({ target: runtime.single })];
  const cwd = join(folder, `${runtime.single ?? runtime.program}-data`);
  mkdirSync(cwd, { recursive: true });
  const env = { ...process.env, WINEPREFIX: join(folder, "wine"), ...runtime.env };
  let starts = 0;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let child;
  const start = async () => {
    const [out, err] = ["out", "err"].map((name) => join(cwd, `${name}-${starts}.txt`));
    starts++;
    const ports = ["--admin-port=0", "--auth-port=0", "--console-port=0"];
    // Relative to the working folder, which every system writes in its own way.
    const words = [
      ...(runtime.emulator ?? []),
      ...program,
      "start",
      "--headless",
      "--json",
      "--data",
      "data",
      ...ports,
    ];
    child = spawn(words[0] ?? "", words.slice(1), {
      cwd,
      env,
      stdio: ["ignore", openSync(out ?? "", "w"), openSync(err ?? "", "w")],
    });
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(50)) {
      const line = readFileSync(out ?? "", "utf8")
        .split("\n")
        .find((text) => text.includes('"event":"ready"'));
      if (line !== undefined) return JSON.parse(line);
      if (child.exitCode !== null) break;
    }
    throw new Error(`it did not start: ${readFileSync(out ?? "", "utf8")}${readFileSync(err ?? "", "utf8")}`);
  };
  const ended = async () => {
    if (child?.exitCode === null && child.signalCode === null) await once(child, "exit");
    return child?.exitCode;
  };
  let [passed, ready, code, token] = [0, /** @type {any} */ ({}), "", ""];
  /** @param {string} what @param {unknown} found @param {unknown} expected */
  const same = (what, found, expected) => {
    if (found !== expected) throw new Error(`${what}: ${found}, not ${expected}`);
    passed++;
  };
  const session = () => `${ready.authUrl}/v1/users/session`;
  const control = () => `${ready.consoleUrl}/emulator/v1`;
  const isActive = async () => (await call("POST", `${control()}/sessions/introspect`, { token })).json.active;
  try {
    ready = await start();
    same("a code is sent", (await call("POST", session(), USER)).status, 202);
    code = (await call("GET", `${control()}/passcodes/latest?to=%2B12025550100`)).json.code;
    const login = await call("PUT", session(), { ...USER, passcode: code });
    same("it signs in", login.status, 200);
    token = login.json.token;
    same("its token is active", await isActive(), true);
    child?.kill("SIGKILL");
    await ended();
    ready = await start();
    same("after a kill the token is active", await isActive(), true);
    same("after a kill the code is used", (await call("PUT", session(), { ...USER, passcode: code })).status, 401);
    same("it stops when asked", (await call("POST", `${control()}/stop`)).status, 200);
    same("its exit status", await ended(), 0);
    ready = await start();
    same("after a stop the token is active", await isActive(), true);
    return { passed, failed: 0, skipped: 0, problems: [] };
  } catch (error) {
    return { passed, failed: 1, skipped: 0, problems: [String(error)] };
  } finally {
    child?.kill("SIGKILL");
    await ended();
  }
};

/** Runs the built command line as a child process, without this machine's own data and settings. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterFile } from "#test/support/cleanup.ts";
import { parseReadyLine, type Ready } from "#test/support/ready.ts";
import { runWarm } from "./warm.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLI = join(ROOT, "dist/server/cli.js");
const other = process.env["STAGEDOOR_TEST_PROGRAM"];
/** The program under test: Node with the built command line, or the executable in STAGEDOOR_TEST_PROGRAM. */
export const PROGRAM = other ?? process.execPath;
/** Its arguments before those of a command. */
export const SCRIPT: readonly string[] = other === undefined ? [CLI] : [];
/** Every start uses free ports. */
export const FREE_PORTS = ["--admin-port", "0", "--auth-port", "0", "--console-port", "0"];

let home: string | undefined;
let made = 0;

/** @returns the home directory of this test file, removed after its last test. */
const homeDir = (): string => {
  if (home !== undefined) return home;
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "stagedoor-cli-")));
  afterFile(() => {
    home = undefined;
    rmSync(dir, { recursive: true, force: true });
  });
  home = dir;
  return dir;
};

/** @returns an unused path in a directory that is removed after the tests of this file. */
export const freshPath = (name = "data"): string => join(homeDir(), `${++made}-${name}`);

type Variables = Readonly<Record<string, string>>;

/** @returns an environment with the test's own home directory and without Stagedoor settings. */
export const clean = (more: Variables = {}): Record<string, string> => {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && !/^(STAGEDOOR_|XDG_)/.test(name)) env[name] = value;
  return { ...env, HOME: homeDir(), APPDATA: homeDir(), ...more };
};

/** How a command ended. */
export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command to its end in its own process. @param given `input` is its standard input. */
export const runAlone = async (
  args: readonly string[],
  given: { env?: Variables; input?: string; cwd?: string } = {},
): Promise<Ended> => {
  const child = spawn(PROGRAM, [...SCRIPT, ...args], { env: clean(given.env), cwd: given.cwd ?? homeDir() });
  child.stdin.end(given.input ?? "");
  const [out, err, [status, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { status, signal, out, err };
};

/** Commands that need their own process. */
const ALONE = new Set(["start", "exec"]);

/** Like `runAlone`, but in a shared process where that makes no difference, which takes a tenth of the time. */
export const run = async (args: readonly string[], given: { env?: Variables; input?: string } = {}): Promise<Ended> => {
  if (other !== undefined || given.input !== undefined || ALONE.has(args[0] ?? "")) return runAlone(args, given);
  const ended = await runWarm({ cli: CLI, args, env: clean(given.env), cwd: homeDir() });
  return { status: null, out: "", err: "", ...ended, signal: ended === undefined ? "SIGKILL" : null };
};

/** A running start. */
export interface Started {
  readonly child: ChildProcess;
  readonly ready: Ready;
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when the output so far matches. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Stops it. @returns its status and how long that took, in milliseconds. */
  stop(signal?: NodeJS.Signals): Promise<{ status: number | null; ms: number }>;
}

/**
 * Starts a server on free ports and waits until it is up.
 * @throws Error with its output if it ends before.
 */
export const start = async (args: readonly string[], env: Variables = {}): Promise<Started> => {
  const child = spawn(PROGRAM, [...SCRIPT, "start", ...FREE_PORTS, ...args], {
    env: clean({ ...env, STAGEDOOR_READY_FD: "3" }),
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  let told = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ended = once(child, "exit").then(([status]) => (typeof status === "number" ? status : null));
  afterFile(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.stdio[3]?.on("data", (chunk: Buffer) => {
      told += chunk.toString();
      const line = parseReadyLine(told);
      if (line !== undefined) resolve(line);
    });
    ended.then((status) => reject(new Error(`ended with ${status} before it was ready: ${err}${out}`)), reject);
  });
  return {
    child,
    ready,
    out: () => out,
    err: () => err,
    printed: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = pattern.exec(out);
          if (found === null) return;
          child.stdout?.off("data", look);
          resolve(found);
        };
        child.stdout?.on("data", look);
        look();
      }),
    stop: async (signal = "SIGTERM") => {
      const before = performance.now();
      child.kill(signal);
      return { status: await ended, ms: performance.now() - before };
    },
  };
};

/** Sends JSON. */
export const send = (method: string, url: string, body?: unknown, headers: Variables = {}): Promise<Response> =>
  fetch(url, {
    method,
    headers: body === undefined ? headers : { "Content-Type": "application/json", ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });

/** Requests a code for the first user of the demo. */
export const sendCode = (ready: Ready, phone = "+12025550100"): Promise<Response> =>
  send("POST", `${ready.authUrl}/v1/users/session`, { appId: "demo-app", user: { phone } });

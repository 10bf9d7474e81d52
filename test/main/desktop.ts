/**
 * A desktop of a test file's own: an X server, a window manager if wanted, and real Electron in it, as an ordinary user and with
 * Chromium's sandbox. Where root runs the tests, as in a container, `nobody` runs the window. Without Electron or an X server
 * the tests are skipped, with the reason; with STAGEDOOR_REQUIRE_ELECTRON=1, as in `npm run desktop:check`, they fail.
 */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { _electron, type ElectronApplication } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, vi } from "vitest";
import { testBinary } from "../../tools/test-electron.mjs";

/** The checkout. */
export const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
/** What the window needs of the checkout, where another user cannot read that. */
const PARTS = ["dist/main", "dist/server", "dist/renderer", "dist/client", "tools/icons"];
/** Programs need a second to start, on a busy machine more. */
const PATIENCE = { timeout: 120_000, interval: 200 };
/** User and group of `nobody`. */
const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0;
const IS_LINUX = process.platform === "linux";

const has = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));

/** The binary of Electron. */
const ELECTRON = await testBinary(process.env);
/** The folder of Electron's files. */
export const DIST = dirname(ELECTRON ?? "");

const findLack = (): string | undefined => {
  if (ELECTRON === undefined) return "Electron is not installed: npm run desktop:check";
  if (IS_LINUX && !has("Xvfb")) return "there is no X server: apt-get install xvfb";
  return undefined;
};
/** Why this machine cannot run the window, or undefined. */
export const LACK = findLack();
if (LACK !== undefined) {
  if (process.env["STAGEDOOR_REQUIRE_ELECTRON"] === "1") throw new Error(LACK);
  console.warn(`SKIPPED: the tests of the real window: ${LACK}`);
}

/** The command line that runs a program as the ordinary user. */
const ordinary = (...command: string[]): [string, ...string[]] => {
  const [program = "", ...args] = command;
  if (!IS_ROOT) return [program, ...args];
  return ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--", ...command];
};

/** @returns whether the ordinary user can read the path. */
const isReadable = (path: string): boolean => {
  const [program, ...args] = ordinary("test", "-r", path);
  return spawnSync(program, args).status === 0;
};

/** A folder that belongs to the ordinary user. */
const ownFolder = (path: string): string => {
  mkdirSync(path, { recursive: true });
  if (IS_ROOT) chownSync(path, NOBODY, NOBODY);
  return path;
};

/** Waits until a check passes: hooks have no `expect.poll`. */
export const patiently = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, PATIENCE);

/** Electron in a desktop of its own. */
export interface Desktop {
  /** The folder of the ordinary user: its home and, in it, everything that the test gives it to read or write. */
  readonly home: string;
  /** Runs Electron as the ordinary user; takes the binary's arguments. It is called `electron`. */
  readonly binary: string;
  /** @returns another such binary, which runs Electron on this desktop through a program such as `env -u NAME`. */
  through(...command: string[]): string;
  /** The environment in which `binary` opens its windows on this desktop. */
  readonly env: NodeJS.ProcessEnv;
  /** The built shell, readable for the ordinary user. */
  readonly shell: string;
  /** Opens the shell. @param args its arguments, such as `--console-url=` */
  launch(...args: string[]): Promise<ElectronApplication>;
  /** Starts the shell as a program. @param args its arguments */
  open(...args: string[]): ChildProcess;
  /** Runs a program, such as `xdotool`, as the ordinary user. @returns its output */
  run(...command: string[]): Promise<string>;
  /** Starts a program as the ordinary user, until the end of the file. */
  start(...command: string[]): ChildProcess;
}

/** The X server's display, chosen by itself. */
const startDisplay = async (size: string): Promise<{ display: string; server: ChildProcess }> => {
  // Without -noreset it drops whoever connects while its last client leaves, such as the window manager.
  const args = ["-displayfd", "3", "-screen", "0", `${size}x24`, "-nolisten", "tcp", "-ac", "-noreset"];
  const server = spawn("Xvfb", args, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const told = server.stdio[3];
  if (told === null || told === undefined || !("read" in told)) throw new Error("Xvfb has no third pipe");
  const number = await new Promise<string>((resolve, reject) => {
    createInterface({ input: told }).once("line", resolve);
    server.once("exit", (status) => reject(new Error(`Xvfb ended with status ${status}`)));
  });
  return { display: `:${number.trim()}`, server };
};

/** Electron as the ordinary user, as one program. @param through what runs it: a program and its arguments */
const writeBinary = (home: string, name: string, through: readonly string[] = []): string => {
  const folder = join(home, "bin");
  const binary = join(folder, name);
  mkdirSync(folder, { recursive: true });
  const quoted = ordinary(...through, ELECTRON ?? "").map((word) => `'${word}'`);
  writeFileSync(binary, `#!/bin/sh\nexec ${quoted.join(" ")} "$@"\n`, { mode: 0o755 });
  return binary;
};

/** The built shell; a copy where the ordinary user cannot read the checkout. */
const readableShell = (home: string): string => {
  if (isReadable(join(CHECKOUT, "dist/main/index.js"))) return join(CHECKOUT, "dist/main");
  for (const part of PARTS) cpSync(join(CHECKOUT, part), join(home, "app", part), { recursive: true });
  execFileSync("chmod", ["-R", "a+rX", join(home, "app")]);
  return join(home, "app/dist/main");
};

/**
 * The desktop of a test file, which ends with it. On Windows and macOS it is the user's own.
 * @param options.size of the screen. @param options.manager whether a window manager gives focus and frames (openbox)
 */
export const useDesktop = ({ size = "1600x1000", manager = false } = {}): Desktop => {
  let home = "";
  let shell = "";
  let binary = ELECTRON ?? "";
  let heldStart = "";
  let env: NodeJS.ProcessEnv = {};
  const children: ChildProcess[] = [];
  const desktop: Desktop = {
    get home() {
      return home;
    },
    get shell() {
      return shell;
    },
    get binary() {
      return binary;
    },
    get env() {
      return env;
    },
    through: (...command) => {
      const here = Object.entries(env).filter(([name, value]) => process.env[name] !== value);
      const words = here.map(([name, value]) => `${name}=${value}`);
      return writeBinary(home, command[0] ?? "plain", ["env", ...words, ...command]);
    },
    launch: (...args) => {
      const given = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
      const options = { executablePath: binary, chromiumSandbox: true, env: Object.fromEntries(given), cwd: home };
      return _electron.launch({ ...options, args: ["-r", heldStart, shell, ...args] });
    },
    open: (...args) => {
      const child = spawn(binary, [shell, ...args], { env, cwd: home, stdio: "ignore" });
      children.push(child);
      return child;
    },
    run: async (...command) => {
      const [program, ...args] = ordinary(...command);
      return (await promisify(execFile)(program, args, { env, cwd: home })).stdout;
    },
    start: (...command) => {
      const [program, ...args] = ordinary(...command);
      const child = spawn(program, args, { env, cwd: home, stdio: ["ignore", "pipe", "pipe"] });
      children.push(child);
      return child;
    },
  };
  beforeAll(async () => {
    if (LACK !== undefined) return;
    home = ownFolder(mkdtempSync(join(tmpdir(), "stagedoor-desktop-")));
    chmodSync(home, 0o755);
    shell = readableShell(home);
    heldStart = join(home, "held-start.cjs");
    cpSync(join(import.meta.dirname, "held-start.cjs"), heldStart);
    env = { ...process.env };
    if (!IS_LINUX) return;
    binary = writeBinary(home, "electron");
    const { display, server } = await startDisplay(size);
    children.push(server);
    const { WAYLAND_DISPLAY: _, DBUS_SESSION_BUS_ADDRESS: _bus, ELECTRON_RUN_AS_NODE: _node, ...own } = process.env;
    delete own["STAGEDOOR_REQUIRE_ELECTRON"];
    const folders = {
      XDG_CONFIG_HOME: ".config",
      XDG_CACHE_HOME: ".cache",
      XDG_DATA_HOME: ".data",
      XDG_RUNTIME_DIR: ".run",
    };
    const made = Object.entries(folders).map(([name, folder]) => [name, ownFolder(join(home, folder))]);
    for (const folder of [join(home, ".run")]) chmodSync(folder, 0o700);
    env = { ...own, ...Object.fromEntries(made), HOME: home, TMPDIR: ownFolder(join(home, "tmp")), DISPLAY: display };
    env["ELECTRON_OVERRIDE_DIST_PATH"] = dirname(binary);
    if (!manager) return;
    desktop.start("openbox", "--sm-disable");
    await patiently(async () => expect(await desktop.run("wmctrl", "-m")).toContain("Openbox"));
  });
  beforeEach(({ skip }) => {
    if (LACK !== undefined) skip(LACK);
  });
  afterAll(() => {
    for (const child of children.reverse()) child.kill();
    if (home !== "") rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  return desktop;
};

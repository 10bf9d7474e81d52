/** The built server in its own process, as users run it: `node dist/server/cli.js start --headless --json`. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseReadyLine, type Ready } from "#test/support/ready.ts";

/** The built command line. */
export const CLI = fileURLToPath(new URL("../../dist/server/cli.js", import.meta.url));

/** A running server process. */
export interface Built {
  readonly ready: Ready;
  readonly child: ChildProcess;
  /** Its standard error so far. */
  stderr(): string;
  /** Stops it. @returns its exit status, null after a signal that it could not catch. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** @returns the host and port of admin, auth and console. */
export const hostsOf = ({ adminUrl, authUrl, consoleUrl }: Ready): string[] =>
  [adminUrl, authUrl, consoleUrl].map((url) => new URL(url).host);

/** @returns an empty data directory, and a function that removes it. */
export const temporaryDir = async (): Promise<{ readonly dir: string; remove(): Promise<void> }> => {
  const dir = await mkdtemp(join(tmpdir(), "stagedoor-test-"));
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
};

/** The environment without a developer's settings for Stagedoor. */
export const cleanEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("STAGEDOOR_")));

const ANY_PORTS = ["--admin-port", "0", "--auth-port", "0", "--console-port", "0"];

/**
 * Starts on free ports.
 * @param args more options of `start`, among them `--data DIR` or `--ephemeral`. @param wrap a program to run it with.
 * @throws Error with its output if it ends before it is ready.
 */
export const startBuilt = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv = cleanEnv(),
  wrap: readonly string[] = [],
): Promise<Built> => {
  const line = [...wrap, process.execPath, CLI, "start", "--headless", "--json", ...ANY_PORTS, ...args];
  const child = spawn(line[0] ?? "", line.slice(1), { env, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const exited = once(child, "exit");
  const ready = await new Promise<Ready>((resolve, reject) => {
    createInterface(child.stdout).on("line", (line) => {
      const found = parseReadyLine(line);
      if (found !== undefined) resolve(found);
    });
    exited.then(([code]) => reject(new Error(`stagedoor ended with ${code} before it was ready: ${errors}`)), reject);
  });
  return {
    ready,
    child,
    stderr: () => errors,
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
};

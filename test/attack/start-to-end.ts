/**
 * One start of the built server on a folder that somebody has tampered with: how it ended and what it printed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { CLI, cleanEnv } from "#test/hosts/built.ts";

/** How a start ended. `ready`: it was up, and was then stopped. `hangs`: neither, so that the test killed it. */
export interface StartEnd {
  readonly how: "ended" | "ready" | "hangs";
  readonly status: number | null;
  /** All that it printed on standard error and standard output. */
  readonly said: string;
}

/** So long a start may take that neither ends nor gets ready; a start takes a hundredth of that. */
const HANGS_MS = 30_000;
const PORTS = ["--admin-port", "0", "--auth-port", "0", "--console-port", "0"];

/**
 * @param options more options of `start`. @param wrap a program to run it by, with its arguments, such as `setpriv`.
 * @returns how it ended.
 */
export const startToEnd = async (
  dir: string,
  options: readonly string[] = [],
  wrap: readonly string[] = [],
): Promise<StartEnd> => {
  const line = [...wrap, process.execPath, CLI, "start", "--headless", ...PORTS, "--data", dir, ...options];
  const [program = "", ...args] = line;
  const child = spawn(program, args, { env: cleanEnv() });
  let said = "";
  let isReady = false;
  const hear = (chunk: string): void => {
    said += chunk;
    if (isReady || !/^ *Console +http:/m.test(said)) return;
    isReady = true;
    child.kill();
  };
  child.stdout.setEncoding("utf8").on("data", hear);
  child.stderr.setEncoding("utf8").on("data", hear);
  let hangs = false;
  const limit = setTimeout(() => {
    hangs = true;
    child.kill("SIGKILL");
  }, HANGS_MS);
  const [status] = await once(child, "close");
  clearTimeout(limit);
  const how = hangs ? "hangs" : isReady ? "ready" : "ended";
  return { how, status: typeof status === "number" ? status : null, said };
};

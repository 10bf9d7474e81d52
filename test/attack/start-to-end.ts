/** One start of the built server on a tampered directory: how it ended and what it printed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { clean } from "#test/cli/support.ts";
import { runWarm } from "#test/cli/warm.ts";
import { CLI, cleanEnv } from "#test/hosts/built.ts";

/** How a start ended. `ready`: it was up and then stopped. `hangs`: neither, so the test killed it. */
export interface StartEnd {
  readonly how: "ended" | "ready" | "hangs";
  readonly status: number | null;
  /** Its standard error and standard output. */
  readonly said: string;
}

const PORTS = ["--admin-port", "0", "--auth-port", "0", "--console-port", "0"];
/** It is up. */
const READY = /^ *Console +http:/m;

/** @param dir the data directory. @param options more options of `start`. @returns how it ended. */
export const startToEnd = async (dir: string, options: readonly string[] = []): Promise<StartEnd> => {
  const args = ["start", "--headless", ...PORTS, "--data", dir, ...options];
  const ended = await runWarm({ cli: CLI, args, env: clean(), cwd: "/", stopAt: READY.source });
  if (ended === undefined) return { how: "hangs", status: null, said: "" };
  return { how: READY.test(ended.out) ? "ready" : "ended", status: ended.status, said: ended.err + ended.out };
};

/**
 * Like `startToEnd`, in its own process. @param wrap a program to run it with, and its arguments, such as `setpriv`.
 */
export const startAloneToEnd = async (dir: string, wrap: readonly string[]): Promise<StartEnd> => {
  const line = [...wrap, process.execPath, CLI, "start", "--headless", ...PORTS, "--data", dir];
  const [program = "", ...args] = line;
  const child = spawn(program, args, { env: cleanEnv() });
  let said = "";
  let isReady = false;
  const hear = (chunk: string): void => {
    said += chunk;
    if (isReady || !READY.test(said)) return;
    isReady = true;
    child.kill();
  };
  child.stdout.setEncoding("utf8").on("data", hear);
  child.stderr.setEncoding("utf8").on("data", hear);
  const [status] = await once(child, "close");
  return { how: isReady ? "ready" : "ended", status: typeof status === "number" ? status : null, said };
};

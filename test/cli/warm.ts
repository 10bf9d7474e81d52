/**
 * Shared processes that run the built command line repeatedly: `warm.mjs`. Whatever concerns the end of a process
 * (signals, closed descriptors) needs a process of its own.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { afterFile } from "#test/support/cleanup.ts";

/** One command. */
export interface Order {
  /** The path of the command line. */
  readonly cli: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** An output pattern after which SIGTERM is sent. */
  readonly stopAt?: string;
}

const answer = z.object({ status: z.number(), out: z.string(), err: z.string() });
/** How a command ended, as for a process. */
export type Answer = Readonly<z.output<typeof answer>>;

const WARM = fileURLToPath(new URL("./warm.mjs", import.meta.url));
/** Time limit of a command; it needs a hundredth of that. */
const HANGS_MS = 30_000;
/** Processes waiting for a command; they end with the test file. */
let idle: ChildProcess[] = [];

const take = (): ChildProcess => {
  const waiting = idle.pop();
  if (waiting !== undefined) return waiting;
  const child = fork(WARM, { stdio: ["ignore", "inherit", "inherit", "ipc"], execArgv: [] });
  afterFile(async () => {
    idle = idle.filter((one) => one !== child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  return child;
};

/** Runs a command in a shared process. @returns how it ended; undefined: it never did, and its process was killed. */
export const runWarm = async (order: Order): Promise<Answer | undefined> => {
  const child = take();
  const limit = setTimeout(() => child.kill("SIGKILL"), HANGS_MS);
  child.send(order);
  const told = await new Promise<unknown>((resolve) => {
    child.once("message", resolve).once("exit", () => resolve(undefined));
  });
  clearTimeout(limit);
  child.removeAllListeners("message").removeAllListeners("exit");
  if (told === undefined) return undefined;
  idle.push(child);
  return answer.parse(told);
};

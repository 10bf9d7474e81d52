/** Runs the user's command, so that it ends with all that it has started. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { shellWord } from "#contract/words/shell-words.ts";
import { exitStatusOf, NOT_FOUND } from "#server/commands/child.ts";
import type { Listening } from "#server/plumbing/listening.ts";
import { IS_SINGLE } from "#server/program-files.ts";
import { Descendants, MARK_VARIABLE } from "./processes.ts";

interface Ending {
  readonly exitCode: number;
  readonly isTimedOut: boolean;
  readonly output: string;
  /** Who still listens on a port of what it started. */
  readonly taken: readonly Listening[];
}

/** What is kept of a program's output, in characters. */
const MOST_OUTPUT = 1_000_000;
/** How often it is looked what has been started. */
const LOOK_MS = process.platform === "linux" ? 1_000 : 4_000;
/** How long the rest of the output may take. */
const OUTPUT_MS = 500;
const isWindows = process.platform === "win32";

/**
 * Starts a process that ends what commands have started once this one has gone, however it went. Not for Windows, where
 * nothing tells what they are. @param folder of the exploration, with which all marks begin; it is removed in the end.
 * @returns ends it, once all commands have ended.
 */
export const startGuard = (folder: string): (() => Promise<void>) => {
  const words = [...(IS_SINGLE ? [] : process.argv.slice(1, 2)), "explore", "--guard", "--", folder];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "ignore", "ignore"], detached: true });
  const gone = once(child, "close").catch(() => undefined);
  return async () => {
    child.stdin.destroy();
    await gone;
  };
};

/** What the guard does. @param input ends with the process that started it. @returns 0. */
export const guard = async (folder: string, input: NodeJS.ReadableStream): Promise<number> => {
  await once(input.resume(), "end");
  await new Descendants(folder).end();
  await rm(folder, { recursive: true, force: true });
  return 0;
};

/** @param mark of all that it starts. @param shown whether its output goes to the terminal, or is kept. @returns how the command ended, and all that it started. */
export const runProgram = async (
  { words: [program = "", ...args], ended }: { readonly words: readonly string[]; readonly ended: AbortSignal },
  mark: string,
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
  shown: boolean,
): Promise<Ending> => {
  const out = shown ? "inherit" : "pipe";
  const given = isWindows ? args.map((arg) => shellWord(arg, "win32")) : args;
  // Its own group: Ctrl+C reaches it only through us, and then all of it.
  const child = spawn(program, given, {
    stdio: ["ignore", out, out],
    env: { ...env, [MARK_VARIABLE]: mark },
    shell: isWindows,
    detached: !isWindows,
  });
  const { pid } = child;
  const descendants = new Descendants(mark);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      if (output.length < MOST_OUTPUT) output += text;
    });
  const closed = once(child, "close").catch(() => undefined);
  let isTimedOut = false;
  let stopping: Promise<void> | undefined;
  const stop = (): void => {
    stopping ??= pid === undefined ? undefined : descendants.interrupt(pid).then(() => void child.kill("SIGKILL"));
  };
  const timer = setTimeout(() => {
    isTimedOut = true;
    stop();
  }, timeoutMs);
  const looking = setInterval(() => void descendants.look(), LOOK_MS);
  ended.addEventListener("abort", stop);
  try {
    const exit = await exitStatusOf(child).catch((error: Error) => error);
    clearTimeout(timer);
    await stopping;
    const taken = await descendants.end();
    await Promise.race([closed, pause(OUTPUT_MS)]);
    if (exit instanceof Error) output += `${program}: ${exit.message}\n`;
    return { exitCode: exit instanceof Error ? NOT_FOUND : exit, isTimedOut, output, taken };
  } finally {
    clearTimeout(timer);
    clearInterval(looking);
    ended.removeEventListener("abort", stop);
  }
};

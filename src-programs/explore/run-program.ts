/** Runs the user's command, so that it ends with all that it has started. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { constants } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { shellWord } from "#contract/words/shell-words.ts";
import { IS_SINGLE } from "#server/program-files.ts";
import { Descendants, type Listening, MARK_VARIABLE } from "./processes.ts";

/** The command, and what ends it early. */
interface Command {
  readonly words: readonly string[];
  readonly ended: AbortSignal;
  /** @see startGuard */
  readonly guard: Guard;
}

/** How the command ended. */
interface Ending {
  readonly exitCode: number;
  readonly isTimedOut: boolean;
  readonly output: string;
  /** Who still listens on a port of what it started. */
  readonly taken: readonly Listening[];
}

const NOT_FOUND = 127;
/** What is kept of a program's output, in characters. */
const MOST_OUTPUT = 1_000_000;
/** How often it is looked what has been started. */
const LOOK_MS = process.platform === "linux" ? 1_000 : 4_000;
/** How long the rest of the output may take. */
const OUTPUT_MS = 500;
const isWindows = process.platform === "win32";

/** A process of its own that ends what commands have started, once this one has gone, however it went. */
export interface Guard {
  /** A command runs, or has ended. @param pid of the command. */
  note(pid: number, runs: boolean): void;
  /** All commands have ended. */
  over(): Promise<void>;
}

/** @param folder of the exploration, with which all marks begin; it is removed in the end. */
export const startGuard = (folder: string): Guard => {
  const script = IS_SINGLE ? [] : process.argv.slice(1, 2);
  const words = [...script, "explore", "--guard", "--", folder];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "ignore", "ignore"], detached: true });
  const gone = once(child, "close").catch(() => undefined);
  child.stdin.on("error", () => undefined);
  const pids = new Set<number>();
  return {
    note: (pid, runs) => {
      if (runs) pids.add(pid);
      else pids.delete(pid);
      child.stdin.write(`${[...pids].join(" ")}\n`);
    },
    over: async () => {
      child.stdin.end();
      await gone;
    },
  };
};

/** What the guard does. @param input the ids of the commands that run, a line for each change. @returns 0. */
export const guard = async (folder: string, input: AsyncIterable<Buffer>): Promise<number> => {
  let text = "";
  for await (const chunk of input) text += chunk.toString();
  const pids = (text.split("\n").at(-2) ?? "").split(" ").filter(Boolean).map(Number);
  const descendants = new Descendants(folder);
  await Promise.all(pids.map((pid) => descendants.interrupt(pid)));
  await descendants.end();
  await rm(folder, { recursive: true, force: true });
  return 0;
};

const exitOf = async (child: ChildProcess): Promise<number | Error> =>
  await new Promise((end) => {
    child.on("error", end);
    child.on("exit", (status, signal) => end(signal === null ? (status ?? 1) : 128 + constants.signals[signal]));
  });

/** @param mark of all that it starts. @param shown whether its output goes to the terminal, or is kept. @returns how the command ended, and all that it started. */
export const runProgram = async (
  { words: [program = "", ...args], ended, guard: guarded }: Command,
  mark: string,
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
  shown: boolean,
): Promise<Ending> => {
  const out = shown ? "inherit" : "pipe";
  const given = isWindows ? args.map((arg) => shellWord(arg, "win32")) : args;
  // A group of its own: Ctrl+C reaches it only through us, and then all of it.
  const child = spawn(program, given, {
    stdio: ["ignore", out, out],
    env: { ...env, [MARK_VARIABLE]: mark },
    shell: isWindows,
    detached: !isWindows,
  });
  const { pid } = child;
  if (pid !== undefined) guarded.note(pid, true);
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
    const exit = await exitOf(child);
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
    if (pid !== undefined) guarded.note(pid, false);
  }
};

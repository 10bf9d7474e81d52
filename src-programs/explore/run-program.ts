/** Runs the user's command in a group of its own, so that it ends with all that it has started. */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { shellWord } from "#contract/words/shell-words.ts";

/** The command, and what ends it early. */
interface Command {
  readonly words: readonly string[];
  readonly ended: AbortSignal;
}

/** How the command ended. */
interface Ending {
  readonly exitCode: number;
  readonly isTimedOut: boolean;
  readonly output: string;
}

const NOT_FOUND = 127;
/** What is kept of a program's output, in characters. */
const MOST_OUTPUT = 1_000_000;
const isWindows = process.platform === "win32";

/** Ends a program with all that it has started. */
const kill = (child: ChildProcess): void => {
  if (child.pid === undefined) return;
  try {
    if (isWindows) spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore" });
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
};

/** @param shown whether its output goes to the terminal, or is kept. @returns how the command ended, and all that it started. */
export const runProgram = async (
  { words: [program = "", ...args], ended }: Command,
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
  shown: boolean,
): Promise<Ending> => {
  const out = shown ? "inherit" : "pipe";
  const given = isWindows ? args.map((arg) => shellWord(arg, "win32")) : args;
  // A group of its own, so that all of it can be ended.
  const child = spawn(program, given, { stdio: ["ignore", out, out], env, shell: isWindows, detached: !isWindows });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      if (output.length < MOST_OUTPUT) output += text;
    });
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    kill(child);
  }, timeoutMs);
  const stop = (): void => kill(child);
  ended.addEventListener("abort", stop);
  try {
    const exitCode = await new Promise<number>((end) => {
      child.on("error", (error) => {
        output += `${program}: ${error.message}\n`;
        end(NOT_FOUND);
      });
      child.on("exit", (status, signal) => end(signal === null ? (status ?? 1) : 128 + constants.signals[signal]));
    });
    return { exitCode, isTimedOut, output };
  } finally {
    clearTimeout(timer);
    ended.removeEventListener("abort", stop);
    // What it started and left behind.
    kill(child);
  }
};

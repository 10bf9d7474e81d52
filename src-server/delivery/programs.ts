/** Runs other programs: without a shell, with unmodified arguments, with a timeout, and killed at a stop. */
import type { ChildProcess, spawn } from "node:child_process";

/** One run of a program. */
export interface ProgramCall {
  /** Its name, looked up on the PATH; on Windows `adb` finds `adb.exe`. */
  readonly program: string;
  readonly args: readonly string[];
  /** Its standard input; absent: none. */
  readonly input?: string;
}

/** How a program ended. */
export type ProgramEnd =
  | { readonly how: "ended"; readonly status: number; readonly out: string; readonly err: string }
  /** It is not on the PATH, or could not be started: `why` is a sentence. */
  | { readonly how: "not started"; readonly why: string }
  /** It exceeded the timeout and was killed. */
  | { readonly how: "too slow" }
  /** The server is stopping. */
  | { readonly how: "stopped" };

/** Runs a program; never rejects. */
export type RunProgram = (call: ProgramCall) => Promise<ProgramEnd>;

/** @see createPrograms */
export interface ProgramOptions {
  /** Timeout of a run in milliseconds of real time. */
  readonly timeoutMs: number;
  /** The environment of the programs, including PATH; absent: our own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The running programs of one server. */
export interface Programs {
  readonly run: RunProgram;
  /** Kills running programs; later ones are not started. */
  stop(): void;
}

/** Maximum output in characters. */
const MOST_OUTPUT = 1_048_576;
/**
 * How long output may stay open after a program has ended, in milliseconds: on some systems the background server that
 * `adb` starts inherits it, and never closes it.
 */
const LINGER_MS = 250;

const whyNot = (program: string, error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return `${program} is not on the PATH of this server`;
  if (code === "EACCES" || code === "EPERM") return `${program} may not be run by this user`;
  return `${program} could not be started (${code === "" ? String(error) : code})`;
};

const collect = (stream: ChildProcess["stdout"]): (() => string) => {
  let text = "";
  stream?.setEncoding("utf8").on("data", (chunk: string) => {
    if (text.length < MOST_OUTPUT) text += chunk;
  });
  return () => text.slice(0, MOST_OUTPUT);
};

const letGo = (child: ChildProcess): void => {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  child.unref();
};

/** @returns functions that run programs and stop them all. */
export const createPrograms = ({ timeoutMs, env }: ProgramOptions): Programs => {
  const running = new Set<() => void>();
  let stopped = false;

  const start = (
    spawnProgram: typeof spawn,
    { program, args, input }: ProgramCall,
    settle: (end: ProgramEnd) => void,
  ): (() => void) => {
    const child = spawnProgram(program, args, { stdio: "pipe", windowsHide: true, shell: false, ...(env && { env }) });
    const [out, err] = [collect(child.stdout), collect(child.stderr)];
    let linger: NodeJS.Timeout | undefined;
    const end = (how: ProgramEnd): void => {
      clearTimeout(timeout);
      clearTimeout(linger);
      letGo(child);
      settle(how);
    };
    const kill = (how: ProgramEnd): void => {
      child.kill("SIGKILL");
      end(how);
    };
    const timeout = setTimeout(() => kill({ how: "too slow" }), timeoutMs);
    const ended = (status: number | null): void => end({ how: "ended", status: status ?? -1, out: out(), err: err() });
    child.once("error", (error) => end({ how: "not started", why: whyNot(program, error) }));
    child.once("close", ended);
    child.once("exit", (status) => {
      // The immediate runs after the pipe has been read, however late a busy loop reaches the timer.
      linger = setTimeout(() => setImmediate(() => ended(status)), LINGER_MS);
    });
    // It may exit without reading its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input ?? "");
    return () => kill({ how: "stopped" });
  };

  return {
    run: async (call) => {
      // Lazy: most servers start no program, and the import would slow their start.
      const { spawn } = await import("node:child_process");
      return new Promise((resolve) => {
        if (stopped) return resolve({ how: "stopped" });
        let stop: () => void = () => undefined;
        try {
          stop = start(spawn, call, (end) => {
            running.delete(stop);
            resolve(end);
          });
          running.add(stop);
        } catch (error) {
          resolve({ how: "not started", why: whyNot(call.program, error) });
        }
      });
    },
    stop: () => {
      stopped = true;
      for (const stop of [...running]) stop();
    },
  };
};

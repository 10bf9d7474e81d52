/** Runs other programs: without a shell, with unmodified arguments, with a timeout, and killed at a stop. */
import type { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import type { ProgramCall, ProgramEnd, Programs } from "#http/ports.ts";

/** @see createPrograms */
export interface ProgramOptions {
  /** Timeout of a run in milliseconds of real time. */
  readonly timeoutMs: number;
  /** The environment of the programs, including PATH; absent: our own. */
  readonly env?: Readonly<Record<string, string>>;
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

const collect = (stream: Readable): (() => string) => {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    if (text.length < MOST_OUTPUT) text += chunk;
  });
  return () => text.slice(0, MOST_OUTPUT);
};

/** @returns functions that run programs and stop them all. */
export const createPrograms = ({ timeoutMs, env }: ProgramOptions): Programs => {
  /** What kills each running program. */
  const running = new Set<AbortController>();
  let isStopped = false;

  const start = (
    spawnProgram: typeof spawn,
    { program, args, input = "", timeoutMs: own = timeoutMs }: ProgramCall,
  ): Promise<ProgramEnd> =>
    new Promise((resolve) => {
      const killing = new AbortController();
      const child = spawnProgram(program, args, {
        stdio: "pipe",
        windowsHide: true,
        shell: false,
        signal: killing.signal,
        killSignal: "SIGKILL",
        ...(env && { env }),
      });
      const out = collect(child.stdout);
      const err = collect(child.stderr);
      let isLate = false;
      const limit = setTimeout(() => {
        isLate = true;
        killing.abort();
      }, own);
      running.add(killing);
      let linger: NodeJS.Timeout | undefined;
      const end = (how: ProgramEnd): void => {
        clearTimeout(limit);
        clearTimeout(linger);
        running.delete(killing);
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
        child.unref();
        resolve(how);
      };
      const ended = (status: number | null): void =>
        end({ how: "ended", status: status ?? -1, out: out(), err: err() });
      child.on("error", (error) => {
        if (isStopped) end({ how: "stopped" });
        else end(isLate ? { how: "too slow" } : { how: "not started", why: whyNot(program, error) });
      });
      child.once("close", ended);
      child.once("exit", (status) => {
        // The immediate runs after the pipe has been read, however late a busy loop reaches the timer.
        linger = setTimeout(() => setImmediate(() => ended(status)), LINGER_MS);
      });
      // It may exit without reading its input.
      child.stdin.on("error", () => undefined);
      child.stdin.end(input);
    });

  return {
    run: async (call) => {
      // Lazy: most servers start no program, and the import would slow their start.
      const { spawn } = await import("node:child_process");
      if (isStopped) return { how: "stopped" };
      return await start(spawn, call).catch((error) => ({ how: "not started", why: whyNot(call.program, error) }));
    },
    stop: () => {
      isStopped = true;
      for (const killing of running) killing.abort();
    },
  };
};

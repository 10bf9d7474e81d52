/** Runs other programs: without a shell, with unmodified arguments, with a timeout, and killed at a stop. */
import type { execFile } from "node:child_process";
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
/** What Node says of a program that it ended because of more. */
const TOO_MUCH = "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
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

/** @returns functions that run programs and stop them all. */
export const createPrograms = ({ timeoutMs, env }: ProgramOptions): Programs => {
  const stopping = new AbortController();

  const start = (
    run: typeof execFile,
    { program, args, input = "", timeoutMs: timeout = timeoutMs }: ProgramCall,
  ): Promise<ProgramEnd> =>
    new Promise((resolve) => {
      const { signal } = stopping;
      const how = { timeout, killSignal: "SIGKILL", maxBuffer: MOST_OUTPUT, windowsHide: true, signal } as const;
      let linger: NodeJS.Timeout | undefined;
      const child = run(program, args, { ...how, ...(env && { env }) }, (error, out, err) => {
        clearTimeout(linger);
        const { code = error === null ? 0 : -1, killed = false } = error ?? {};
        if (signal.aborted) resolve({ how: "stopped" });
        else if (killed && typeof code !== "string") resolve({ how: "too slow" });
        else if (typeof code === "string" && code !== TOO_MUCH)
          resolve({ how: "not started", why: whyNot(program, error) });
        else resolve({ how: "ended", status: typeof code === "number" ? code : -1, out, err });
      });
      const close = (): void => {
        for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      };
      child.once("exit", () => {
        // The immediate runs after the pipe has been read, however late a busy loop reaches the timer.
        linger = setTimeout(() => setImmediate(close), LINGER_MS);
      });
      // It may exit without reading its input.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
    });

  return {
    run: async (call) => {
      // Lazy: most servers start no program, and the import would slow their start.
      const { execFile } = await import("node:child_process");
      if (stopping.signal.aborted) return { how: "stopped" };
      return await start(execFile, call).catch((error) => ({ how: "not started", why: whyNot(call.program, error) }));
    },
    stop: () => stopping.abort(),
  };
};

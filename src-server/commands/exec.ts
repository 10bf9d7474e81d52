/** `stagedoor exec -- CMD`: runs a command with a temporary emulator (CONTRACT 7). */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { KIT_COMMANDS } from "#kits/commands.ts";
import { environment } from "#server/config.ts";
import type { RunningServer } from "#server/server.ts";
import type { Closing } from "./define.ts";
import { withEmulator } from "./emulator.ts";
import type { Io } from "./io.ts";
import { startOwn } from "./own-server.ts";
import { shellWord } from "./start-text.ts";

/**
 * @see exec. `import`: an export to start with, with volatile parts; `exportOnExit`: where to write the state after. Kits
 * add theirs.
 */
export interface ExecOptions extends Readonly<Record<string, unknown>> {
  readonly fixtures?: readonly string[];
  readonly import?: string;
  readonly exportOnExit?: string;
}

const PASSED_ON = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const;

const childEnvironment = async ({ urls, publicUrls }: RunningServer): Promise<Record<string, string | undefined>> => {
  const [app] = await withEmulator({ url: urls.console }, async ({ apps }) => (await apps.list()).items);
  return {
    ...environment(),
    STAGEDOOR_ADMIN_URL: urls.admin,
    STAGEDOOR_AUTH_URL: urls.auth,
    STAGEDOOR_CONSOLE_URL: urls.console,
    ...Object.fromEntries(
      Object.entries(publicUrls).map(([listener, url]) => [`STAGEDOOR_PUBLIC_${listener.toUpperCase()}_URL`, url]),
    ),
    STAGEDOOR_APP_ID: app?.appId,
    STAGEDOOR_APP_SECRET: app?.secret,
  };
};

/** Suppresses success messages, which would mix with the command's own output. */
const quiet = (io: Io): Io => ({ ...io, err: () => undefined });

/** Imports `--import` into a newly started server. @throws CommandError with all errors; the server is then closed. */
const importState = async (file: string, server: RunningServer, io: Io): Promise<void> => {
  const { seed } = await import("./seed.ts");
  await seed(quiet(io), [file], { url: server.urls.console, replace: true }).catch(async (error) => {
    await server.close();
    throw error;
  });
};

const exporting =
  (file: string): Closing =>
  async (server, io) => {
    const { exportState } = await import("./export.ts");
    return await exportState(quiet(io), file, { url: server.urls.console, volatile: true });
  };

/** @returns what the options ask for, in order. @throws CommandError */
const closingsOf = async (options: ExecOptions): Promise<readonly Closing[]> => {
  const { exportOnExit } = options;
  const closings = await Promise.all(KIT_COMMANDS.map(({ exec: more }) => more?.closing(options)));
  const own = exportOnExit === undefined ? [] : [exporting(exportOnExit)];
  return [...own, ...closings.filter((closing) => closing !== undefined)];
};

/** @returns the status of the command, or 1 if it was 0 and something failed. */
const closedBy = async (closing: Closing, server: RunningServer, status: number, io: Io): Promise<number> => {
  const done = await closing(server, io).catch((error: unknown) => {
    io.err(error instanceof Error ? error.message : String(error));
    return 1;
  });
  return status === 0 ? done : status;
};

const statusOf = (child: ChildProcess, command: string, io: Io): Promise<number> =>
  new Promise((resolve) => {
    child.on("error", (error) => {
      const missing = "code" in error && error.code === "ENOENT";
      io.err(`${command}: ${missing ? "command not found" : error.message}`);
      resolve(missing ? 127 : 126);
    });
    child.on("exit", (status, signal) => resolve(signal === null ? (status ?? 1) : 128 + constants.signals[signal]));
  });

/**
 * Runs a command with an emulator on free ports and data in memory, passing its URLs in the environment.
 * @returns its exit status; 128 plus the number of the signal that ended it; 127 if the program does not exist, 126 if
 * it cannot be run. @throws CommandError if the emulator does not start.
 */
export const exec =
  (version: string) =>
  async (io: Io, [program = "", ...args]: readonly string[], options: ExecOptions): Promise<number> => {
    let child: ChildProcess | undefined;
    const waiting: NodeJS.Signals[] = [];
    for (const signal of PASSED_ON)
      process.on(signal, () => {
        // A terminal sends ^C and ^\ to the command itself: do not send them twice.
        if ((signal === "SIGINT" || signal === "SIGQUIT") && process.stdin.isTTY) return;
        if (child === undefined) waiting.push(signal);
        else child.kill(signal);
      });
    const { import: state, fixtures } = options;
    const closings = await closingsOf(options);
    // Notices would mix with the command's own output.
    const server = await startOwn({ fixtures, tls: undefined }, { log: (line) => io.err(line), version });
    if (state !== undefined) await importState(state, server, io);
    const shell = process.platform === "win32";
    // A quoted name from the PATH would make cmd.exe pass batch files such as npm.cmd a wrong folder of their own.
    const quoted = shell && /\s/.test(program) ? shellWord(program, "win32") : program;
    const words = shell ? args.map((arg) => shellWord(arg, "win32")) : args;
    child = spawn(quoted, words, { stdio: "inherit", env: await childEnvironment(server), shell });
    const ended = statusOf(child, program, io);
    for (const signal of waiting) child.kill(signal);
    const status = await ended;
    let last = status;
    for (const closing of closings) last = await closedBy(closing, server, last, io);
    await server.close();
    return last;
  };

/** `stagedoor exec -- CMD`: what it does in each of its states (`exec-states.ts`) with a temporary emulator. */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { shellWord } from "#contract/words/shell-words.ts";
import type { Closing, FeatureCommands } from "#server/plumbing/define.ts";
import { type Io, printable, wrongUsage } from "#server/plumbing/io.ts";
import { given } from "#server/plumbing/options.ts";
import { tryWhole } from "#server/plumbing/write-whole.ts";
import type { RunningServer } from "#server/server.ts";
import { childEnvironment, exitStatusOf, importState, NOT_FOUND } from "./child.ts";
import { namesGiven } from "./env-names.ts";
import { ExecSignals, thisProcess } from "./exec-signals.ts";
import { runStates } from "./exec-states.ts";
import { type FailureOptions, failuresOf } from "./failed-logins.ts";
import { startOwn } from "./own-server.ts";

/** `exportOnExit`: where to write the state. Features add theirs. */
interface ResultOptions extends Readonly<Record<string, unknown>> {
  readonly exportOnExit?: string;
}

/** Suppresses success messages, which would mix with the command's own output. */
const quiet = (io: Io): Io => ({ ...io, err: () => undefined });

const exporting =
  (file: string): Closing =>
  async ({ urls }, io) => {
    const { exportState } = await import("./export.ts");
    return await exportState(quiet(io), file, { url: urls.console, volatile: true });
  };

/**
 * Makes the folders of the files to write, and tries whether they can be written.
 * @param added what features and programs add to `exec`. @returns what the options ask for, in order. @throws CommandError
 */
const resultsOf = async (options: ResultOptions, added: readonly FeatureCommands[]): Promise<readonly Closing[]> => {
  const { exportOnExit } = options;
  if (exportOnExit !== undefined) await tryWhole(exportOnExit);
  const ofKits = await Promise.all(added.map(({ exec }) => exec?.closing(options)));
  const own = exportOnExit === undefined ? [] : [exporting(exportOnExit)];
  return [...own, ...ofKits.filter((closing) => closing !== undefined)];
};

/** @returns the status of the command, or 1 if it was 0 and the result failed. */
const statusWith = async (
  result: (...given: [...Parameters<Closing>, status: number]) => Promise<number>,
  server: RunningServer,
  status: number,
  io: Io,
): Promise<number> => {
  const done = await result(server, io, status).catch((error: unknown) => {
    io.err(error instanceof Error ? error.message : String(error));
    return 1;
  });
  return status === 0 ? done : status;
};

/** @see exec. `import`: an export to start with, with volatile parts. `map`, `rest`, `country` as of `start`. */
export interface ExecOptions extends ResultOptions, FailureOptions {
  readonly fixtures?: readonly string[];
  /** Each `NAME=authUrl`. */
  readonly env?: readonly string[];
  readonly import?: string;
  readonly map?: readonly string[];
  readonly rest?: string;
  readonly country?: string;
  readonly encoding?: string;
  readonly duplicates?: string;
  readonly adminPort?: string;
  readonly authPort?: string;
  readonly consolePort?: string;
}

/** The exit status of a command that does not run, as of a shell. */
const NOT_RUNNABLE = 126;

/** @returns the state to start with; undefined if there is none, or a first run has yet to write it. */
const stateToImport = ({ import: file, exportOnExit }: ExecOptions): string | undefined => {
  if (file === undefined || exportOnExit === undefined) return file;
  const isFirst = resolve(file) === resolve(exportOnExit) && !existsSync(file);
  return isFirst ? undefined : file;
};

/** @returns the arguments of a command; Newman reads no environment, so it gets the console's URL as a variable. */
const forNewman = ([program, ...args]: readonly string[], env: NodeJS.ProcessEnv): readonly string[] => {
  const isNewman = /(?:^|[\\/])newman(?:\.cmd)?$/.test(program ?? "") && args[0] === "run";
  const isGiven = args.some((arg) => arg.startsWith("consoleUrl="));
  return isNewman && !isGiven ? [...args, "--env-var", `consoleUrl=${env["STAGEDOOR_CONSOLE_URL"]}`] : args;
};

/** Prints why a command could not be run. @returns its exit status. */
const cannotStart = (error: unknown, [program, ...args]: readonly [string, ...string[]], io: Io): number => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isMissing = code === "ENOENT" || code === "ENOTDIR";
  const why = isMissing ? "command not found" : error instanceof Error ? error.message : String(error);
  const isLine = isMissing && args.length === 0 && /\S\s+\S/.test(program);
  const how = isLine ? `. Write the command without quotes: stagedoor exec -- ${printable(program)}` : "";
  io.err(`${printable(program)}: ${why}${how}`);
  return isMissing ? NOT_FOUND : NOT_RUNNABLE;
};

/** Runs the command. @returns its status, or why it could not be run. */
const runCommand = async (
  words: readonly [program: string, ...args: readonly string[]],
  env: NodeJS.ProcessEnv,
  signals: ExecSignals,
  io: Io,
): Promise<number> => {
  const [program, ...args] = words;
  const shell = process.platform === "win32";
  // A quoted name from the PATH would make cmd.exe pass batch files such as npm.cmd a wrong folder.
  const quoted = shell && /\s/.test(program) ? shellWord(program, "win32") : program;
  const given = shell ? args.map((arg) => shellWord(arg, "win32")) : args;
  try {
    const child = spawn(quoted, given, { stdio: "inherit", env, shell });
    return await signals.passTo(child, exitStatusOf(child));
  } catch (error) {
    return cannotStart(error, words, io);
  }
};

/**
 * Runs a command with an emulator on free ports and data in memory, passing its URLs in the environment.
 * @param added what features and programs add. @returns its exit status; 128 plus the number of the signal that ended it, or that ended `exec` before or after it;
 * 127 if the program does not exist, 126 if it cannot be run; 1 if it was 0 and a result failed.
 * @throws CommandError if an option is wrong, a file cannot be read or written, or the emulator does not start.
 */
export const exec =
  (version: string, added: readonly FeatureCommands[]) =>
  async (io: Io, [program = "", ...args]: readonly string[], options: ExecOptions): Promise<number> => {
    if (program === "") throw wrongUsage("The command is empty.");
    const signals = new ExecSignals(thisProcess());
    let state: string | undefined;
    const named = namesGiven(options.env ?? [], "--env");
    return await runStates<RunningServer, NodeJS.ProcessEnv>(
      {
        look: async () => {
          const results = await resultsOf(options, added);
          const failures = await failuresOf(options, [program, ...args]);
          state = stateToImport(options);
          return [...results, failures].map((result) => (server, status) => statusWith(result, server, status, io));
        },
        start: async (signal) => {
          const { fixtures, map, rest, country, encoding, duplicates, adminPort, authPort, consolePort } = options;
          const ports = given({ adminPort, authPort, consolePort });
          const own = { fixtures, map, rest, country, encoding, duplicates, ...ports, tls: undefined };
          return await startOwn(own, { log: (line) => io.err(line), version, signal });
        },
        prepare: async (server) => {
          for (const notice of server.notices) io.err(notice);
          if (state !== undefined) await importState(state, server, io);
          return await childEnvironment(server, named, options.fixtures !== undefined);
        },
        run: async (env) => await runCommand([program, ...forNewman([program, ...args], env)], env, signals, io),
        close: async (server) => await server.close(),
      },
      signals,
    );
  };

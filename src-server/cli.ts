/** The command line. Each command is in `commands/`, and loaded only when it runs. */

import type { Command } from "commander";
import { spareLoopback } from "#client/environment.ts";
import pkg from "../package.json" with { type: "json" };
import { colorsWanted } from "./config.ts";
import { namingCommands } from "./plumbing/called-as.ts";
import { CommandError, type Io, replacedLines, terminalJson, terminalText } from "./plumbing/io.ts";
import { createProgram } from "./program.ts";
import { IS_SINGLE } from "./program-files.ts";
import { readStream } from "./user-file.ts";
import { commandPrefix, variablesNotice } from "./variables.ts";

const { version } = pkg;

/** Lines of standard input, from the first prompt on. */
let typed: AsyncIterator<string> | undefined;

const colors = process.stdout.isTTY && colorsWanted();
/** How many lines of progress are shown; 0: none. */
let lines = 0;
const progress = (text: string): void => {
  if (!process.stderr.isTTY) return;
  process.stderr.write(replacedLines(lines, text, process.stderr.columns));
  lines = text === "" ? 0 : text.split("\n").length;
};
/** What is written to a file stays as it is, such as a helper for tests. */
const asTyped = namingCommands(commandPrefix());
const io: Io = {
  out: (text) => void process.stdout.write(terminalText(process.stdout.isTTY ? asTyped(text) : text, colors)),
  err: (line) => {
    if (lines > 1) progress("");
    console.error(terminalText(asTyped(line), false));
  },
  json: (value, indent) => void process.stdout.write(`${terminalJson(JSON.stringify(value, null, indent))}\n`),
  progress,
  input: (mostBytes) => readStream(process.stdin, mostBytes),
  ask: async (question) => {
    process.stderr.write(terminalText(question, false));
    const { createInterface } = await import("node:readline");
    typed ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const line = await typed.next();
    return line.done === true ? null : line.value;
  },
};

/** Prints why a command failed, never as a bare stack. @returns its exit status. */
const tell = (error: unknown): number => {
  if (error instanceof CommandError) {
    io.err(error.message);
    return error.exitStatus;
  }
  // What the system refuses is no defect.
  const isOfSystem = error instanceof Error && "syscall" in error;
  if (isOfSystem) io.err(error.syscall === "uv_cwd" ? "The working directory no longer exists." : error.message);
  else io.err(`Stagedoor failed unexpectedly. ${error instanceof Error ? error.stack : String(error)}`);
  return 1;
};

/** Runs a command, then exits with its status once all output is written. */
const run = async (command: () => Promise<number>): Promise<void> => {
  spareLoopback();
  try {
    const notice = variablesNotice();
    if (notice !== undefined) io.err(notice);
    process.exitCode = await command();
  } catch (error) {
    io.progress("");
    process.exitCode = tell(error);
  }
  // Otherwise the process would wait for more input.
  if (typed !== undefined) process.stdin.destroy();
};

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs a task until it is interrupted or its output is closed. A second signal ends the process. */
const untilSignal = async (task: (ended: AbortSignal) => Promise<number>): Promise<number> => {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  for (const signal of SIGNALS) process.once(signal, end);
  process.stdout.once("error", end);
  try {
    return await task(ended.signal);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, end);
    process.stdout.removeListener("error", end);
  }
};

/** @returns what to say instead of the name of an argument that is missing: which actions there are. */
const missingAction = ({ registeredArguments: [first], args }: Command): string | undefined => {
  const choices = first?.required === true && args.length === 0 ? first.argChoices : undefined;
  return choices && `Say what to do: ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}.\n`;
};

const program = createProgram({ version, io, run, untilSignal, called: process.argv.slice(IS_SINGLE ? 2 : 1) });
for (const command of [program, ...program.commands])
  command
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => void process.stderr.write(terminalText(asTyped(text), false)),
      outputError: (text, write) => write(missingAction(command) ?? text),
    })
    // Everything that commander itself rejects is a usage error.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));

// A closed pipe (`| head`) is not a failure, and must not stop the server.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

/** The command. Its arguments are explicit, because under Electron commander would guess wrong where they begin. */
export const ended = program.parseAsync(process.argv.slice(2), { from: "user" });

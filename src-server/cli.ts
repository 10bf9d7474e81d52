/** The command line (CONTRACT 7). The commands are in `commands/`, each loaded only when it runs. */
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { Command } from "commander";
import pkg from "../package.json" with { type: "json" };
import { definer, type Shell, STATUSES } from "./commands/define.ts";
import { defineBehaviour } from "./commands/define-behaviour.ts";
import { defineData } from "./commands/define-data.ts";
import { defineNetwork } from "./commands/define-network.ts";
import { defineRunning } from "./commands/define-running.ts";
import { defineServer } from "./commands/define-server.ts";
import { CommandError, type Io, terminalJson, terminalText } from "./commands/io.ts";
import { colorsWanted } from "./config.ts";
import { unknownVariablesNotice } from "./variables.ts";

const { version } = pkg;

/** The lines of standard input, from the first question on. */
let typed: AsyncIterator<string> | undefined;

const colors = process.stdout.isTTY && colorsWanted();
const io: Io = {
  out: (text) => void process.stdout.write(terminalText(text, colors)),
  err: (line) => console.error(terminalText(line, false)),
  json: (text) => void process.stdout.write(terminalJson(text)),
  progress: (line) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${terminalText(line, false)}\u001B[K`);
  },
  input: () => buffer(process.stdin),
  ask: async (question) => {
    process.stderr.write(terminalText(question, false));
    typed ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const line = await typed.next();
    return line.done === true ? null : line.value;
  },
};

/** Runs a command and ends the process with its status once all is written. */
const run = async (command: () => Promise<number>): Promise<void> => {
  const notice = unknownVariablesNotice();
  if (notice !== undefined) io.err(notice);
  try {
    process.exitCode = await command();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    io.progress("");
    io.err(error.message);
    process.exitCode = error.exitStatus;
  }
  // Otherwise the process would wait for more of it.
  if (typed !== undefined) process.stdin.destroy();
};

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs what goes on until it is interrupted, or nobody reads it any more. A second signal ends the process. */
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

const program = new Command("stagedoor")
  .description("A local emulator of a User Profile and Session Service.")
  .version(version)
  .enablePositionalOptions()
  .configureOutput({
    writeOut: (text) => io.out(text),
    writeErr: (text) => void process.stderr.write(terminalText(text, false)),
  })
  .addHelpText(
    "before",
    "Examples:\n  $ stagedoor start                   the emulator, in this terminal" +
      "\n  $ stagedoor passcode +12025550100   the code that a user was sent" +
      "\n  $ stagedoor requests --why          what was refused, and what to change" +
      "\n  $ stagedoor exec -- npm test        tests beside an emulator of their own\n",
  )
  .addHelpText("after", `${STATUSES.slice(0, -1)}, 3 damaged data, 124 timed out.`)
  // Whatever commander itself refuses is wrong usage.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .helpCommand(false)
  .showHelpAfterError("Run with --help for usage.");

const shell: Shell = { version, io, run, untilSignal, called: process.argv.slice(1) };
const define = definer(program, version);
program.commandsGroup("Start and look after it:");
defineServer(define, shell);
program.commandsGroup("Use a running emulator:");
defineRunning(define, shell);
defineBehaviour(define, shell);
program.commandsGroup("Its data:");
defineData(define, shell);
program.commandsGroup("Devices and backends:");
defineNetwork(define, shell);

// A reader that closes early (`| head`) is not a failure and must not stop the server.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

// Explicit, because under Electron commander would guess a different start of the arguments.
await program.parseAsync(process.argv.slice(2), { from: "user" });

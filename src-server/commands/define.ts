/** Helpers for defining commands, shared by `define-….ts`. */
import type { Command } from "commander";
import type { Io } from "./io.ts";

/** The process of the command line. */
export interface Shell {
  readonly version: string;
  readonly io: Io;
  /** The arguments of the process: the script and what follows. */
  readonly called: readonly string[];
  /** Runs a command and exits with its status. */
  readonly run: (command: () => Promise<number>) => Promise<void>;
  /** Runs a task until it is interrupted or its output is closed. */
  readonly untilSignal: (task: (ended: AbortSignal) => Promise<number>) => Promise<number>;
}

/** At least one. */
type Examples = readonly [string, ...(readonly string[])];

/** Adds commands to a program. */
export interface Definer {
  /** @param examples shown first in its help. */
  readonly command: (usage: string, description: string, ...examples: Examples) => Command;
  /** A command for a running emulator. */
  readonly client: (usage: string, description: string, ...examples: Examples) => Command;
}

const SEE_HELP = "Run with --help for usage.";

const examples = new WeakMap<Command, readonly string[]>();

/** @returns the examples of a command, without the program name. */
export const examplesOf = (command: Command): readonly string[] => examples.get(command) ?? [];

/** The exit statuses of all commands (CONTRACT 13). */
export const STATUSES = "\nExit status: 0 done, 1 refused or failed, 2 wrong usage.";

/** The heading of the options that select an emulator. */
export const WHICH = "Which running emulator:";

/** @returns a definer of commands for the program. */
export const definer = (program: Command, version: string): Definer => {
  const command: Definer["command"] = (usage, description, ...shown) => {
    const made = program.command(usage).description(description).version(version).showHelpAfterError(SEE_HELP);
    examples.set(made, shown);
    return made.addHelpText("before", `Examples:\n${shown.map((line) => `  $ stagedoor ${line}\n`).join("")}`);
  };
  const client: Definer["client"] = (usage, description, ...shown) =>
    command(usage, description, ...shown)
      .optionsGroup(WHICH)
      .option("--url <URL>", "its console URL (or STAGEDOOR_CONSOLE_URL)")
      .option("--data <DIR>", "its data folder (or STAGEDOOR_DATA)")
      .optionsGroup("Options:")
      .addHelpText(
        "after",
        "\nWithout --url and STAGEDOOR_CONSOLE_URL, the command uses the emulator that has the data folder open." +
          "\nIf the console is open to other machines, set its access token in STAGEDOOR_ACCESS_TOKEN.",
      );
  return { command, client };
};

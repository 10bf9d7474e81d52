/** How commands are defined: what they share, for the tables `define-….ts`. */
import type { Command } from "commander";
import type { Io } from "./io.ts";

/** The process of the command line, as commands use it. */
export interface Shell {
  readonly version: string;
  readonly io: Io;
  /** What the process was called with: the script and its arguments. */
  readonly called: readonly string[];
  /** Runs a command and ends the process with its status. */
  readonly run: (command: () => Promise<number>) => Promise<void>;
  /** Runs what goes on until it is interrupted, or nobody reads it any more. */
  readonly untilSignal: (task: (ended: AbortSignal) => Promise<number>) => Promise<number>;
}

/** Every command has one. */
type Examples = readonly [string, ...(readonly string[])];

/** Makes commands of a program. */
export interface Definer {
  /** @param examples shown before all else in its help. */
  readonly command: (usage: string, description: string, ...examples: Examples) => Command;
  /** A command that talks to a running emulator. */
  readonly client: (usage: string, description: string, ...examples: Examples) => Command;
}

const SEE_HELP = "Run with --help for usage.";

const examples = new WeakMap<Command, readonly string[]>();

/** @returns the examples of a command, without the name of the program. */
export const examplesOf = (command: Command): readonly string[] => examples.get(command) ?? [];

/** The statuses that all commands share (CONTRACT 13). */
export const STATUSES = "\nExit status: 0 done, 1 refused or failed, 2 wrong usage.";

/** The heading of the options that say which emulator a command uses. */
export const WHICH = "Which running emulator:";

/** @returns what makes commands of the program. */
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

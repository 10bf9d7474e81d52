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

/** Makes commands of a program. */
export interface Definer {
  /** @param examples shown before all else in its help. */
  readonly command: (usage: string, description: string, ...examples: readonly string[]) => Command;
  /** A command that talks to a running emulator. */
  readonly client: (usage: string, description: string, ...examples: readonly string[]) => Command;
}

const SEE_HELP = "Run with --help for usage.";

/** The statuses that all commands share (CONTRACT 13). */
export const STATUSES = "\nExit status: 0 done, 1 refused or failed, 2 wrong usage.";

/** @returns what makes commands of the program. */
export const definer = (program: Command, version: string): Definer => {
  const command: Definer["command"] = (usage, description, ...examples) => {
    const made = program.command(usage).description(description).version(version).showHelpAfterError(SEE_HELP);
    if (examples.length === 0) return made;
    return made.addHelpText("before", `Examples:\n${examples.map((line) => `  $ stagedoor ${line}\n`).join("")}`);
  };
  const client: Definer["client"] = (usage, description, ...examples) =>
    command(usage, description, ...examples)
      .optionsGroup("The running emulator:")
      .option("--url <URL>", "its console URL (STAGEDOOR_CONSOLE_URL)")
      .option("--data <DIR>", "its data folder (STAGEDOOR_DATA)")
      .optionsGroup("Options:")
      .addHelpText(
        "after",
        "\nWithout --url and STAGEDOOR_CONSOLE_URL, the command uses the emulator that has the data folder open. If the" +
          "\nconsole is open to other machines, set its access token in STAGEDOOR_ACCESS_TOKEN.",
      );
  return { command, client };
};

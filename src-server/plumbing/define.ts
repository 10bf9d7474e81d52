/** Helpers for defining commands, shared by `define-….ts`. */
import { type Command, Option } from "commander";
import { DUPLICATES } from "#contract/control/fixture-source.ts";
import { homeFolder } from "#server/config.ts";
import { userPaths } from "#server/user-path.ts";
import { type Io, printable } from "./io.ts";

/** The process of the command line. */
export interface Shell {
  readonly version: string;
  readonly io: Io;
  /** What starts this program again, without the path of Node: the script, if there is one, and its arguments. */
  readonly called: readonly string[];
  /** Runs a command and exits with its status. */
  readonly run: (command: () => Promise<number>) => Promise<void>;
  /** Runs a task until it is interrupted or its output is closed. */
  readonly untilSignal: (task: (ended: AbortSignal) => Promise<number>) => Promise<number>;
}

/** Adds a command to a program. Its usage, its description, and at least one example, shown first in its help. */
type Add = (usage: string, description: string, ...examples: readonly [string, ...(readonly string[])]) => Command;

/** Loads a command when it runs, which gets the terminal, what else it needs (`H`), then arguments and options. */
type Load<H extends readonly unknown[], A extends readonly unknown[]> = () => Promise<
  (io: Io, ...given: [...H, ...A]) => Promise<number>
>;

/** The option of all commands that print a result. */
export const JSON_LINE = ["--json", "print the result as one line of JSON"] as const;

/** Options for users in other forms than fixtures, without their defaults. @returns the command. */
export const withColumns = (made: Command): Command =>
  made
    .addOption(
      new Option(
        "--map <COLUMN=FIELD>",
        "what a column becomes; may be repeated, and “Column=” leaves it out",
      ).argParser((text, before: readonly string[] | undefined) => [...(before ?? []), text]),
    )
    .addOption(
      new Option("--rest <HOW>", "what other columns become (default: metadata)").choices(["metadata", "drop"]),
    )
    .option("--country <CODE>", "of phone numbers in national format, such as US")
    .option("--encoding <NAME>", "of files that are not UTF-8, such as windows-1250 or shift_jis")
    .addOption(
      new Option(
        "--duplicates <WHICH>",
        "which of several rows that differ about one user to take (default: none)",
      ).choices(DUPLICATES),
    );

/** Adds options that a version before had, for one version. @param gone what to do now, by flags. */
export const withGone = (made: Command, gone: Readonly<Record<string, string>>): void => {
  for (const [flags, now] of Object.entries(gone)) {
    const option = new Option(flags, `removed: ${now}`).hideHelp();
    made.addOption(option);
    made.on(`option:${option.name()}`, () => made.error(`error: option '${flags}' was removed: ${now}`));
  }
};

/** How to get help after a usage error. */
export const SEE_HELP = "Run with --help for usage.";

const examples = new WeakMap<Command, readonly string[]>();

/** @returns the examples of a command, without the program name. */
export const examplesOf = (command: Command): readonly string[] => examples.get(command) ?? [];

/** The exit statuses of all commands. */
export const STATUSES = "\nExit status: 0 done, 1 rejected or failed, 2 wrong usage.";

/** The heading of the options that select an emulator. */
export const WHICH = "Which running Stagedoor:";

/** How the help calls values and arguments that are paths. */
const PATHS = /(?:^|[<[])(?:FILE|DIR)\b/;

/** Reads the paths of a command as they are meant: `--data=~/x` reaches it as it is. Ends it if one cannot be. */
const readPaths = (called: Command): void => {
  const home = homeFolder();
  const read = (value: unknown, name: string): unknown => {
    const paths = userPaths(value, home);
    return "error" in paths ? called.error(printable(`${name} ${paths.error}`)) : paths.value;
  };
  for (const option of called.options) {
    const name = option.attributeName();
    const value: unknown = called.getOptionValue(name);
    if (PATHS.test(option.flags) && value !== undefined)
      called.setOptionValueWithSource(name, read(value, option.long ?? name), called.getOptionValueSource(name));
  }
  called.registeredArguments.forEach((argument, at) => {
    if (PATHS.test(argument.name())) called.processedArgs[at] = read(called.processedArgs[at], argument.name());
  });
};

/** @returns what defines the commands of a program. */
export const definer = (program: Command, { version, io, run, untilSignal }: Shell) => {
  const command: Add = (usage, description, ...shown) => {
    const made = program.command(usage).description(description).version(version).showHelpAfterError(SEE_HELP);
    made.hook("preAction", (_, called) => readPaths(called));
    examples.set(made, shown);
    return made.addHelpText("before", `Examples:\n${shown.map((line) => `  $ stagedoor ${line}\n`).join("")}`);
  };
  /** A command for a running emulator. */
  const client: Add = (usage, description, ...shown) =>
    command(usage, description, ...shown)
      .optionsGroup(WHICH)
      .option("--url <URL>", "its console URL (or STAGEDOOR_CONSOLE_URL)")
      .option("--data <DIR>", "its data folder (or STAGEDOOR_DATA)")
      .optionsGroup("Options:")
      .addHelpText(
        "after",
        "\nWithout --url and STAGEDOOR_CONSOLE_URL, the command uses the Stagedoor that has the data folder open." +
          "\nIf the console is open to other machines, set its access token in STAGEDOOR_ACCESS_TOKEN.",
      );
  const action = <A extends readonly unknown[]>(load: Load<[], A>) => {
    return (...given: A): Promise<void> => run(async () => (await load())(io, ...given));
  };
  /** The action of a command that ends when it is interrupted, or its output is closed. */
  const longAction = <A extends readonly unknown[]>(load: Load<[ended: AbortSignal], A>) => {
    const task = async (given: A): Promise<number> => {
      const start = await load();
      return await untilSignal((ended) => start(io, ended, ...given));
    };
    return (...given: A): Promise<void> => run(() => task(given));
  };
  return { command, client, action, longAction } as const;
};

export type Definer = ReturnType<typeof definer>;

/** What to do with the server of `exec` once its command has ended. @returns 0, or 1 if that failed. */
export type Closing = (server: { readonly urls: { readonly console: string } }, io: Io) => Promise<number>;

/** A heading of the help, under which commands stand. */
export type CommandGroup =
  | "Start and maintain:"
  | "Use a running Stagedoor:"
  | "Data of a running Stagedoor:"
  | "Devices and backends:"
  | "Your shell:";

/** @param address the console URL for a browser. @returns words, and an address to go to. */
export type StartedLine = (address: string) => readonly [words: string, address: string];

/** What a feature adds to the command line. */
export interface FeatureCommands {
  /** The heading under which its commands stand in the help. */
  readonly group: CommandGroup;
  readonly define: (definer: Definer, shell: Shell, program: Command) => void;
  /** A line that `start` prints. */
  readonly started?: StartedLine;
  /** What it adds to `exec`. */
  readonly exec?: {
    readonly examples: readonly string[];
    readonly options: readonly (readonly [flags: string, help: string])[];
    /** @param given all options. @returns what they ask for; undefined: nothing. @throws CommandError */
    closing(given: Readonly<Record<string, unknown>>): Promise<Closing | undefined>;
  };
}

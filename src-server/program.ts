/** The whole command line: every command in its group. */
import { Command } from "commander";
import { FEATURE_COMMANDS } from "#features/commands.ts";
import { commands as autofill } from "#programs/autofill/commands.ts";
import { commands as completion } from "#programs/completion/commands.ts";
import { commands as conform } from "#programs/conform/commands.ts";
import { commands as doctor } from "#programs/doctor/commands.ts";
import { commands as explore } from "#programs/explore/commands.ts";
import { commands as helper } from "#programs/helper/commands.ts";
import { commands as init } from "#programs/init/commands.ts";
import { commands as mcp } from "#programs/mcp/commands.ts";
import { commands as open } from "#programs/open/commands.ts";
import { commands as stage } from "#programs/stage/commands.ts";
import { defineData } from "./commands/define-data.ts";
import { defineRunning } from "./commands/define-running.ts";
import { defineServer } from "./commands/define-server.ts";
import {
  type CommandGroup,
  type Definer,
  definer,
  type FeatureCommands,
  SEE_HELP,
  type Shell,
  STATUSES,
} from "./plumbing/define.ts";
import { IS_SINGLE } from "./program-files.ts";

/** What features and programs add, in the order of the help. */
const ADDED: readonly FeatureCommands[] = [
  init,
  stage,
  helper,
  mcp,
  ...FEATURE_COMMANDS,
  autofill,
  open,
  conform,
  explore,
  doctor,
  completion,
];

/** What people call commands elsewhere. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  passcode: ["otp", "code"],
  seed: ["import", "load"],
  export: ["users"],
  requests: ["logs"],
  open: ["ui"],
};

/** @returns the program; no command runs before the arguments are parsed. */
export const createProgram = (shell: Shell): Command => {
  const program = new Command("stagedoor")
    .description("A local emulator of a User Profile and Session Service.")
    .version(IS_SINGLE ? `${shell.version} (single file, Node ${process.versions.node})` : shell.version)
    .enablePositionalOptions()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText(
      "before",
      "Examples:\n  $ stagedoor start                   start Stagedoor in this terminal" +
        "\n  $ stagedoor passcode +12025550100   print the code that a user was sent" +
        "\n  $ stagedoor requests --why          list requests, and explain the ones that failed" +
        "\n  $ stagedoor exec -- npm test        run tests with a temporary Stagedoor\n",
    )
    .addHelpText("after", `${STATUSES.slice(0, -1)}, 3 damaged data, 124 timed out.`)
    .helpCommand(false)
    .showHelpAfterError(SEE_HELP);
  const define = definer(program, shell);
  const group = (heading: CommandGroup, ...defines: readonly ((define: Definer) => void)[]): void => {
    program.commandsGroup(heading);
    for (const each of defines) each(define);
    for (const added of ADDED) if (added.group === heading) added.define(define, shell, program);
  };
  group("Start and maintain:", (all) => defineServer(all, shell, ADDED));
  group("Use a running Stagedoor:", defineRunning);
  group("Data of a running Stagedoor:", defineData);
  group("Devices and backends:");
  group("Your shell:");
  for (const one of program.commands) one.aliases(OTHER_NAMES[one.name()] ?? []);
  return program;
};

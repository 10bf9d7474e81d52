/** Defines `stagedoor open`. */
import { Option } from "commander";
import type { FeatureCommands } from "#server/plumbing/define.ts";

/** @see the file */
export const commands: FeatureCommands = {
  group: "Start and maintain:",
  define: ({ command, action }, { version }) => {
    command(
      "open",
      "open the console, or show a downloaded login or an exploration in a temporary one",
      "open",
      "open login.json",
    )
      .argument(
        "[FILE]",
        "a login, from a request in the console or GET /emulator/v1/requests/:id/bundle; or the JSON of `explore`",
      )
      .option("--no-open", "print the URL only, do not open a browser")
      .addOption(new Option("--headless", "the same as --no-open").hideHelp())
      .option("--console-port <N>", "console port (default: any free port)")
      .option("--json", "print a single line of JSON when ready")
      .action(action(async () => (await import("./command.ts")).open(version)));
  },
};

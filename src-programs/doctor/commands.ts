/** Defines `stagedoor doctor`. */
import type { FeatureCommands } from "#server/plumbing/define.ts";

/** @see the file */
export const commands: FeatureCommands = {
  group: "Start and maintain:",
  define: ({ command, action }, { version }) => {
    command("doctor", "diagnose problems on this machine and repair damaged data", "doctor", "doctor --repair")
      .option("--data <DIR>", "data folder (default: the platform's application data folder)")
      .option("--admin-port <N>", "admin port to check (default: 4010)")
      .option("--auth-port <N>", "auth port to check (default: 4011)")
      .option("--console-port <N>", "console port to check (default: 4012)")
      .option("--repair", "repair the data; damaged files are kept as NAME.damaged-WHEN")
      .option("--json", "print the findings as one line of JSON")
      .addHelpText("after", "\nExit status: 0 if there is no problem, otherwise 1.")
      .action(action(async () => (await import("./command.ts")).doctor(version)));
  },
};

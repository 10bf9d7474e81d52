/** Defines `stagedoor conform` (CONTRACT 12). */
import { frozen } from "#contract/frozen.ts";
import { JSON_LINE, type KitCommands } from "#server/commands/define.ts";

/** @see the file */
export const commands = frozen<KitCommands>({
  group: "Start and maintain:",
  define: ({ command, longAction }) => {
    command(
      "conform",
      "measure how a service behaves, the real one or another Stagedoor, and write settings that match",
      "conform --admin-url https://api.example.com --auth-url https://auth.example.com --app-id my-app --dry-run",
      "conform --admin-url http://127.0.0.1:4010 --auth-url http://127.0.0.1:4011 --app-id demo-app --out settings.json",
    )
      .optionsGroup("The service:")
      .option("--admin-url <URL>", "its admin URL")
      .option("--auth-url <URL>", "its auth URL")
      .option("--app-id <ID>", "the app to measure")
      .option("--secret-env <NAME>", "environment variable with the secret of the app", "STAGEDOOR_APP_SECRET")
      .optionsGroup("Passcodes:")
      .option("--username <TO>", "a user of yours, who may be sent codes and for whom wrong codes may be tried")
      .option("--codes-from <URL>", "console URL that has the codes; without it you are asked to type them")
      .optionsGroup("How it runs:")
      .option("--rate <N>", "requests per second", "2")
      .option("--dry-run", "print what would be asked, and ask nothing")
      .option("--yes", "do not ask for confirmation of the host")
      .optionsGroup("Results:")
      .option("--out <FILE>", "write the settings to this file")
      .option("--expect <FILE>", "compare with the settings of this file; a difference ends with status 1")
      .option("--report <FILE>", "write rows and requests to this file, secrets masked")
      .option(...JSON_LINE)
      .addHelpText(
        "after",
        "\nIt makes at most 30 profiles of its own, and deletes them, also after Ctrl+C or when it is run again." +
          "\nExit status: 0 done, 1 drift or failed, 2 wrong usage.",
      )
      .action(longAction(async () => (await import("./command.ts")).conformCommand));
  },
});

/** Defines `stagedoor conform`. */
import { type FeatureCommands, JSON_LINE } from "#server/plumbing/define.ts";

/** @see the file */
export const commands: FeatureCommands = {
  group: "Start and maintain:",
  define: ({ command, longAction }) => {
    command(
      "conform",
      "measure how the real service behaves, and write settings that match",
      "conform --admin-url https://api.example.com --auth-url https://auth.example.com --app-id my-app --dry-run",
      "conform --admin-url http://127.0.0.1:4010 --auth-url http://127.0.0.1:4011 --app-id demo-app --out settings.json",
    )
      .optionsGroup("The service:")
      .option("--admin-url <URL>", "its admin URL")
      .option("--auth-url <URL>", "its auth URL")
      .option("--app-id <ID>", "the app to measure")
      .option("--secret-env <NAME>", "environment variable with the secret of the app", "STAGEDOOR_APP_SECRET")
      .optionsGroup("Passcodes:")
      .option("--username <TO>", "one of your users, who will be sent codes and for whom one wrong code is entered")
      .option("--codes-from <URL>", "console URL to read the codes from; without it, you are asked to enter them")
      .optionsGroup("How it runs:")
      .option("--rate <N>", "requests per second", "2")
      .option("--dry-run", "print what would be asked, without asking it")
      .option("--yes", "do not ask for confirmation of the host")
      .optionsGroup("Results:")
      .option("--out <FILE>", "write the settings to this file")
      .option("--expect <FILE>", "compare with the settings of this file; a difference ends with status 1")
      .option("--report <FILE>", "write rows and requests to this file, secrets masked")
      .option(...JSON_LINE)
      .addHelpText(
        "after",
        "\nIt creates at most 30 profiles, and deletes them at the end, after Ctrl+C or at its next run." +
          "\nExit status: 0 done, 1 drift or failed, 2 wrong usage.",
      )
      .action(longAction(async () => (await import("./command.ts")).conformCommand));
  },
};

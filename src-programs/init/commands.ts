/** Defines `stagedoor init`. */
import { type FeatureCommands, JSON_LINE, withColumns } from "#server/plumbing/define.ts";

/** @see the file */
export const commands: FeatureCommands = {
  group: "Start and maintain:",
  define: ({ command, action }, { version }) => {
    const init = command(
      "init",
      "write a fixture file and a script for the project in this folder",
      "init",
      "init --dry-run",
      "init --country US",
    )
      .option("--dry-run", "only show what would be written")
      .option("--no-users", "write an example user, even if there is a CSV in the folder")
      .option(...JSON_LINE)
      .optionsGroup("A CSV in the folder:");
    withColumns(init)
      .addHelpText(
        "after",
        "\nShows and writes stagedoor.fixtures.jsonc, whose app names the CSV in the folder, if there is one, and the" +
          '\nscript "stagedoor" in package.json. A file or a script that exists is never changed, so nothing is asked.',
      )
      .action(action(async () => (await import("./command.ts")).init(version)));
  },
};

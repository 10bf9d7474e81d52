/** Defines `stagedoor explore`. */
import { Option } from "commander";
import { type FeatureCommands, withColumns } from "#server/plumbing/define.ts";

/** @see the file */
export const commands: FeatureCommands = {
  group: "Start and maintain:",
  define: ({ command, longAction }, { version }) => {
    const explore = command(
      "explore",
      "run a login again and again, each time with one request broken as networks do",
      "explore -- npm test",
      "explore --kinds lost,504,twice --jobs 2 --markdown matrix.md -- npx playwright test",
      "explore --only 'PUT session #1:lost' -- npm test",
    )
      .usage("[options] -- CMD [ARGS...]")
      .argument("<CMD...>")
      .optionsGroup("What to try:")
      .option("--kinds <LIST>", "only these, such as lost,504,twice (default: all)")
      .option("--only <STEP:KIND>", "one run, such as 'PUT session #1:lost', with the output of the command")
      .option("--every", "all requests are steps, not only the first of each operation and outcome")
      .option("--minutes <N>", "only as many runs as fit into so many minutes, the most informative first")
      .option("--known <FILE>", "the JSON of an earlier exploration: what failed there does not count as a failure")
      .optionsGroup("How it runs:")
      .option("--jobs <N>", "so many runs at the same time", "1")
      .option(
        "--repeat <N>",
        "so many runs of each; where they differ, 2/3 says how many passed, which is a failure",
        "1",
      )
      .option("--timeout <TIME>", "when a run has failed (default: three times the first run, at least 30s)")
      .optionsGroup("Results:")
      .option("--markdown <FILE>", "write the matrix as Markdown")
      .option("--json <FILE>", "write the result as JSON")
      .option("--junit <FILE>", "write a JUnit report")
      .option("--out <DIR>", "write the login of each failure, for `stagedoor open`, and the output of the command")
      .optionsGroup("The temporary Stagedoor:")
      .option("--fixtures <FILE...>", "fixture files to load")
      .option("--import <FILE>", "start with this state, as written by export")
      .option("--admin-port <N>", "admin port (default: any free port)")
      .option("--auth-port <N>", "auth port (default: any free port)")
      .option("--console-port <N>", "console port (default: any free port)")
      .addOption(new Option("--guard").hideHelp())
      .passThroughOptions()
      .addHelpText(
        "after",
        "\nEach run gets a new Stagedoor with the same fixtures, ids, codes and time; a running one is never used." +
          "\nExit status: 0 all runs passed or are known, 1 a new failure, 2 wrong usage or nothing tested, 130 after Ctrl+C; the command's" +
          "\nown if it fails without a failure of the network.",
      )
      .action(longAction(async () => (await import("./command.ts")).exploreCommand(version)));
    withColumns(explore.optionsGroup("Fixture files with users in other forms:"));
  },
};

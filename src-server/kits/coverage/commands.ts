/** Login coverage on the command line: `coverage`, and the options of `exec` (CONTRACT 15). */

import { frozen } from "#contract/frozen.ts";
import { JSON_LINE, type KitCommands } from "#server/commands/define.ts";

/** @see the file */
export const commands = frozen<KitCommands>({
  group: "Use a running emulator:",
  define: ({ client, action }) => {
    client(
      "coverage",
      "print which outcomes of a login were met, and how often",
      "coverage",
      "coverage --app demo-app --markdown",
      "coverage shard-1.json shard-2.json --fail-under 80 --junit coverage.xml",
    )
      .argument("[FILE...]", "add up these files of earlier runs instead (of --json, or exec --coverage-out)")
      .option("--app <ID>", "only this app (default: all, those that were deleted too)")
      .option("--markdown", "print a Markdown table")
      .option("--junit <FILE>", "also write a JUnit report; what was not met is skipped")
      .option("--fail-under <N>", "exit with 1 if fewer than N percent were met, and say how to meet the others")
      .option(...JSON_LINE)
      .action(action(async () => (await import("./command.ts")).coverage));
  },
  exec: {
    examples: ["exec --coverage=80 -- npm test"],
    options: [
      ["--coverage [N]", "print which outcomes of a login were met; exit with 1 if fewer than N percent were"],
      ["--coverage-out <FILE>", "write them as JSON, for `stagedoor coverage FILE...`"],
      ["--junit <FILE>", "write them as a JUnit report; what was not met is skipped"],
    ],
    closing: async (given) => {
      const isAsked = ["coverage", "coverageOut", "junit"].some((name) => given[name] !== undefined);
      return isAsked ? await (await import("./command.ts")).covering(given) : undefined;
    },
  },
});

/** Login coverage on the command line: `coverage`, and the options of `exec`. */

import { type FeatureCommands, JSON_LINE } from "#server/plumbing/define.ts";

export const commands: FeatureCommands = {
  group: "Use a running Stagedoor:",
  define: ({ client, action }) => {
    client(
      "coverage",
      "print which login outcomes are covered, and how often",
      "coverage",
      "coverage --app demo-app --markdown",
      "coverage shard-1.json shard-2.json --fail-under 80 --junit coverage.xml",
    )
      .argument("[FILE...]", "add up these files of earlier runs instead (of --json, or exec --coverage-out)")
      .option("--app <ID>", "only this app (default: all, including deleted ones)")
      .option("--markdown", "print a Markdown table")
      .option("--junit <FILE>", "also write a JUnit report; outcomes that are not covered count as skipped")
      .option("--fail-under <N>", "exit with 1 if coverage is below N percent, and list how to cover the rest")
      .option(...JSON_LINE)
      .action(action(async () => (await import("./command.ts")).coverage));
  },
  exec: {
    examples: ["exec --coverage=80 -- npm test"],
    options: [
      ["--coverage [N]", "print which login outcomes are covered; exit with 1 if coverage is below N percent"],
      ["--coverage-out <FILE>", "write coverage as JSON, for `stagedoor coverage FILE...`"],
      ["--junit <FILE>", "write coverage as a JUnit report; outcomes that are not covered count as skipped"],
    ],
    closing: async (given) => {
      const isAsked = ["coverage", "coverageOut", "junit"].some((name) => given[name] !== undefined);
      return isAsked ? await (await import("./command.ts")).covering(given) : undefined;
    },
  },
};

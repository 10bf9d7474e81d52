/** Defines `stagedoor helper`. */
import { type FeatureCommands, JSON_LINE, STATUSES } from "#server/plumbing/define.ts";

/** @see the file */
export const commands: FeatureCommands = {
  group: "Start and maintain:",
  define: ({ command, action }, { version }) => {
    command(
      "helper",
      "print a file for tests in another language: a separate app for each test",
      "helper",
      "helper pytest > stagedoor_pytest.py",
      "helper go --package login_test > stagedoor_test.go",
    )
      .argument("[NAME]", "pytest, junit5, go, rspec, phpunit or postman (default: list them)")
      .option("--example", "print tests that show what it can do")
      .option("--package <NAME>", "its package, for go and junit5")
      .option(...JSON_LINE)
      .addHelpText("after", `\nThe file needs only the standard library. Print it again after an update.${STATUSES}`)
      .action(action(async () => (await import("./command.ts")).helper(version)));
  },
};

/** Defines `stagedoor timeline` and `stagedoor rewind`. */
import { Option } from "commander";
import { type FeatureCommands, JSON_LINE } from "#server/plumbing/define.ts";

export const commands: FeatureCommands = {
  group: "Data of a running Stagedoor:",
  define: ({ client, action }) => {
    client("timeline", "list changes, newest first, with their number and request", "timeline --app demo-app")
      .option("--app <ID>", "only this app")
      .option("--user <ID>", "only this user")
      .option("--limit <N>", "maximum number of transactions (default: 20)")
      .option(...JSON_LINE)
      .action(action(async () => (await import("./command.ts")).timeline));

    client(
      "rewind",
      "return an app, or one user, to an earlier moment",
      "rewind --before 7f3b2a10-5f0e-4a55-9a0e-3f4f5a6b7c8d",
      "rewind --to 41 --app demo-app --clock then",
    )
      .option("--before <REQUEST>", "the moment right before this request, by its id in the request log")
      .option("--to <SEQ>", "the moment right after this change")
      .option("--undo <SEQ>", "undo only this change; fails if the same records were changed later")
      .option("--app <ID>", "the app; required if several could be meant")
      .option("--user <ID>", "only this user: profile, passcodes, sessions, connections")
      .addOption(new Option("--clock <HOW>", "then: also turn the clock back").choices(["keep", "then"]))
      .option("--dry-run", "show what it would change, without changing it")
      .option(...JSON_LINE)
      .action(action(async () => (await import("./command.ts")).rewind));
  },
};

/** Defines `stagedoor keys`. */
import { Argument, Option } from "commander";
import { KEY_ALGORITHMS } from "#contract/service/token-claims.ts";
import { type FeatureCommands, JSON_LINE } from "#server/plumbing/define.ts";

export const commands: FeatureCommands = {
  group: "Devices and backends:",
  define: ({ client, action }) => {
    client("keys", "list, rotate or retire the keys that sign tokens", "keys", "keys rotate --algorithm RS256")
      .addArgument(new Argument("[ACTION]", "what to do").choices(["list", "rotate", "retire"]).default("list"))
      .argument("[KID]", "the id of the key to retire: its tokens become invalid")
      .addOption(
        new Option("--algorithm <ALG>", "of the new key (default: that of apps without token.algorithm)").choices(
          KEY_ALGORITHMS,
        ),
      )
      .option(...JSON_LINE)
      .action(action(async () => (await import("./command.ts")).signingKeys));
  },
};

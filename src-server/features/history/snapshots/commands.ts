/** Defines `stagedoor snapshot`. */
import { Argument } from "commander";
import { type FeatureCommands, JSON_LINE } from "#server/plumbing/define.ts";

export const commands: FeatureCommands = {
  group: "Data of a running Stagedoor:",
  define: ({ client, action }) => {
    client("snapshot", "save and restore snapshots", "snapshot save before", "snapshot restore before")
      .addArgument(new Argument("<ACTION>", "what to do").choices(["save", "restore", "list", "delete"]))
      .argument("[NAME]", "name of the snapshot; none for list")
      .option("--app <ID>", "only this app")
      .option(...JSON_LINE)
      .action(action(async () => (await import("./command.ts")).snapshot));
  },
};

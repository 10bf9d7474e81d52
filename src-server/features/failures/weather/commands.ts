/** Defines `stagedoor weather`. */
import { frozen } from "#contract/frozen.ts";
import { type FeatureCommands, JSON_LINE } from "#server/plumbing/define.ts";

/** @see the file */
export const commands = frozen<FeatureCommands>({
  group: "Use a running Stagedoor:",
  define: ({ client, action }) => {
    client(
      "weather",
      "simulate network conditions: a tunnel, rush hour, a deployment",
      "weather",
      "weather tunnel --seed 42 --for 10m",
      "weather calm",
    )
      .argument("[NAME]", "tunnel, rush-hour, deploy, bad-clock, one from your fixtures, or calm (default: print it)")
      .option("--app <ID>", "only for this app")
      .option("--seed <SEED>", "the same seed and the same requests have the same weather (default: random)")
      .option("--for <TIME>", "end it after 90s, 10m, 2h (default: when it is turned off)")
      .option(...JSON_LINE)
      .action(action(async () => (await import("./command.ts")).weather));
  },
});

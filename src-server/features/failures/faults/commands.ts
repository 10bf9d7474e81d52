/** Defines `stagedoor fault` and `stagedoor weather`. */
import { Argument, Option } from "commander";
import { type FeatureCommands, JSON_LINE } from "#server/plumbing/define.ts";
import { CHANCE_OPTIONS, EFFECT_OPTIONS } from "./fault-options.ts";

export const commands: FeatureCommands = {
  group: "Use a running Stagedoor:",
  define: ({ client, action }) => {
    const fault = client(
      "fault",
      "make requests to admin or auth fail on purpose",
      "fault add --status 503 --times 3",
      "fault add --app demo-app --delay 5s",
      "fault add --to +12025550100 --undelivered",
      "fault clear",
    )
      .addArgument(new Argument("<ACTION>", "what to do").choices(["add", "list", "clear"]))
      .argument("[ID]", "for clear: the fault to turn off (default: all)")
      .option(...JSON_LINE)
      .optionsGroup("Which requests (add):")
      .option("--app <ID>", "requests of this app; with list and clear: the faults of this app")
      .addOption(new Option("--listener <NAME>", "requests to this listener").choices(["admin", "auth"]))
      .option("--method <METHOD>", "GET, POST, PUT or DELETE")
      .option("--path <PATH>", "a path such as /v1/profiles, or /v1/profiles/* for everything below it")
      .option("--to <TO>", "session requests of this phone number or email address")
      .option("--times <N>", "how many requests fail before it recovers (default: all)")
      .optionsGroup("What happens to them (add):");
    for (const { flags, help } of Object.values(EFFECT_OPTIONS)) fault.option(flags, help);
    fault.optionsGroup("How often (add):");
    for (const { flags, help } of Object.values(CHANCE_OPTIONS)) fault.option(flags, help);
    fault.action(action(async () => (await import("./command.ts")).fault));
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
};

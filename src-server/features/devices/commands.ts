/** Defines `stagedoor lan` and `stagedoor tls`. */
import { Argument } from "commander";
import { type FeatureCommands, JSON_LINE } from "#server/plumbing/define.ts";

/** @see the file */
export const commands: FeatureCommands = {
  group: "Devices and backends:",
  define: ({ client, action }) => {
    for (const [name, about] of [
      ["lan", "open auth to the local network for phones, or close it"],
      ["tls", "turn https on auth on or off"],
    ] as const)
      client(name, about, `${name} on`)
        .addArgument(new Argument("<ACTION>", "what to do").choices(["on", "off", "status"]))
        .option(...JSON_LINE)
        .action(action(async () => (await import("./command.ts"))[name]));
  },
};

/** Defines `stagedoor clock` (CONTRACT 13). */
import { Argument } from "commander";
import { frozen } from "#contract/frozen.ts";
import { JSON_LINE, type KitCommands } from "#server/commands/define.ts";

/** @see the file */
export const commands = frozen<KitCommands>({
  group: "Use a running Stagedoor:",
  define: ({ client, action }) => {
    client(
      "clock",
      "print, move or freeze the clock",
      "clock advance 10m",
      "clock advance -- -1h",
      "clock freeze 2026-01-31T12:00:00Z",
      "clock real",
    )
      .addArgument(
        new Argument("[ACTION]", "what to do (default: print the clock)").choices(["advance", "freeze", "real"]),
      )
      .argument("[VALUE]", "for advance: 90s, 10m, 2h, 30d; for freeze: a time (default: now)")
      .option("--app <ID>", "only the clock of this app")
      .option(...JSON_LINE)
      .action(action(async () => (await import("./command.ts")).clock));
  },
});

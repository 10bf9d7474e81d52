/** Defines `stagedoor stage`. */
import { frozen } from "#contract/frozen.ts";
import type { FeatureCommands } from "#server/plumbing/define.ts";
import { stageAddress } from "./address.ts";

/** @see the file */
export const commands = frozen<FeatureCommands>({
  group: "Start and maintain:",
  started: (address) => ["See a login:  ", stageAddress(address)],
  define: ({ command, action }, { version }) => {
    command(
      "stage",
      "show a login to an audience: a phone, its code and the requests",
      "stage",
      "stage --lan",
      "stage --url http://127.0.0.1:4012 --no-open",
      "stage --lan --rehearse --size 1920x1080",
    )
      .option("--fixtures <FILE...>", "fixture files with the people to show (default: six people of a made-up app)")
      .option("--lan", "open auth to the local network, for the phones of the audience")
      .option("--play", "play logins by itself, for a booth")
      .option("--url <URL>", "use the Stagedoor with this console URL; missing users are added")
      .option("--auth-port <N>", "auth port (default: any free port)")
      .option("--console-port <N>", "console port (default: any free port)")
      .option("--no-open", "print the address only, do not open a browser")
      .option("--rehearse", "check each person, the network and what fits on the screen, and exit; 1 if not ready")
      .option("--size <WxH>", "with --rehearse: the size of the screen (default: 1280x720)")
      .option("--json", "print a single line of JSON when ready")
      .addHelpText("after", "\nWithout --url it keeps its data in memory, and runs until Ctrl+C.")
      .action(action(async () => (await import("./command.ts")).stage(version)));
  },
});

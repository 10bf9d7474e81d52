/** Defines `stagedoor stage`. */
import { type FeatureCommands, withGone } from "#server/plumbing/define.ts";
import { stageAddress } from "./address.ts";

/** @see the file */
export const commands: FeatureCommands = {
  group: "Start and maintain:",
  started: (address) => ["See a login:  ", stageAddress(address)],
  define: ({ command, action }, { version }) => {
    const made = command(
      "stage",
      "present a login to an audience: a phone, its code and its steps",
      "stage",
      "stage --lan",
      "stage --url http://127.0.0.1:4012 --no-open",
    )
      .option("--fixtures <FILE...>", "fixture files with the users to show (default: the demo users)")
      .option("--lan", "open auth to the local network, for real phones")
      .option("--url <URL>", "use the Stagedoor with this console URL; missing users of --fixtures are added")
      .option("--auth-port <N>", "auth port (default: any free port)")
      .option("--console-port <N>", "console port (default: any free port)")
      .option("--no-open", "print the address only, do not open a browser")
      .option("--json", "print a single line of JSON when ready")
      .addHelpText("after", "\nWithout --url it keeps its data in memory, and runs until Ctrl+C.")
      .action(action(async () => (await import("./command.ts")).stage(version)));
    withGone(made, {
      "--play": "press Space on the page for each step of a login",
      "--rehearse": "open the page at the size of the show, and press Space until the user is signed in",
      "--size <WxH>": "the page fits every window from 720x480",
    });
  },
};

/** Defines the commands for time, failures and requests (CONTRACT 13). */
import { Argument, Option } from "commander";
import { type Definer, JSON_LINE } from "./define.ts";
import { CHANCE_OPTIONS, EFFECT_OPTIONS } from "./fault-options.ts";

/** Defines these commands. */
export const defineBehaviour = ({ client, action }: Definer): void => {
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
  fault.action(action(async () => (await import("./fault.ts")).fault));

  client(
    "requests",
    "list requests to admin and auth, newest first",
    "requests --why --limit 5",
    "requests --status 401",
  )
    .option("--why", "also explain each failure and how to fix it")
    .option("--app <ID>", "only requests of this app")
    .option("--status <N>", "only requests with this status")
    .option("--reason <REASON>", "only requests that failed for this reason")
    .option("--path <PATH>", "only paths that start with this")
    .option("--limit <N>", "how many (default: 20)")
    .option(...JSON_LINE)
    .action(action(async () => (await import("./requests.ts")).requests));
};

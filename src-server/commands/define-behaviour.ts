/** Defines the commands for time, failures and requests (CONTRACT 13). */
import { type Definer, JSON_LINE } from "./define.ts";

/** Defines these commands. */
export const defineBehaviour = ({ client, action }: Definer): void => {
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

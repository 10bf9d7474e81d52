/** Defines the commands for time and requests. */
import { Argument } from "commander";
import { type Definer, JSON_LINE } from "#server/plumbing/define.ts";

/** Defines these commands. */
export const defineBehaviour = ({ client, action }: Definer): void => {
  client(
    "requests",
    "list requests to admin and auth, newest first",
    "requests --why --limit 5",
    "requests --status 401",
    "requests --save login.json",
    "requests --har requests.har",
  )
    .option("--why", "also explain each failure and how to fix it")
    .option("--app <ID>", "only requests of this app")
    .option("--status <N>", "only requests with this status")
    .option("--reason <REASON>", "only requests that failed for this reason")
    .option("--path <PATH>", "only paths that start with this")
    .option("--trace <ID>", "only requests of the trace whose id begins with this")
    .option("--limit <N>", "how many (default: 20)")
    .option("--save <FILE>", "write the login of the newest failed request, for `stagedoor open`")
    .option("--har <FILE>", "write the requests as an HTTP archive, with secrets masked (default: all in the log)")
    .option(...JSON_LINE)
    .action(action(async () => (await import("./requests.ts")).requests));
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
    .argument("[VALUE]", "for advance: 90s, 10m, 2h, 30d, 2w; for freeze: a time (default: now)")
    .option("--app <ID>", "only the clock of this app")
    .option(...JSON_LINE)
    .action(action(async () => (await import("./clock.ts")).clock));
};

/** Defines the commands for a running emulator: logins, requests and time. */
import { Argument, Option } from "commander";
import { STRATEGY_NAMES } from "#contract/service/strategies.ts";
import { type Definer, JSON_LINE, STATUSES } from "#server/plumbing/define.ts";
import { repeated } from "./env-names.ts";

/** Defines these commands. */
export const defineRunning = ({ client, action, longAction }: Definer): void => {
  client("status", "print the URLs, the data folder and the counts", "status")
    .option(...JSON_LINE)
    .action(action(async () => (await import("./status.ts")).status));

  client(
    "env",
    "print URLs, app and secret under the names of your project",
    "env",
    "env --shell --as API_URL=adminUrl --as AUTH_URL=authUrl",
  )
    .addOption(
      new Option("--as <NAME=VALUE>", "only these, such as API_URL=adminUrl; may be repeated").argParser(repeated),
    )
    .option("--app <ID>", "the app (default: the first one)")
    .option("--dotenv", "print lines of a .env file (the default)")
    .option("--shell", 'print export commands: eval "$(stagedoor env --shell)"')
    .option(...JSON_LINE)
    .addHelpText("after", `\nThe values: adminUrl, authUrl, consoleUrl, appId, secret.${STATUSES}`)
    .action(action(async () => (await import("./env.ts")).env));

  client("stop", "stop Stagedoor, and wait until it has ended", "stop")
    .option("--json", "print its last status as one line of JSON")
    .action(action(async () => (await import("./stop.ts")).stop));

  client("wait", "wait until Stagedoor is ready and print its console URL", "wait --timeout 1m")
    .option("--timeout <TIME>", "maximum wait: seconds, or 500ms, 2m (default: 30 s)")
    .option(...JSON_LINE)
    .addHelpText("after", `${STATUSES.slice(0, -1)}, 124 not ready in time.`)
    .action(action(async () => (await import("./wait.ts")).waitUntilReady));

  client(
    "apps",
    "list the apps with their secrets, create or delete one",
    "apps",
    "apps create acme-ios",
    "apps delete acme-ios",
    "apps create --like 7f3b2a10-5f0e-4a55-9a0e-3f4f5a6b7c8d",
  )
    .addArgument(new Argument("[ACTION]", "what to do (default: list)").choices(["list", "create", "delete"]))
    .argument("[ID]", "its id; for create by default that of the request, or generated")
    .addOption(new Option("--strategy <FIELD>", "how its users sign in (default: phone)").choices(STRATEGY_NAMES))
    .option("--like <REQUEST>", "with app id, strategy and field names of this request, by its id in the request log")
    .option(...JSON_LINE)
    .action(action(async () => (await import("./apps.ts")).apps));

  const signin = client(
    "signin",
    "sign a user in without a passcode and print the session token; creates the user if necessary",
    "signin +12025550100",
    "signin ada@example.com --app demo-mail --ttl 10m",
    "signin +12025550100 --launch android --url 'myapp://signin?token={token}'",
  );
  signin.options.find(({ long }) => long === "--url")?.argParser(repeated);
  signin
    .argument("<TO>", "phone number or email address")
    .option("--app <ID>", "the app; required if several could be meant")
    .option("--ttl <TIME>", "how long the session lasts: seconds, or 10m, 2h (default: the app's setting)")
    .addOption(
      new Option("--launch <KIND>", "start your app signed in, with the link of a second --url").choices([
        "android",
        "ios",
      ]),
    )
    .option("--json", "print user, session and token, or with --launch the link, as one line of JSON")
    .action(action(async () => (await import("./signin.ts")).signin));

  client(
    "passcode",
    "print the newest active passcode of a recipient",
    "passcode +12025550100",
    "passcode ada@example.com --wait 10s --app demo-mail",
  )
    .argument("<TO>", "phone number or email address")
    .option("--wait [TIME]", "wait for a passcode: seconds, or 500ms, 2m (default: 30 s)")
    .option("--app <ID>", "only this app")
    .option("--after <ID>", "only a passcode newer than this id or seq")
    .option(...JSON_LINE)
    .addHelpText("after", `${STATUSES.slice(0, -1)}, 124 none came in time.`)
    .action(action(async () => (await import("./passcode.ts")).passcode));

  client("tail", "print passcodes and requests as they arrive", "tail --app demo-app")
    .option("--app <ID>", "only this app")
    .option("--json", "print one line of JSON per event")
    .action(longAction(async () => (await import("./tail.ts")).tail));

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

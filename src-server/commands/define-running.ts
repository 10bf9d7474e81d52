/** Defines the commands for a running emulator and for logins (CONTRACT 7, 13). */
import { type Definer, type Shell, STATUSES } from "./define.ts";
import type { McpOptions } from "./mcp/mcp.ts";
import type { PasscodeOptions, WaitOptions } from "./passcode.ts";
import type { SigninOptions } from "./signin.ts";
import type { StatusOptions } from "./status.ts";
import type { TailOptions } from "./tail.ts";

/** Defines these commands. */
export const defineRunning = ({ client }: Definer, { version, io, run, untilSignal }: Shell): void => {
  client("status", "print the URLs, the data folder and the counts", "status")
    .option("--json", "print the result as one line of JSON")
    .action((options: StatusOptions) => run(async () => (await import("./status.ts")).status(options, io)));

  client("stop", "stop the running emulator, and wait until it has ended", "stop")
    .option("--json", "print its last status as one line of JSON")
    .action((options: StatusOptions) => run(async () => (await import("./status.ts")).stop(options, io)));

  client("wait", "wait until the emulator is ready and print its console URL", "wait --timeout 1m")
    .option("--timeout <TIME>", "maximum wait: seconds, or 500ms, 2m (default: 30 s)")
    .option("--json", "print the result as one line of JSON")
    .addHelpText("after", `${STATUSES.slice(0, -1)}, 124 not ready in time.`)
    .action((options: WaitOptions) => run(async () => (await import("./passcode.ts")).waitUntilReady(options, io)));

  client("apps", "list the apps with their secrets", "apps")
    .option("--json", "print the result as one line of JSON")
    .action((options: StatusOptions) => run(async () => (await import("./status.ts")).apps(options, io)));

  client(
    "signin",
    "sign a user in without a passcode and print the session token; creates the user if necessary",
    "signin +12025550100",
    "signin ada@example.com --app demo-mail --ttl 10m",
  )
    .argument("<TO>", "phone number or email address")
    .option("--app <ID>", "the app; required if several could be meant")
    .option("--ttl <TIME>", "how long the session lasts: seconds, or 10m, 2h (default: as the app's settings say)")
    .option("--json", "print user, session and token as one line of JSON")
    .action((to: string, options: SigninOptions) =>
      run(async () => (await import("./signin.ts")).signin(to, options, io)),
    );

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
    .option("--json", "print the result as one line of JSON")
    .addHelpText("after", `${STATUSES.slice(0, -1)}, 124 none came in time.`)
    .action((to: string, options: PasscodeOptions) =>
      run(async () => (await import("./passcode.ts")).passcode(to, options, io)),
    );

  client("tail", "print passcodes and requests as they arrive", "tail --app demo-app")
    .option("--app <ID>", "only this app")
    .option("--json", "print one line of JSON per event")
    .action((options: TailOptions) =>
      run(async () => {
        const { tail } = await import("./tail.ts");
        return await untilSignal((ended) => tail(options, ended, io));
      }),
    );

  client(
    "mcp",
    "give an AI agent tools for login tests (MCP over standard input and output)",
    "mcp",
    "mcp --app demo-app",
  )
    .option("--app <ID>", "let it use this app only (default: the apps it makes, which are deleted at the end)")
    .option("--all", "let it use every app")
    .addHelpText("after", "\nHow to add it to an agent: docs/agents.md.")
    .action((options: McpOptions) =>
      run(async () => {
        const { mcp } = await import("./mcp/mcp.ts");
        return await untilSignal((ended) => mcp(options, version, ended));
      }),
    );
};

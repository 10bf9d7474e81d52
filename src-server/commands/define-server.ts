/** Defines the commands that start an emulator or check this machine. */
import { Option } from "commander";
import { readyDescriptor } from "#server/config.ts";
import { type Definer, type FeatureCommands, type Shell, withColumns } from "#server/plumbing/define.ts";
import { repeated } from "./env-names.ts";

/** Defines these commands. @param added what features and programs add to them. */
export const defineServer = (
  { command, action, longAction }: Definer,
  { version, called }: Shell,
  added: readonly FeatureCommands[],
): void => {
  const start = command(
    "start",
    "start Stagedoor",
    "start",
    "start --detach --json",
    "start --ephemeral --fixtures team.jsonc --watch",
    "start --fixtures users.csv --country US",
    "start --lan --tls",
  )
    .optionsGroup("Data:")
    .option("--data <DIR>", "data folder (default: the platform's application data folder)")
    .option("--fixtures <FILE...>", "fixture files to load when there is no data yet")
    .option("--watch", "reload the fixture files when they are saved, and print what changed")
    .option("--reset", "discard all data and start from the fixtures")
    .addOption(
      new Option(
        "--durability <LEVEL>",
        "what answered requests survive: process (a crash), disk (also a power cut) or memory (nothing; default: process)",
      ).choices(["process", "disk", "memory"]),
    )
    .option("--ephemeral", "keep data in memory only, like --durability memory")
    .addOption(new Option("--persist-requests", "has no effect any more: see `requests --save`").hideHelp())
    .optionsGroup("Fixture files with users in other forms:");
  withColumns(start)
    .optionsGroup("Listeners:")
    .option("--admin-port <N>", "admin port, 0 for any free port (default: 4010)")
    .option("--auth-port <N>", "auth port, 0 for any free port (default: 4011)")
    .option("--console-port <N>", "console port, 0 for any free port (default: 4012)")
    .option("--lan", "open the auth port to the local network, for a phone")
    .option("--tls", "also serve auth over https, with a certificate authority made for you")
    .option("--auth-tls-port <N>", "auth port for https, 0 for any free port (default: 4013)")
    .option(
      "--ca-dir <DIR>",
      "folder of the certificate authority (default: next to the platform's default data folder)",
    )
    .optionsGroup("Tokens:")
    .option("--signing-key <FILE>", "sign session tokens with this private key (PEM or JWK; ES256, RS256 or EdDSA)")
    .option("--check-host <NAME...>", "hosts that a token check may call even if they are not local or private")
    .optionsGroup("Other machines:")
    .option("--admin-host <HOST>", "open the admin port to other machines on this address")
    .option("--console-host <HOST>", "open the console to other machines on this address")
    .option("--allow-host <NAME...>", "additional host names that admin and console accept")
    .option(
      "--test-origin <URL...>",
      "origins on this machine whose pages may read codes, such as http://localhost:3000",
    )
    .optionsGroup("Behind a proxy, or published under other ports:")
    .option("--public-admin-url <URL>", "the URL at which others reach admin, for links and tokens")
    .option("--public-auth-url <URL>", "the URL at which others reach auth, for links, QR codes and tokens")
    .option("--public-console-url <URL>", "the URL at which others reach the console, for links and frames")
    .optionsGroup("Limits:")
    .option("--body-limit <BYTES>", "maximum size of a request body (default: 1048576)")
    .option("--keep-passcodes <N>", "ended passcodes kept per app (default: 1000)")
    .option("--keep-sessions <N>", "sessions kept per app (default: 50000)")
    .option("--keep-requests <N>", "rows kept in the request log (default: 1000)")
    .option("--shared-apps <N>", "apps that the join token may have at a time (default: 250)")
    .option("--shared-memory <MIB>", "MiB that these apps may keep together (default: a quarter of the heap's limit)")
    .optionsGroup("Output:")
    .option("--json", "print a single line of JSON when ready")
    .option("--open", "open the console in your browser")
    .option("--headless", "do not open the desktop window")
    .option("--detach", "start in the background, return when it is ready, and log to stagedoor.log in the data folder")
    .addHelpText(
      "after",
      "\nEvery option can also be set in the environment: STAGEDOOR_AUTH_PORT=0, STAGEDOOR_LAN=1." +
        "\nExit status: 0 after a stop, 1 if the start failed, 2 wrong usage, 3 if the data is damaged.",
    )
    .action(({ detach: background, ...given }: Record<string, unknown>) => {
      if (background === true) return longAction(async () => (await import("./detach.ts")).detach(called))(given);
      const started = added.flatMap((one) => one.started ?? []);
      const host = { version, readyFd: readyDescriptor(), started };
      return action(async () => (await import("./start.ts")).start(host))(given);
    });
  // In order, so that the last of --ephemeral and --durability wins.
  start.on("option:ephemeral", () => start.setOptionValue("durability", "memory"));

  const exec = command(
    "exec",
    "start a temporary Stagedoor, run a command, then stop Stagedoor",
    "exec -- npm test",
    "exec --env API_URL=adminUrl -- pytest",
    "exec --save logins -- npm test",
    "exec --import before.json --export-on-exit after.json -- npx playwright test",
    ...added.flatMap(({ exec }) => exec?.examples ?? []),
  )
    .usage("[options] -- CMD [ARGS...]")
    .argument("<CMD...>")
    .option("--fixtures <FILE...>", "fixture files to load")
    .option("--import <FILE>", "start with this state, as written by export or --export-on-exit")
    .option("--export-on-exit <FILE>", "write the state, with passcodes and sessions, when the command has ended")
    .option("--save <DIR>", "write each failed login to this folder, for `stagedoor open`")
    .option("--quiet", "do not list the failed requests when the command fails")
    .addOption(
      new Option(
        "--env <NAME=VALUE>",
        "also set this variable: to adminUrl, authUrl, consoleUrl, appId or secret; may be repeated",
      ).argParser(repeated),
    )
    .option("--admin-port <N>", "admin port, for an app whose URL is built in (default: any free port)")
    .option("--auth-port <N>", "auth port (default: any free port)")
    .option("--console-port <N>", "console port (default: any free port)")
    .passThroughOptions()
    .addHelpText(
      "after",
      "\nThe command gets STAGEDOOR_ADMIN_URL, STAGEDOOR_AUTH_URL, STAGEDOOR_CONSOLE_URL, STAGEDOOR_APP_ID and" +
        "\nSTAGEDOOR_APP_SECRET, and loopback in NO_PROXY where a proxy is set. Folders of files to write are created." +
        "\nIf the command fails, the requests that Stagedoor rejected follow on standard error, each with how to fix it." +
        "\nExit status: the command's; 128 + n if signal n ended the command, or exec before or after it; 127 if the" +
        "\ncommand was not found, 126 if it cannot be run; 1 if Stagedoor did not start, a file cannot be read or" +
        "\nwritten, or coverage is too low; 2 wrong usage. SIGINT, SIGTERM and SIGHUP go to the command, which is killed" +
        "\nat the second one or after 5 seconds; before and after it they end exec, in 5 seconds at most.",
    )
    .action(action(async () => (await import("./exec.ts")).exec(version, added)));
  for (const one of added) for (const [flags, help] of one.exec?.options ?? []) exec.option(flags, help);
  withColumns(exec.optionsGroup("Fixture files with users in other forms:"));

  command("licences", "print the licences of Stagedoor and everything it bundles", "licences", "licences --sbom")
    .option("--sbom", "print the software bill of materials (CycloneDX) instead")
    .action(action(async () => (await import("./licences.ts")).licences));
};

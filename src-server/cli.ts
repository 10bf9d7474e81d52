/** The command line (CONTRACT 7). The commands are in `commands/`, each loaded only when it runs. */
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";
import { Command, Option } from "commander";
import pkg from "../package.json" with { type: "json" };
import type { ConformOptions } from "./commands/conform.ts";
import type { DoctorOptions } from "./commands/doctor.ts";
import type { ExecOptions } from "./commands/exec.ts";
import type { ExportOptions, ResetOptions } from "./commands/export.ts";
import { CommandError, type Io, terminalJson, terminalText } from "./commands/io.ts";
import type { NetworkOptions } from "./commands/network.ts";
import type { OpenOptions } from "./commands/open.ts";
import type { PasscodeOptions, WaitOptions } from "./commands/passcode.ts";
import type { SeedOptions } from "./commands/seed.ts";
import type { SnapshotOptions } from "./commands/snapshot.ts";
import type { TailOptions } from "./commands/tail.ts";
import type { TokenCheckOptions } from "./commands/token-check.ts";
import { colorsWanted, readyDescriptor } from "./config.ts";

const { version } = pkg;

/** The lines of standard input, from the first question on. */
let typed: AsyncIterator<string> | undefined;

const colors = process.stdout.isTTY && colorsWanted();
const io: Io = {
  out: (text) => void process.stdout.write(terminalText(text, colors)),
  err: (line) => console.error(terminalText(line, false)),
  json: (text) => void process.stdout.write(terminalJson(text)),
  progress: (line) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${terminalText(line, false)}\u001B[K`);
  },
  input: () => buffer(process.stdin),
  ask: async (question) => {
    process.stderr.write(terminalText(question, false));
    typed ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const line = await typed.next();
    return line.done === true ? null : line.value;
  },
};

/** Runs a command and ends the process with its status once all is written. */
const run = async (command: () => Promise<number>): Promise<void> => {
  try {
    process.exitCode = await command();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    io.progress("");
    io.err(error.message);
    process.exitCode = error.exitStatus;
  }
  // Otherwise the process would wait for more of it.
  if (typed !== undefined) process.stdin.destroy();
};

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs what goes on until it is interrupted, or nobody reads it any more. A second signal ends the process. */
const untilSignal = async (task: (ended: AbortSignal) => Promise<number>): Promise<number> => {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  for (const signal of SIGNALS) process.once(signal, end);
  process.stdout.once("error", end);
  try {
    return await task(ended.signal);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, end);
    process.stdout.removeListener("error", end);
  }
};

const program = new Command("stagedoor")
  .description("A local emulator of a User Profile and Session Service.")
  .version(version)
  .enablePositionalOptions()
  .configureOutput({
    writeOut: (text) => io.out(text),
    writeErr: (text) => void process.stderr.write(terminalText(text, false)),
  })
  .showHelpAfterError("Run with --help for usage.");

const command = (usage: string, description: string): Command =>
  program.command(usage).description(description).version(version).showHelpAfterError("Run with --help for usage.");

/** A command that talks to a running emulator. */
const client = (usage: string, description: string): Command =>
  command(usage, description)
    .option("--url <URL>", "console URL of the running emulator (STAGEDOOR_CONSOLE_URL)")
    .option("--data <DIR>", "data folder of the running emulator (STAGEDOOR_DATA)")
    .addHelpText(
      "after",
      "\nWithout --url and STAGEDOOR_CONSOLE_URL, the command uses the emulator that has the data folder open. If the" +
        "\nconsole is open to other machines, set its access token in STAGEDOOR_ACCESS_TOKEN.",
    );

const start = command("start", "start the emulator in this terminal")
  .option("--data <DIR>", "data folder (default: the platform's application data folder)")
  .option("--fixtures <FILE...>", "fixture files to load when there is no data yet")
  .option("--watch", "reload the fixture files when they are saved, and print what changed")
  .option("--reset", "discard all data and start from the fixtures")
  .option("--admin-port <N>", "admin port, 0 for any free port (default: 4010)")
  .option("--auth-port <N>", "auth port, 0 for any free port (default: 4011)")
  .option("--console-port <N>", "console port, 0 for any free port (default: 4012)")
  .option("--lan", "open the auth port to the local network, for a phone")
  .option("--tls", "also serve auth over https, with a certificate authority of your own")
  .option("--auth-tls-port <N>", "auth port for https, 0 for any free port (default: 4013)")
  .option("--ca-dir <DIR>", "folder of the certificate authority (default: beside the data folder of the platform)")
  .option("--signing-key <FILE>", "sign session tokens with this private key (PEM or JWK; ES256, RS256 or EdDSA)")
  .option("--admin-host <HOST>", "open the admin port to other machines on this address")
  .option("--console-host <HOST>", "open the console to other machines on this address")
  .option("--allow-host <NAME...>", "additional host names to accept")
  .option("--check-host <NAME...>", "hosts that a token check may call though they are not local or private")
  .option(
    "--durability <LEVEL>",
    "what an answered request survives: process (a crash), disk (a power cut) or memory (nothing) (default: process)",
  )
  .option("--ephemeral", "keep data in memory only, like --durability memory")
  .option("--body-limit <BYTES>", "maximum size of a request body (default: 1048576)")
  .option("--keep-passcodes <N>", "passcodes kept per app (default: 1000)")
  .option("--keep-sessions <N>", "sessions kept per app (default: 50000)")
  .option("--keep-requests <N>", "rows kept in the request log (default: 1000)")
  .option("--json", "print a single line of JSON when ready")
  .option("--open", "open the console in your browser")
  .option("--headless", "do not open the desktop window")
  .addHelpText(
    "after",
    "\nEvery option can also be set in the environment: STAGEDOOR_AUTH_PORT=0, STAGEDOOR_LAN=1." +
      "\nExit status: 0 after a stop, 1 if the start failed, 3 if the data is damaged.",
  )
  .action((options: Record<string, unknown>) =>
    run(async () => {
      const { start } = await import("./commands/start.ts");
      return await start(options, { version, readyFd: readyDescriptor() }, io);
    }),
  );
// In its turn, so that of --ephemeral and --durability the last counts.
start.on("option:ephemeral", () => start.setOptionValue("durability", "memory"));

command("exec", "run a command beside an emulator of its own")
  .usage("[options] -- CMD [ARGS...]")
  .argument("<CMD...>")
  .option("--fixtures <FILE...>", "fixture files to load")
  .passThroughOptions()
  .addHelpText(
    "after",
    "\nThe command gets STAGEDOOR_ADMIN_URL, STAGEDOOR_AUTH_URL, STAGEDOOR_CONSOLE_URL, STAGEDOOR_APP_ID and" +
      "\nSTAGEDOOR_APP_SECRET. Exit status: the command's, 128 + n for signal n, 127 if the command was not found.",
  )
  .action((words: string[], options: ExecOptions) =>
    run(async () => (await import("./commands/exec.ts")).exec(words, options, version, io)),
  );

client("seed", "import fixtures and profiles into the running emulator, all or nothing")
  .argument("[FILE...]", "fixtures as .json, profiles as .ndjson or .csv; - is standard input")
  .option("--app <ID>", "the app of the profiles; required if there are several")
  .addOption(
    new Option("--format <KIND>", "format of files without a known extension").choices(["json", "ndjson", "csv"]),
  )
  .option("--replace", "delete everything that is not in the files")
  .option("--dry-run", "validate only, change nothing")
  .option("--generate <N>", "generate N users instead, with reserved phone numbers and domains")
  .option("--seed <TEXT>", "seed of the generator; the same seed generates the same users (default: 1)")
  .option("--locale <L>", "en, de, fr, es, ar or ja (default: en)")
  .action((files: string[], options: SeedOptions) =>
    run(async () => (await import("./commands/seed.ts")).seed(files, options, io)),
  );

command("open", "show the download of a login in a Stagedoor of its own")
  .argument("<FILE>", "the download, from a request in the console or GET /emulator/v1/requests/:id/bundle")
  .option("--headless", "print the URL only, do not open a browser")
  .option("--console-port <N>", "console port (default: any free port)")
  .option("--json", "print a single line of JSON when ready")
  .action((file: string, options: OpenOptions) =>
    run(async () => (await import("./commands/open.ts")).open(file, options, version, io)),
  );

client("export", "export all data as a fixture file")
  .argument("[FILE]", "target file (default: standard output)")
  .option("--app <ID>", "only this app")
  .option("--volatile", "include passcodes, sessions and clocks")
  .option("--minimal", "leave out nulls, defaults, times, and ids that nothing refers to")
  .action((file: string | undefined, options: ExportOptions) =>
    run(async () => (await import("./commands/export.ts")).exportState(file, options, io)),
  );

client("passcode", "print the newest active passcode of a recipient")
  .argument("<TO>", "phone number or email address")
  .option("--wait [TIME]", "wait for a passcode: seconds, or 500ms, 2m (default: 30 s)")
  .option("--app <ID>", "only this app")
  .option("--after <ID>", "only a passcode newer than this id or seq")
  .action((to: string, options: PasscodeOptions) =>
    run(async () => (await import("./commands/passcode.ts")).passcode(to, options, io)),
  );

client("wait", "wait until the emulator is ready and print its console URL")
  .option("--timeout <TIME>", "maximum wait: seconds, or 500ms, 2m (default: 30 s)")
  .action((options: WaitOptions) =>
    run(async () => (await import("./commands/passcode.ts")).waitUntilReady(options, io)),
  );

client("tail", "print passcodes and requests as they arrive")
  .option("--app <ID>", "only this app")
  .option("--json", "print one line of JSON per event")
  .action((options: TailOptions) =>
    run(async () => {
      const { tail } = await import("./commands/tail.ts");
      return await untilSignal((ended) => tail(options, ended, io));
    }),
  );

for (const [name, about] of [
  ["lan", "open auth to the local network for phones, or close it"],
  ["tls", "turn https on auth on or off"],
] as const)
  client(name, about)
    .argument("<ACTION>", "on, off or status")
    .option("--json", "print the result as one line of JSON")
    .action((action: string, options: NetworkOptions) =>
      run(async () => (await import("./commands/network.ts"))[name](action, options, io)),
    );

client("token-check", "test which tokens your backend accepts: a good one, and wrong ones of each kind")
  .argument("<URL>", "an endpoint of your backend that needs a token; it is called from this machine")
  .option("--app <ID>", "the app whose tokens to use (default: the first)")
  .option("--to <TO>", "phone number or email address of the user (default: the first of the app)")
  .option("--method <METHOD>", "GET, POST, PUT, PATCH or DELETE (default: GET, or POST with --body)")
  .option("--header <HEADER>", 'header with the token (default: "Authorization: Bearer {token}")')
  .option("--body <TEXT>", "body of each call, such as a GraphQL query as JSON")
  .option("--json", "print the result as one line of JSON")
  .addHelpText("after", "\nExit status: 1 if a token that must be refused was accepted, or the good one was not.")
  .action((url: string, options: TokenCheckOptions) =>
    run(async () => (await import("./commands/token-check.ts")).tokenCheck(url, options, io)),
  );

command("conform", "measure what a service does, the real one or a Stagedoor, and write the settings that follow it")
  .option("--admin-url <URL>", "its admin URL")
  .option("--auth-url <URL>", "its auth URL")
  .option("--app-id <ID>", "the app to measure")
  .option("--secret-env <NAME>", "environment variable with the secret of the app", "STAGEDOOR_APP_SECRET")
  .option("--username <TO>", "a user of yours, whose codes and wrong tries are allowed")
  .option("--codes-from <URL>", "console URL that has the codes; without it you are asked to type them")
  .option("--rate <N>", "requests a second", "2")
  .option("--out <FILE>", "write the settings to this file")
  .option("--expect <FILE>", "compare with the settings of this file; a difference ends with status 1")
  .option("--report <FILE>", "write rows and requests to this file, secrets masked")
  .option("--dry-run", "print what would be asked, and ask nothing")
  .option("--yes", "do not ask for the host")
  .option("--json", "print the result as one line of JSON")
  .addHelpText(
    "after",
    "\nIt makes at most 30 profiles of its own, and deletes them, also after Ctrl+C or when it is run again." +
      "\nExit status: 0 done, 1 drift or failed, 2 wrong usage.",
  )
  .action((options: ConformOptions) =>
    run(async () => {
      const { conformCommand } = await import("./commands/conform.ts");
      return await untilSignal((ended) => conformCommand(options, () => ended.aborted, io));
    }),
  );

client("snapshot", "save, restore and compare snapshots")
  .argument("<ACTION>", "save, restore, list, diff (changes since) or delete")
  .argument("[NAME]", "name of the snapshot; none for list")
  .option("--app <ID>", "only this app")
  .option("--json", "print the result as one line of JSON")
  .action((action: string, name: string | undefined, options: SnapshotOptions) =>
    run(async () => (await import("./commands/snapshot.ts")).snapshot(action, name, options, io)),
  );

client("reset", "reset to the fixtures")
  .option("--app <ID>", "only this app")
  .action((options: ResetOptions) => run(async () => (await import("./commands/export.ts")).reset(options, io)));

command("doctor", "diagnose problems on this machine and repair damaged data")
  .option("--data <DIR>", "data folder (default: the platform's application data folder)")
  .option("--admin-port <N>", "admin port to check (default: 4010)")
  .option("--auth-port <N>", "auth port to check (default: 4011)")
  .option("--console-port <N>", "console port to check (default: 4012)")
  .option("--repair", "repair the data; damaged files are kept as NAME.damaged-WHEN")
  .option("--json", "print the findings as one line of JSON")
  .addHelpText("after", "\nExit status: 0 if there is no problem, otherwise 1.")
  .action((options: DoctorOptions) =>
    run(async () => (await import("./commands/doctor.ts")).doctor(options, version, io)),
  );

// A reader that closes early (`| head`) is not a failure and must not stop the server.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

// Explicit, because under Electron commander would guess a different start of the arguments.
await program.parseAsync(process.argv.slice(2), { from: "user" });

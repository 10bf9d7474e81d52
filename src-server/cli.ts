/**
 * The command line (CONTRACT 7): thin. What a command does stands in `commands/`, and is read only when it is asked for.
 */
import { buffer } from "node:stream/consumers";
import { Command, Option } from "commander";
import pkg from "../package.json" with { type: "json" };
import type { DoctorOptions } from "./commands/doctor.ts";
import type { ExecOptions } from "./commands/exec.ts";
import type { ExportOptions } from "./commands/export.ts";
import { CommandError, type Io } from "./commands/io.ts";
import type { PasscodeOptions } from "./commands/passcode.ts";
import type { ResetOptions } from "./commands/reset.ts";
import type { SeedOptions } from "./commands/seed.ts";
import type { SnapshotOptions } from "./commands/snapshot.ts";
import type { TailOptions } from "./commands/tail.ts";
import type { WaitOptions } from "./commands/wait.ts";
import { colorsWanted, readConfig, readyDescriptor } from "./config.ts";

const { version } = pkg;

const io: Io = {
  out: (line) => void process.stdout.write(line),
  err: (line) => console.error(line),
  progress: (line) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${line}\u001B[K`);
  },
  input: () => buffer(process.stdin),
  colors: process.stdout.isTTY && colorsWanted(),
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
};

const program = new Command("stagedoor")
  .description("A local emulator of a User Profile and Session Service.")
  .version(version)
  .enablePositionalOptions()
  .showHelpAfterError("Say --help for help.");

const command = (usage: string, description: string): Command =>
  program.command(usage).description(description).version(version).showHelpAfterError("Say --help for help.");

/** A command that talks to a running emulator. */
const client = (usage: string, description: string): Command =>
  command(usage, description)
    .option("--url <URL>", "the console of the emulator to talk to (STAGEDOOR_CONSOLE_URL)")
    .option("--data <DIR>", "the data folder of the emulator to talk to (STAGEDOOR_DATA)")
    .addHelpText(
      "after",
      "\nWithout --url and STAGEDOOR_CONSOLE_URL it is the emulator that holds the data folder. A console that is open to" +
        "\nother machines asks for its access token: --url 'http://…/?access_token=…', or STAGEDOOR_ACCESS_TOKEN.",
    );

const start = command("start", "start the emulator in this terminal")
  .option("--data <DIR>", "where the data is kept (default: the platform's folder for it)")
  .option("--fixtures <FILE...>", "worlds to start from, when there is no data yet")
  .option("--reset", "start anew from the fixtures")
  .option("--admin-port <N>", "port of the admin interface, 0 for any (default: 4010)")
  .option("--auth-port <N>", "port of the session interface, 0 for any (default: 4011)")
  .option("--console-port <N>", "port of the console, 0 for any (default: 4012)")
  .option("--lan", "open the session interface to the local network, for a phone")
  .option("--admin-host <HOST>", "open the admin interface to other machines, at this address")
  .option("--console-host <HOST>", "open the console to other machines, at this address")
  .option("--allow-host <NAME...>", "names that requests may call this machine by")
  .option("--durability <LEVEL>", "process, disk or memory: what an answered request survives (default: process)")
  .option("--ephemeral", "keep nothing: as --durability memory")
  .option("--body-limit <BYTES>", "most bytes of a request (default: 1048576)")
  .option("--keep-passcodes <N>", "passcodes kept of an app (default: 1000)")
  .option("--keep-sessions <N>", "sessions kept of an app (default: 50000)")
  .option("--keep-requests <N>", "rows kept of the request log (default: 1000)")
  .option("--json", "print one line of JSON when ready, and nothing else")
  .option("--open", "open the console in the browser")
  .option("--headless", "no desktop window")
  .addHelpText(
    "after",
    "\nEach option may also stand in the environment: STAGEDOOR_AUTH_PORT=0, STAGEDOOR_LAN=1." +
      "\nEnds with 0 after a stop, 1 if it could not start, 3 if the data is damaged.",
  )
  .action((options: Record<string, unknown>) =>
    run(async () => {
      const read = readConfig(options);
      if ("errors" in read) throw new CommandError(read.errors.join("\n"));
      const { start } = await import("./commands/start.ts");
      return await start(read.config, { version, readyFd: readyDescriptor() }, io);
    }),
  );
// In its turn, so that of --ephemeral and --durability the last counts.
start.on("option:ephemeral", () => start.setOptionValue("durability", "memory"));

command("exec", "run a command with an emulator of its own")
  .usage("[options] -- CMD [ARGS...]")
  .argument("<CMD...>")
  .option("--fixtures <FILE...>", "worlds to start from")
  .passThroughOptions()
  .addHelpText(
    "after",
    "\nThe command finds it by STAGEDOOR_ADMIN_URL, STAGEDOOR_AUTH_URL, STAGEDOOR_CONSOLE_URL, STAGEDOOR_APP_ID and" +
      "\nSTAGEDOOR_APP_SECRET. Ends with the command's status, 128 + n for signal n, 127 if there is no such command.",
  )
  .action((words: string[], options: ExecOptions) =>
    run(async () => (await import("./commands/exec.ts")).exec(words, options, version, io)),
  );

client("seed", "take worlds and profiles into the running emulator, all or nothing")
  .argument("[FILE...]", "worlds as .json, profiles as .ndjson or .csv; - is standard input")
  .option("--app <ID>", "the app that profiles go to; needed when there are several")
  .addOption(new Option("--format <KIND>", "of files whose names do not tell").choices(["json", "ndjson", "csv"]))
  .option("--replace", "take away what the files do not hold")
  .option("--dry-run", "check all, change nothing")
  .option("--generate <N>", "instead of files: N believable users, in numbers and domains that are nobody's")
  .option("--seed <TEXT>", "what they are made from; the same makes the same users (default: 1)")
  .option("--locale <L>", "en, de, fr, es, ar or ja (default: en)")
  .action((files: string[], options: SeedOptions) =>
    run(async () => (await import("./commands/seed.ts")).seed(files, options, io)),
  );

client("export", "write the world as JSON, as one would commit it")
  .argument("[FILE]", "where to; standard output if absent")
  .option("--app <ID>", "only this app")
  .option("--volatile", "passcodes, sessions and clocks too")
  .action((file: string | undefined, options: ExportOptions) =>
    run(async () => (await import("./commands/export.ts")).exportState(file, options, io)),
  );

client("passcode", "print the newest active passcode of a recipient")
  .argument("<TO>", "phone number or email address")
  .option("--wait [TIME]", "wait for it: seconds, or 500ms, 2m (default: 30 s)")
  .option("--app <ID>", "only of this app")
  .option("--after <ID>", "only one newer than this: the id or seq of a passcode")
  .action((to: string, options: PasscodeOptions) =>
    run(async () => (await import("./commands/passcode.ts")).passcode(to, options, io)),
  );

client("wait", "wait until the emulator is ready, and print its console's URL")
  .option("--timeout <TIME>", "how long at most: seconds, or 500ms, 2m (default: 30 s)")
  .action((options: WaitOptions) => run(async () => (await import("./commands/wait.ts")).waitUntilReady(options, io)));

client("tail", "print passcodes and requests as they come")
  .option("--app <ID>", "only of this app")
  .option("--json", "a line of JSON for each")
  .action((options: TailOptions) =>
    run(async () => {
      const ended = new AbortController();
      const end = (): void => ended.abort();
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, end);
      process.stdout.once("error", end);
      return await (await import("./commands/tail.ts")).tail(options, ended.signal, io);
    }),
  );

client("snapshot", "save a moment under a name, and go back to it")
  .argument("<ACTION>", "save, restore, list, diff (what has changed since) or delete")
  .argument("[NAME]", "of the snapshot; none for list")
  .option("--app <ID>", "of this app alone")
  .option("--json", "print the answer as one line of JSON")
  .action((action: string, name: string | undefined, options: SnapshotOptions) =>
    run(async () => (await import("./commands/snapshot.ts")).snapshot(action, name, options, io)),
  );

client("reset", "go back to the fixtures")
  .option("--app <ID>", "only this app")
  .action((options: ResetOptions) => run(async () => (await import("./commands/reset.ts")).reset(options, io)));

command("doctor", "say what is wrong on this machine, and mend damaged data")
  .option("--data <DIR>", "where the data is kept (default: the platform's folder for it)")
  .option("--admin-port <N>", "the port to look at (default: 4010)")
  .option("--auth-port <N>", "the port to look at (default: 4011)")
  .option("--console-port <N>", "the port to look at (default: 4012)")
  .option("--repair", "mend the data; every damaged file is kept beside, as NAME.damaged-WHEN")
  .option("--json", "print the findings as one line of JSON")
  .addHelpText("after", "\nEnds with 0 if nothing is bad, else 1.")
  .action((options: DoctorOptions) =>
    run(async () => (await import("./commands/doctor.ts")).doctor(options, version, io)),
  );

// A reader that has seen enough (`| head`) is no failure, and no reason for a server to end.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

// Said, not guessed: under Electron commander would take the words from elsewhere.
await program.parseAsync(process.argv.slice(2), { from: "user" });

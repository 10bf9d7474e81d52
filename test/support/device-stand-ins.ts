/** Stand-ins for `adb` and `xcrun`: small programs that record their calls and respond as a test has planned. */
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The response to calls whose arguments, joined by spaces, start with `to`. The first match counts. */
export interface Answer {
  readonly to: string;
  readonly out?: string;
  readonly err?: string;
  readonly status?: number;
  /** A file that it copies to its last argument, as `adb pull` does. */
  readonly copies?: string;
  /** Never ends on its own, nor when asked to. */
  readonly hangs?: boolean;
  /** Leaves a process behind that keeps its output open, as adb's own server may. */
  readonly leaves?: boolean;
}

/** One call, as recorded by the stand-in. */
export interface NotedCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly pid: number;
  /** Process id of the process left behind. */
  readonly left: number | null;
}

/** @see makeStandIns */
export interface StandIns {
  /** The directory of the programs: the PATH of a server. */
  readonly dir: string;
  /** Adds a program to the directory, or changes its responses. */
  plan(program: "adb" | "xcrun", answers: readonly Answer[]): Promise<void>;
  /** Removes a program. */
  without(program: "adb" | "xcrun"): Promise<void>;
  /** @returns the calls so far, in order. */
  calls(): Promise<readonly NotedCall[]>;
  /** Forgets the calls. */
  forget(): Promise<void>;
  remove(): Promise<void>;
}

const PROGRAM = `#!${process.execPath}
const { appendFileSync, copyFileSync, readFileSync } = require("node:fs");
const { spawn } = require("node:child_process");
const { basename, dirname, join } = require("node:path");
const dir = dirname(process.argv[1]);
const program = basename(process.argv[1]);
const args = process.argv.slice(2);
const answers = JSON.parse(readFileSync(join(dir, program + ".plan.json"), "utf8"));
const answer = answers.find(({ to }) => args.join(" ").startsWith(to)) ?? { err: "not planned", status: 99 };
let left = null;
if (answer.leaves) {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "inherit" });
  child.unref();
  left = child.pid;
}
if (answer.copies) copyFileSync(answer.copies, args.at(-1));
if (answer.hangs) process.on("SIGTERM", () => {});
const input = readFileSync(0, "utf8");
appendFileSync(join(dir, "calls.ndjson"), JSON.stringify({ program, args, input, pid: process.pid, left }) + "\\n");
if (answer.hangs) setInterval(() => {}, 1000);
else {
  process.stderr.write(answer.err ?? "");
  process.stdout.write(answer.out ?? "");
  process.exitCode = answer.status ?? 0;
}
`;

/** @returns an empty directory for stand-ins. */
export const makeStandIns = async (): Promise<StandIns> => {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "stagedoor-devices-")));
  const noted = join(dir, "calls.ndjson");
  // Written once and linked, because a program that is open for writing cannot be run.
  const standIn = join(dir, "stand-in.cjs");
  await writeFile(standIn, PROGRAM, { mode: 0o755 });
  await writeFile(noted, "");
  return {
    dir,
    plan: async (program, answers) => {
      await writeFile(join(dir, `${program}.plan.json`), JSON.stringify(answers));
      await rm(join(dir, program), { force: true });
      await symlink(standIn, join(dir, program));
    },
    without: (program) => rm(join(dir, program), { force: true }),
    calls: async () => {
      const lines = (await readFile(noted, "utf8")).split("\n").filter((line) => line !== "");
      return lines.map((line): NotedCall => JSON.parse(line));
    },
    forget: () => writeFile(noted, ""),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
};

/** What adb prints for these emulators and other devices. */
export const adbList = (...lines: readonly string[]): string => `List of devices attached\n${lines.join("\n")}\n\n`;

/** Responses of adb with one running emulator, where everything succeeds. */
export const ONE_EMULATOR: readonly Answer[] = [
  { to: "devices", out: adbList("emulator-5554\tdevice") },
  { to: "-s emulator-5554 emu sms send", out: "OK\r\n" },
];

/** The UDIDs of two simulators. */
export const UDID = "0F6E2A5C-0000-4000-8000-00000000000A";
/** @see UDID */
export const OTHER_UDID = "0F6E2A5C-0000-4000-8000-00000000000B";

/** What simctl prints for simulators, by runtime. */
export const simctlList = (devices: Readonly<Record<string, readonly object[]>>): string => JSON.stringify({ devices });
/** The runtime of an iOS simulator. */
export const IOS = "com.apple.CoreSimulator.SimRuntime.iOS-18-2";

/** Responses of xcrun with one booted simulator, where everything succeeds. */
export const ONE_SIMULATOR: readonly Answer[] = [
  {
    to: "simctl list devices booted --json",
    out: simctlList({ [IOS]: [{ udid: UDID, name: "iPhone 16", state: "Booted", isAvailable: true }] }),
  },
  { to: "simctl pbcopy" },
  { to: "simctl push", out: "Notification sent to 'com.example.app'\n" },
];

/** `stagedoor start --detach`: starts in the background (CONTRACT 13). */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { findStartLine, pageUrl, type Ready } from "#contract/ready.ts";
import { findHolder } from "#server/boot/holder.ts";
import { type Config, environment, type GivenOptions, readConfig } from "#server/config.ts";
import { withoutStrays } from "#server/variables.ts";
import { CommandError, type Io, print } from "./io.ts";
import { refuseOptions } from "./start.ts";

const readyLines = (
  { pid, adminUrl, authUrl, authTlsUrl, consoleUrl, dataDir, accessToken }: Ready,
  logFile: string,
): string[] => [
  `Stagedoor runs in the background (process ${pid}, ${dataDir === null ? "data in memory only" : `data in ${dataDir}`}).`,
  `  Admin    ${adminUrl}`,
  `  Auth     ${[authUrl, authTlsUrl].filter((url) => url !== undefined).join("  ")}`,
  `  Console  ${pageUrl(consoleUrl, accessToken)}`,
  `  Log      ${logFile}`,
  `Stop it with: stagedoor stop --url ${consoleUrl}`,
];

/** Dependencies of a background start. */
export interface DetachHost {
  /** The program and its arguments from `start` on, as this process was called. */
  readonly command: readonly string[];
  /** Aborts the start. */
  readonly signal: AbortSignal;
}

/** So much of the log is printed when a start fails. */
const LAST_LINES = 40;

/** A file to which the process prints; nobody else reads it, because it holds passcodes. */
interface Log {
  readonly file: string;
  readonly fd: number;
}

/** @returns a fresh log in the data folder; elsewhere if there is none, or another Stagedoor prints to the one that is there. */
const openLog = ({ dataDir, durability }: Config): Log => {
  const elsewhere = join(tmpdir(), `stagedoor-${process.pid}.log`);
  const open = (file: string): Log => ({ file, fd: openSync(file, "w", 0o600) });
  if (durability === "memory" || (findHolder(dataDir)?.standing ?? "gone") !== "gone") return open(elsewhere);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return open(join(dataDir, "stagedoor.log"));
  } catch {
    // The start itself says what is wrong with the folder.
    return open(elsewhere);
  }
};

/** What a start prints first on standard output: for people, or with `--json`. */
const FIRST_OUTPUT = /^(?:Stagedoor \d|\{"event":)/m;

/**
 * Starts Stagedoor in a process that stays when this one and its terminal end, and waits until it is ready. The process
 * prints to a log file, which each start begins anew.
 * @returns 0; if the start failed its status, after its own words. @throws CommandError if there is no process to be had.
 */
export const detach = async (options: GivenOptions, { command, signal }: DetachHost, io: Io): Promise<number> => {
  const read = readConfig(options);
  if ("errors" in read) return refuseOptions(read, io);
  const { file, fd } = openLog(read.config);
  const child = spawn(
    process.execPath,
    command.filter((word) => word !== "--detach"),
    {
      detached: true,
      windowsHide: true,
      stdio: ["ignore", fd, fd, "pipe"],
      // This process has complained about the others already.
      env: { ...withoutStrays(environment()), STAGEDOOR_READY_FD: "3" },
    },
  );
  closeSync(fd);
  signal.addEventListener("abort", () => child.kill());
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", (error) => reject(new CommandError(`Stagedoor could not be started: ${error.message}`)));
    child.once("close", (status) => resolve(status ?? 1));
  });
  const told = child.stdio[3];
  const ready = new Promise<Ready>((resolve) => {
    let said = "";
    if (told instanceof Readable)
      told.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const line = findStartLine(said);
        if (line?.event === "ready") resolve(line);
      });
  });
  const first = await Promise.race([ready, ended]);
  const printed = readFileSync(file, "utf8").trimEnd();
  if (typeof first === "number") {
    rmSync(file, { force: true });
    const failed = findStartLine(printed);
    const lines = printed.split("\n").filter((line) => findStartLine(line) === undefined);
    if (lines.join("") !== "") io.err(lines.slice(-LAST_LINES).join("\n"));
    if (failed !== undefined) io.json(`${JSON.stringify(failed)}\n`);
    return first;
  }
  const [notices = ""] = printed.split(FIRST_OUTPUT);
  if (notices !== "") io.err(notices.trimEnd());
  if (told instanceof Readable) told.destroy();
  child.unref();
  return print(io, read.config.json, { ...first, logFile: file }, readyLines(first, file));
};

/** `stagedoor start --detach`: starts in the background. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { findStartLine, pageUrl, type Ready } from "#contract/control/ready.ts";
import { findHolder } from "#server/boot/holder.ts";
import { type Config, environment, type GivenOptions, readConfig } from "#server/config.ts";
import { CommandError, type Io, print } from "#server/plumbing/io.ts";
import { withoutStrays } from "#server/variables.ts";
import { refuseOptions } from "./start.ts";

const readyLines = (ready: Ready, logFile: string): string[] => {
  const { pid, adminUrl, authUrl, authTlsUrl, consoleUrl, dataDir, accessToken } = ready;
  return [
    `Stagedoor runs in the background (process ${pid}, ${dataDir === null ? "data in memory only" : `data in ${dataDir}`}).`,
    `  Admin    ${adminUrl}`,
    `  Auth     ${[authUrl, authTlsUrl].filter((url) => url !== undefined).join("  ")}`,
    `  Console  ${pageUrl(consoleUrl, accessToken)}`,
    `  Log      ${logFile}`,
    `Stop it with: stagedoor stop --url ${consoleUrl}`,
  ];
};

/** How many lines of the log are printed if a start fails. */
const LAST_LINES = 40;

/**
 * Only the user can read the log, because it contains passcodes.
 * @returns a new log in the data folder; a temporary one if there is no folder, or another Stagedoor uses the log there.
 */
const openLog = ({ dataDir, durability }: Config): { readonly file: string; readonly fd: number } => {
  const open = (file: string) => ({ file, fd: openSync(file, "w", 0o600) });
  const temporary = join(tmpdir(), `stagedoor-${process.pid}.log`);
  if (durability === "memory" || (findHolder(dataDir)?.standing ?? "gone") !== "gone") return open(temporary);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return open(join(dataDir, "stagedoor.log"));
  } catch {
    // The start itself reports what is wrong with the folder.
    return open(temporary);
  }
};

/** The first output of a start, human-readable or with `--json`. */
const FIRST_OUTPUT = /^(?:Stagedoor \d|\{"event":)/m;

/**
 * Starts Stagedoor in a process that outlives this one and its terminal, and waits until it is ready. Its output goes to
 * a log file that is overwritten at each start. @param command the script, and its arguments from `start` on.
 * @returns 0; if the start fails, its exit status, after printing its errors. @throws CommandError if there is no process.
 */
export const detach =
  (command: readonly string[]) =>
  async (io: Io, signal: AbortSignal, options: GivenOptions): Promise<number> => {
    const read = readConfig(options);
    if ("errors" in read) return refuseOptions(io, read);
    const { file, fd } = openLog(read.config);
    const words = command.filter((word) => word !== "--detach");
    const child = spawn(process.execPath, words, {
      detached: true,
      windowsHide: true,
      stdio: ["ignore", fd, fd, "pipe"],
      // This process has already warned about unknown variables.
      env: { ...withoutStrays(environment()), STAGEDOOR_READY_FD: "3" },
    });
    closeSync(fd);
    signal.addEventListener("abort", () => child.kill());
    const ended = new Promise<number>((resolve, reject) => {
      child.once("error", (error) => reject(new CommandError(`Stagedoor could not be started: ${error.message}`)));
      child.once("close", (status) => resolve(status ?? 1));
    });
    const pipe = child.stdio[3];
    const ready = new Promise<Ready>((resolve) => {
      let output = "";
      if (pipe instanceof Readable)
        pipe.setEncoding("utf8").on("data", (text: string) => {
          output += text;
          const line = findStartLine(output);
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
      if (failed !== undefined) io.json(failed);
      return first;
    }
    const [notices = ""] = printed.split(FIRST_OUTPUT);
    if (notices !== "") io.err(notices.trimEnd());
    if (pipe instanceof Readable) pipe.destroy();
    child.unref();
    return print(io, read.config.json, { ...first, logFile: file }, readyLines(first, file));
  };

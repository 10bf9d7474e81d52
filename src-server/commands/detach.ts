/** `stagedoor start --detach`: a start in the background (CONTRACT 13). */
import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { findStartLine, type Ready } from "#contract/ready.ts";
import { environment, type GivenOptions, readConfig } from "#server/config.ts";
import { unknownVariables } from "#server/variables.ts";
import { CommandError, type Io, print } from "./io.ts";
import { refuseOptions } from "./start.ts";

const readyLines = ({ pid, adminUrl, authUrl, authTlsUrl, consoleUrl, dataDir, accessToken }: Ready): string[] => [
  `Stagedoor runs in the background (process ${pid}, ${dataDir === null ? "data in memory only" : `data in ${dataDir}`}).`,
  `  Admin    ${adminUrl}`,
  `  Auth     ${[authUrl, authTlsUrl].filter((url) => url !== undefined).join("  ")}`,
  `  Console  ${accessToken === undefined ? consoleUrl : `${consoleUrl}/?access_token=${accessToken}`}`,
  `Stop it with: stagedoor stop --url ${consoleUrl}`,
];

/** @returns the environment without the variables that this process has complained about already. */
const knownVariables = (): Record<string, string | undefined> => {
  const env = { ...environment() };
  for (const name of unknownVariables(env)) delete env[name];
  return env;
};

/** What a start in the background is told besides its options. */
export interface DetachHost {
  /** The program and its arguments, from `start` on: what this process was called with. */
  readonly command: readonly string[];
  /** Ends the wait, and the start. */
  readonly signal: AbortSignal;
}

/**
 * Starts Stagedoor in a process that stays when this one and its terminal end, and waits until it is ready. What it prints
 * later is lost.
 * @returns 0; if the start failed its status, after its own words. @throws CommandError if there is no process to be had.
 */
export const detach = async (options: GivenOptions, { command, signal }: DetachHost, io: Io): Promise<number> => {
  const read = readConfig(options);
  if ("errors" in read) return refuseOptions(read, io);
  const child = spawn(
    process.execPath,
    command.filter((word) => word !== "--detach"),
    {
      detached: true,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      env: { ...knownVariables(), STAGEDOOR_READY_FD: "3" },
    },
  );
  signal.addEventListener("abort", () => child.kill());
  const [, out, err, told] = child.stdio;
  const said = { out: "", err: "", told: "" };
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", (error) => reject(new CommandError(`Stagedoor could not be started: ${error.message}`)));
    child.once("close", (status) => resolve(status ?? 1));
  });
  const ready = new Promise<Ready>((resolve) => {
    for (const [name, stream] of [
      ["out", out],
      ["err", err],
      ["told", told],
    ] as const)
      if (stream instanceof Readable)
        stream.setEncoding("utf8").on("data", (text: string) => {
          said[name] += text;
          const line = findStartLine(said.told);
          if (line?.event === "ready") resolve(line);
        });
  });
  const first = await Promise.race([ready, ended]);
  if (said.err !== "") io.err(said.err.trimEnd());
  if (typeof first === "number") {
    if (said.out !== "") io.json(said.out);
    return first;
  }
  for (const stream of [out, err, told]) if (stream instanceof Readable) stream.destroy();
  child.unref();
  return print(io, read.config.json, first, readyLines(first));
};

/** The window's server: a running one, or one that the shell starts in a separate process. */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { utilityProcess } from "electron";
import { variable } from "#client/environment.ts";
import { type Failed, findStartLine, pageUrl } from "#contract/control/ready.ts";
import { withoutCommands } from "./words.ts";

/** How a process ended: its status, its last message, and for a failed start the reason. */
export type End = Readonly<{ status: number; words: string; failed?: Failed }>;

/** A running command. */
export interface CommandProcess {
  /** The console URL once the server is up, with the access token if required; undefined if it exits before that. */
  readonly consoleUrl: Promise<string | undefined>;
  readonly ended: Promise<End>;
  /** Stops it. @returns when it has exited, or after two seconds; then it exits with the shell. */
  stop(): Promise<unknown>;
}

/** The built command line, for a utility process; see electron.vite.config.ts. */
const COMMAND = fileURLToPath(new URL("./command.js", import.meta.url));
const ARGUMENT = "--console-url=";

/** @param argv the shell's arguments. @returns the console URL from `npm start`; undefined without one. */
export const givenConsoleUrl = (argv: readonly string[]): string | undefined => {
  const url = argv.findLast((argument) => argument.startsWith(ARGUMENT))?.slice(ARGUMENT.length);
  if (url === undefined || !URL.canParse(url) || new URL(url).protocol !== "http:") return undefined;
  // Not in the arguments, which all users of the machine can read.
  return pageUrl(url, variable("STAGEDOOR_ACCESS_TOKEN"));
};

/**
 * @param args for `stagedoor`. @param env more environment variables
 * @returns the command in a separate process. Electron's `app` must be ready.
 */
export const fork = (args: string[], env: NodeJS.ProcessEnv = {}): CommandProcess => {
  // biome-ignore lint/style/noProcessEnv: for the process that it starts, which reads its own configuration
  const options = { stdio: "pipe", serviceName: "Stagedoor server", env: { ...process.env, ...env } } as const;
  const child = utilityProcess.fork(COMMAND, args, options);
  const said = { stdout: "", stderr: "" };
  let isUp = (_url: string): unknown => undefined;
  const listen = (): void => {
    for (const name of ["stdout", "stderr"] as const)
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        said[name] = (said[name] + text).slice(-99_999);
        const line = findStartLine(said.stdout);
        if (line?.event === "ready") isUp(pageUrl(line.consoleUrl, line.accessToken));
      });
  };
  listen();
  child.on("error", () => {}); // Without a listener it would be thrown; "exit" follows it.
  const up = new Promise<string>((resolve) => (isUp = resolve));
  const ended = new Promise<number>((resolve) => child.once("exit", resolve)).then(async (status): Promise<End> => {
    listen(); // Electron removes all listeners on exit, although output may still be arriving.
    await sleep(100);
    const line = findStartLine(said.stdout);
    const failed = line?.event === "failed" ? { failed: line } : {};
    const text = failed.failed?.message ?? said.stderr.trim().slice(-4000);
    return { status, words: withoutCommands(text) || text || `It ended with status ${status}.`, ...failed };
  });
  return {
    consoleUrl: Promise.race([up, ended.then(() => undefined)]),
    ended,
    stop: () => Promise.race([ended, sleep(2000, child.kill())]),
  };
};

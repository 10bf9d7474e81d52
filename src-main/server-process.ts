/** Where the window's server comes from: one that runs already, or one that we start, in a process of its own. */
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { utilityProcess } from "electron";
import { parseReadyLine } from "#contract/ready.ts";

/** How a process ended: its status, and what it last said on standard error; a sentence, if it said nothing. */
export type End = Readonly<{ status: number; words: string }>;

/** The command line at work. */
export interface CommandProcess {
  /** The console's URL, once a server is up; undefined if it ends before that. */
  readonly consoleUrl: Promise<string | undefined>;
  readonly ended: Promise<End>;
  /** Asks it to end. @returns when it has ended, or after two seconds: then it ends with the shell. */
  stop(): Promise<unknown>;
}

/** The built command line, for a utility process; see electron.vite.config.ts. */
const COMMAND = fileURLToPath(new URL("./command.js", import.meta.url));
const ARGUMENT = "--console-url=";

/** @param argv the shell's arguments. @returns the console's URL that `npm start` passed on; undefined: we are on our own. */
export const givenConsoleUrl = (argv: readonly string[]): string | undefined => {
  const url = argv.findLast((argument) => argument.startsWith(ARGUMENT))?.slice(ARGUMENT.length);
  return url !== undefined && URL.canParse(url) && new URL(url).protocol === "http:" ? url : undefined;
};

/** @param args what follows `stagedoor`. @returns the command, in a process of its own. Electron's `app` must be ready. */
export const fork = (...args: string[]): CommandProcess => {
  const child = utilityProcess.fork(COMMAND, args, { stdio: "pipe", serviceName: "Stagedoor server" });
  const { stdout, stderr } = child;
  const words: string[] = [];
  const hear = (text: string): unknown => words.push(text) > 99 && words.shift();
  const listen = (): unknown => stderr?.setEncoding("utf8").on("data", hear);
  listen();
  // An "error" without a listener would be thrown; "exit" follows it.
  child.on("error", () => {});
  const exit = new Promise<number>((resolve) => child.once("exit", resolve));
  const ended = exit.then(async (status): Promise<End> => {
    // Electron takes all listeners off with the exit, though the last words may still be on their way.
    listen();
    await sleep(100);
    return { status, words: words.join("").trim().slice(-4000) || `It ended with status ${status}.` };
  });
  const up = new Promise<string>((resolve) => {
    const read = (url: string | undefined): unknown => url !== undefined && resolve(url);
    if (stdout !== null) createInterface(stdout).on("line", (line) => read(parseReadyLine(line)?.consoleUrl));
  });
  return {
    consoleUrl: Promise.race([up, ended.then(() => undefined)]),
    ended,
    stop: () => Promise.race([ended, sleep(2000, child.kill())]),
  };
};

/**
 * Where the window's server comes from: one that runs already, or one that we start, in a process of its own.
 */
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { utilityProcess } from "electron";
import { parseReadyLine } from "#contract/ready.ts";

/** A server that is up. */
export interface Server {
  readonly consoleUrl: string;
  /** Resolves when a server that we started has ended, with its exit status; never, for one that we attached to. */
  readonly ended: Promise<number>;
  /** Asks a server that we started to end; leaves one alone that we attached to. */
  stop(): void;
}

/** The built command line, beside the built shell. */
const CLI = fileURLToPath(new URL("../server/cli.js", import.meta.url));
const ARGUMENT = "--console-url=";

/**
 * @param argv the shell's own arguments
 * @returns the console's URL that `npm start` has passed on, or undefined: then the shell is on its own
 */
export const givenConsoleUrl = (argv: readonly string[]): string | undefined => {
  const url = argv.findLast((argument) => argument.startsWith(ARGUMENT))?.slice(ARGUMENT.length);
  return url !== undefined && URL.canParse(url) && new URL(url).protocol === "http:" ? url : undefined;
};

/** @param consoleUrl where a running server's console listens. */
export const attach = (consoleUrl: string): Server => ({ consoleUrl, ended: new Promise(() => {}), stop: () => {} });

/**
 * Starts the built server in a utility process. Electron's `app` must be ready.
 * @returns the server, once it has printed its ready line
 * @throws Error with the server's own words, if it ends before that
 */
export const startServer = (): Promise<Server> =>
  new Promise((resolve, reject) => {
    const child = utilityProcess.fork(CLI, ["start", "--headless", "--json"], {
      stdio: "pipe",
      serviceName: "Stagedoor server",
    });
    let complaint = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-4000);
    });
    const ended = new Promise<number>((end) => child.once("exit", end));
    ended.then((code) => reject(new Error(complaint.trim() || `The server ended with status ${code}.`)), reject);
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on("line", (line) => {
      const ready = parseReadyLine(line);
      if (ready !== undefined) resolve({ consoleUrl: ready.consoleUrl, ended, stop: () => child.kill() });
    });
  });

/**
 * `stagedoor start`: the three listeners in this process, until a signal stops it (CONTRACT 7).
 */
import { closeSync, writeSync } from "node:fs";
import type { Ready } from "#contract/ready.ts";
import type { Config } from "#server/config.ts";
import { createServer, type RunningServer } from "#server/server.ts";
import { StartError } from "#server/start-error.ts";
import type { Io } from "./io.ts";
import { openBrowser } from "./open-browser.ts";
import { consoleAddress, passcodeLine, readyText } from "./start-text.ts";
import { stopSignal } from "./stop-signal.ts";

/** What a start is told besides its configuration. */
export interface StartHost {
  /** Of Stagedoor. */
  readonly version: string;
  /** A descriptor that gets the ready line too, and is closed then. */
  readonly readyFd: number | undefined;
}

const readyLine = ({ urls, dataDir }: RunningServer, consoleUrl: string): string => {
  const ready: Ready = {
    event: "ready",
    pid: process.pid,
    adminUrl: urls.admin,
    authUrl: urls.auth,
    consoleUrl,
    dataDir: dataDir ?? "",
  };
  return `${JSON.stringify(ready)}\n`;
};

const tellStarter = (fd: number, line: string, io: Io): void => {
  try {
    writeSync(fd, line);
    if (fd > 2) closeSync(fd);
  } catch (error) {
    io.err(`STAGEDOOR_READY_FD: descriptor ${fd} cannot be written to (${String(error)}).`);
  }
};

const announce = (server: RunningServer, config: Config, host: StartHost, io: Io): void => {
  for (const notice of server.notices) io.err(notice);
  // Who started us opens the console, and needs its access token where there is one.
  if (host.readyFd !== undefined) tellStarter(host.readyFd, readyLine(server, consoleAddress(server)), io);
  if (config.json) {
    io.out(readyLine(server, server.urls.console));
    // The line of --json is the only one on standard output.
    if (server.accessToken !== null) io.err(`The console asks for an access token: ${server.accessToken}`);
  } else {
    const { colors } = io;
    io.out(readyText(server, { version: host.version, colors, platform: process.platform }));
    const names = new Map(server.apps.map((app) => [app.appId, app.name]));
    server.onPasscode((item) => {
      io.out(`${passcodeLine(item, names.get(item.appId) ?? item.appId, new Date(), colors)}\n`);
    });
  }
  if (config.open) openBrowser(consoleAddress(server), (text) => io.err(text));
};

/**
 * Starts, says so, and runs until SIGINT, SIGTERM or SIGHUP.
 * @returns 0 after a stop; 1 if it could not start; 3 if the data is damaged (CONTRACT 8).
 */
export const start = async (config: Config, host: StartHost, io: Io): Promise<number> => {
  const stopped = stopSignal((line) => io.err(line));
  let server: RunningServer;
  try {
    server = await createServer(config, { log: (line) => io.err(line), version: host.version });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    io.err(error.message);
    return error.exitStatus;
  }
  announce(server, config, host, io);
  await stopped;
  await server.close();
  return 0;
};

/** `stagedoor start`: runs the three listeners in this process until a signal stops it (CONTRACT 7). */
import { closeSync, writeSync } from "node:fs";
import { constants } from "node:os";
import type { Failed, Ready } from "#contract/ready.ts";
import { StartError } from "#server/boot/start-error.ts";
import { type Config, type GivenOptions, readConfig } from "#server/config.ts";
import { createServer, type RunningServer } from "#server/server.ts";
import type { Io } from "./io.ts";
import { consoleAddress, passcodeLine, readyText } from "./start-text.ts";

/** A stop must be complete within 2 s of the signal. */
const GRACE_MS = 1_900;
/** One ^C can arrive twice: from the terminal, and forwarded by npm. */
const ECHO_MS = 100;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How a process is asked to stop. */
interface Stop {
  /** Resolves on a request to stop. */
  readonly asked: Promise<void>;
  /** Requests a stop, as the control API does. The current response is still sent. */
  readonly ask: () => void;
}

/**
 * Waits for a signal or call that requests a stop. After that, a second signal or the stop timeout ends the process
 * immediately; everything acknowledged is in the journal by then.
 * @param late called with a message after the timeout.
 */
export const stopSignal = (late: (line: string) => void): Stop => {
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    let askedAt: number | undefined;
    const begin = (): void => {
      askedAt = performance.now();
      setTimeout(() => {
        late("Stopping took too long. The data is safe; the next start reads the journal.");
        process.exit(0);
      }, GRACE_MS).unref();
      resolve();
    };
    const stop = (signal: (typeof SIGNALS)[number]): void => {
      if (askedAt === undefined) begin();
      else if (performance.now() - askedAt > ECHO_MS) process.exit(128 + constants.signals[signal]);
    };
    for (const signal of SIGNALS) process.on(signal, stop);
    ask = () => setImmediate(() => askedAt ?? begin());
  });
  return { asked, ask };
};

/** Dependencies of a start, besides its configuration. */
export interface StartHost {
  /** Stagedoor's version. */
  readonly version: string;
  /** A file descriptor for the ready line, closed after writing. */
  readonly readyFd: number | undefined;
}

const readyLine = ({ urls, authTlsUrl, dataDir, accessToken }: RunningServer): string => {
  const ready: Ready = {
    event: "ready",
    pid: process.pid,
    adminUrl: urls.admin,
    authUrl: urls.auth,
    consoleUrl: urls.console,
    dataDir,
    ...(authTlsUrl === null ? {} : { authTlsUrl }),
    ...(accessToken === null ? {} : { accessToken }),
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

const announce = async (server: RunningServer, config: Config, host: StartHost, io: Io): Promise<void> => {
  for (const notice of server.notices) io.err(notice);
  if (host.readyFd !== undefined) tellStarter(host.readyFd, readyLine(server), io);
  if (config.json) io.json(readyLine(server));
  else {
    const qrCode = server.urls.lan.length === 0 ? undefined : (await import("uqr")).renderUnicodeCompact;
    io.out(readyText(server, { version: host.version, platform: process.platform }, qrCode));
    const names = new Map(server.apps.map((app) => [app.appId, app.name]));
    server.onPasscode((item) => {
      io.out([passcodeLine(item, names.get(item.appId) ?? item.appId, new Date()), "\n"]);
    });
  }
  if (config.open) {
    const { openBrowser } = await import("./open-browser.ts");
    openBrowser(server.browserUrl(), consoleAddress(server), (text) => io.err(text));
  }
};

/** Reports a failed start: human-readable, or with `--json` as one line. @returns the exit status. */
const report = ({ failure, exitStatus }: StartError, json: boolean, io: Io): number => {
  const line: Failed = { event: "failed", ...failure };
  if (json) io.json(`${JSON.stringify(line)}\n`);
  io.err(failure.message);
  return exitStatus;
};

/** Reports invalid options: the `errors` of `readConfig`. @returns the exit status. */
export const refuseOptions = ({ errors, json }: { errors: readonly string[]; json: boolean }, io: Io): number => {
  report(new StartError("invalid_options", errors.join("\n")), json, io);
  return 2;
};

/**
 * Starts, prints the URLs, and runs until SIGINT, SIGTERM, SIGHUP or POST `stop`. @param options given.
 * @returns 0 after a stop; 1 if it could not start; 2 if options are invalid; 3 if the data is damaged (CONTRACT 8,
 * 13).
 */
export const start = async (options: GivenOptions, host: StartHost, io: Io): Promise<number> => {
  const read = readConfig(options);
  if ("errors" in read) return refuseOptions(read, io);
  const { config } = read;
  const { asked: stopped, ask: stop } = stopSignal((line) => io.err(line));
  const waiting = new AbortController();
  void stopped.then(() => waiting.abort());
  let server: RunningServer;
  try {
    const log = (line: string): void => io.err(line);
    server = await createServer(config, { log, version: host.version, signal: waiting.signal, stop });
  } catch (error) {
    if (waiting.signal.aborted) return 0;
    if (error instanceof StartError) return report(error, config.json, io);
    throw error;
  }
  await announce(server, config, host, io);
  await stopped;
  await server.close();
  return 0;
};

/** `stagedoor start`: runs the three listeners in this process until a signal stops it. */
import { closeSync, writeSync } from "node:fs";
import { constants } from "node:os";
import type { Failed, Ready } from "#contract/control/ready.ts";
import { StartError } from "#server/boot/start-error.ts";
import { type Config, type GivenOptions, readConfig } from "#server/config.ts";
import type { StartedLine } from "#server/plumbing/define.ts";
import type { Io } from "#server/plumbing/io.ts";
import { openBrowser } from "#server/plumbing/open-browser.ts";
import { createServer, type RunningServer } from "#server/server.ts";
import { showProgress } from "./progress.ts";
import { consoleAddress, firstFailureLine, passcodeLine, readyText } from "./start-text.ts";

/** A stop must be complete within 2 s of the signal. */
const GRACE_MS = 1_900;
/** One ^C can arrive twice: from the terminal, and forwarded by npm. */
const ECHO_MS = 100;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Waits for a signal or call that requests a stop. After that, a second signal or the stop timeout ends the process
 * immediately; everything acknowledged is in the journal by then.
 * @param late called with a message after the timeout.
 * @returns `asked` resolves on a request to stop; `ask` requests it, after the current response.
 */
export const stopSignal = (late: (line: string) => void): { asked: Promise<void>; ask: () => void } => {
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

/** Dependencies of a start: Stagedoor's version, a file descriptor for the ready line or the failure, closed after writing. */
export interface StartHost {
  readonly version: string;
  readonly readyFd: number | undefined;
  /** What features say once it has started. */
  readonly started: readonly StartedLine[];
}

const readyOf = ({ urls, publicUrls, authTlsUrl, dataDir, accessToken }: RunningServer): Ready => ({
  event: "ready",
  pid: process.pid,
  adminUrl: urls.admin,
  authUrl: urls.auth,
  consoleUrl: urls.console,
  dataDir,
  ...(Object.keys(publicUrls).length > 0 && { publicUrls }),
  ...(authTlsUrl === null ? {} : { authTlsUrl }),
  ...(accessToken === null ? {} : { accessToken }),
});

/** The ready line of another program, which also hears whether the next start will have another port. */
interface StarterLine extends Ready {
  readonly anyPort?: true;
}

const starterLine = (server: RunningServer, { consolePort }: Config): StarterLine => ({
  ...readyOf(server),
  ...(consolePort === 0 && { anyPort: true }),
});

const tellStarter = (fd: number, line: StarterLine | Failed, io: Io): void => {
  try {
    writeSync(fd, `${JSON.stringify(line)}\n`);
    if (fd > 2) closeSync(fd);
  } catch (error) {
    io.err(`STAGEDOOR_READY_FD: descriptor ${fd} cannot be written to (${String(error)}).`);
  }
};

const announce = async (server: RunningServer, config: Config, host: StartHost, io: Io): Promise<void> => {
  for (const notice of server.notices) io.err(notice);
  if (host.readyFd !== undefined) tellStarter(host.readyFd, starterLine(server, config), io);
  if (config.json) {
    io.json(readyOf(server));
    server.onFirstFailure((failure) => io.json({ event: "failure", ...failure }));
  } else {
    const qrCode = server.urls.lan.length === 0 ? undefined : (await import("uqr")).renderUnicodeCompact;
    io.out(readyText(server, { ...host, platform: process.platform }, qrCode));
    server.onFirstFailure((failure) => io.out([firstFailureLine(failure, new Date()), "\n"]));
    const names = new Map(server.apps.map((app) => [app.appId, app.name]));
    server.onPasscode((item) => {
      io.out([passcodeLine(item, names.get(item.appId) ?? item.appId, new Date()), "\n"]);
    });
  }
  if (config.open) openBrowser(server.browserUrl(), consoleAddress(server), (text) => io.err(text));
};

/** Reports a failed start: human-readable, or with `--json` as one line. @returns the exit status. */
const reportRefusal = (io: Io, { failure, exitStatus }: StartError, json: boolean): number => {
  if (json) io.json({ event: "failed", ...failure });
  io.err(failure.message);
  return exitStatus;
};

/** Reports invalid options: the `errors` of `readConfig`. @returns the exit status. */
export const refuseOptions = (io: Io, { errors, json }: { errors: readonly string[]; json: boolean }): number => {
  reportRefusal(io, new StartError("invalid_options", errors.join("\n")), json);
  return 2;
};

/**
 * Starts, prints the URLs, and runs until SIGINT, SIGTERM, SIGHUP or POST `stop`. @param options given.
 * @returns 0 after a stop; 1 if it could not start; 2 if options are invalid; 3 if the data is damaged.
 */
export const start =
  (host: StartHost) =>
  async (io: Io, options: GivenOptions): Promise<number> => {
    const read = readConfig(options);
    if ("errors" in read) return refuseOptions(io, read);
    const { config } = read;
    const log = (line: string): void => io.err(line);
    const { asked: stopped, ask: stop } = stopSignal(log);
    const waiting = new AbortController();
    void stopped.then(() => waiting.abort());
    let server: RunningServer;
    const endProgress = config.fixtures.length === 0 ? () => undefined : showProgress(io, "Importing the fixtures");
    try {
      server = await createServer(config, { log, version: host.version, signal: waiting.signal, stop });
    } catch (error) {
      if (waiting.signal.aborted) return 0;
      if (!(error instanceof StartError)) throw error;
      if (host.readyFd !== undefined) tellStarter(host.readyFd, { event: "failed", ...error.failure }, io);
      return reportRefusal(io, error, config.json);
    } finally {
      endProgress();
    }
    await announce(server, config, host, io);
    await stopped;
    await server.close();
    return 0;
  };

/** `stagedoor open FILE`: shows a downloaded login in a temporary Stagedoor (CONTRACT 13). */
import { connect, StagedoorError } from "#client/index.ts";
import { type LoginBundle, loginBundle } from "#contract/bundles.ts";
import { readJson } from "#contract/json-text.ts";
import { fieldErrors } from "#contract/validation.ts";
import { bytesOf, fileText } from "#server/fixtures/file-text.ts";
import type { RunningServer } from "#server/server.ts";
import { CommandError, type Io, printable } from "./io.ts";
import { startOwn } from "./own-server.ts";
import { stopSignal } from "./start.ts";

/** @see open */
export interface OpenOptions {
  /** Opens no browser. */
  readonly headless?: boolean | undefined;
  readonly consolePort?: string | undefined;
  readonly json?: boolean | undefined;
}

const wrong = (file: string, why: string): CommandError =>
  new CommandError(
    `${file} ${why}. Download one with GET /emulator/v1/requests/:id/bundle, or in the console at a request.`,
  );

const readBundle = async (file: string): Promise<LoginBundle> => {
  const bytes = await bytesOf(file);
  if (typeof bytes === "string") throw new CommandError(`${file}: ${bytes}`);
  const { text, error } = fileText(bytes);
  if (error !== undefined) throw new CommandError(`${file}:${error}`);
  const read = readJson(text);
  if ("error" in read) throw wrong(file, `is no download of a login: ${read.error.message}, line ${read.error.line}`);
  const checked = loginBundle.safeParse(read.value, { reportInput: true });
  if (checked.success) return checked.data;
  const [[path = "", texts = []] = []] = Object.entries(fieldErrors(checked.error));
  throw wrong(file, `is no download of a login: ${printable(path)} ${texts.join(", ")}`);
};

/** Restores the state of the other Stagedoor, with a frozen clock. */
const show = async (server: RunningServer, { state, clock }: LoginBundle): Promise<void> => {
  const client = connect(server.urls.console);
  try {
    await client.state.import(JSON.parse(JSON.stringify(state)), { mode: "replace" });
    await client.clock.set({ frozenAt: clock.now });
  } catch (error) {
    if (error instanceof StagedoorError) throw new CommandError(`The state could not be shown: ${error.message}`);
    throw error;
  }
};

/**
 * Starts a Stagedoor on free ports, with data in memory, that shows the requests of a login and the state after it;
 * opens the console there, and runs until a signal.
 * @returns 0. @throws CommandError if the file is invalid, or the start fails.
 */
export const open = async (file: string, options: OpenOptions, version: string, io: Io): Promise<number> => {
  const bundle = await readBundle(file);
  const { headless = false, consolePort = "0", json = false } = options;
  const { asked: stopped, ask: stop } = stopSignal((line) => io.err(line));
  const log = (line: string): void => io.err(line);
  const server = await startOwn({ consolePort }, { log, version, seen: bundle, stop });
  try {
    await show(server, bundle);
    const appId = bundle.state.apps[0]?.appId;
    const url = `${server.urls.console}/requests/${bundle.requestId}${appId === undefined ? "" : `?app=${appId}`}`;
    if (json)
      io.json(`${JSON.stringify({ event: "ready", pid: process.pid, url, consoleUrl: server.urls.console })}\n`);
    else {
      const many = bundle.requests.length === 1 ? "1 request" : `${bundle.requests.length} requests`;
      io.out(
        `${many} of ${appId ?? "an unknown app"}, as of ${bundle.clock.now}:\n\n  ${url}\n\nPress Ctrl+C to stop.\n`,
      );
    }
    if (!headless) (await import("./open-browser.ts")).openBrowser(url, url, log);
    await stopped;
  } finally {
    await server.close();
  }
  return 0;
};

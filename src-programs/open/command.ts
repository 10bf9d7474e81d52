/** `stagedoor open`: the console in a browser; with a FILE, a downloaded login or an exploration in a temporary Stagedoor. */
import { connect, StagedoorError } from "#client/index.ts";
import { type Explored, explored, exploredSummary } from "#contract/documents/explorations.ts";
import { fieldErrors } from "#contract/validation.ts";
import { readJson } from "#contract/words/json-text.ts";
import { many } from "#contract/words/words.ts";
import { type LoginBundle, loginBundle } from "#features/history/bundle/contract/bundles.ts";
import { runOwn } from "#server/commands/own-server.ts";
import { bytesOf, fileText } from "#server/fixtures/file-text.ts";
import { withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, printable } from "#server/plumbing/io.ts";
import { openBrowser } from "#server/plumbing/open-browser.ts";

/** @see open. `headless`: the same as without `open`. */
export interface OpenOptions {
  readonly open: boolean;
  readonly headless?: boolean;
  readonly consolePort?: string;
  readonly json?: boolean;
}

const wrong = (file: string, why: string): CommandError =>
  new CommandError(
    `${file} is not a downloaded login: ${why}. Download one in the console, at a request, or with GET /emulator/v1/requests/:id/bundle.`,
  );

type Shown = { readonly login: LoginBundle } | { readonly exploration: Explored };

const readShown = (file: string): Shown => {
  const bytes = bytesOf(file);
  if (typeof bytes === "string") throw new CommandError(`${file}: ${bytes}`);
  const { text, error } = fileText(bytes);
  if (error !== undefined) throw new CommandError(`${file}:${error}`);
  const read = readJson(text);
  if ("error" in read) throw wrong(file, `${read.error.message}, line ${read.error.line}`);
  const matrix = explored.safeParse(read.value);
  if (matrix.success) return { exploration: matrix.data };
  const checked = loginBundle.safeParse(read.value, { reportInput: true });
  if (checked.success) return { login: checked.data };
  const [[path = "", texts = []] = []] = Object.entries(fieldErrors(checked.error));
  throw wrong(file, `${printable(path)} ${texts.join(", ")}`);
};

/** Restores the state of the other Stagedoor, with a frozen clock. */
const restore = async (consoleUrl: string, { state, clock }: LoginBundle): Promise<void> => {
  const client = connect(consoleUrl);
  try {
    await client.state.import(JSON.parse(JSON.stringify(state)), { mode: "replace" });
    await client.clock.set({ frozenAt: clock.now });
  } catch (error) {
    if (error instanceof StagedoorError) throw new CommandError(`The state could not be shown: ${error.message}`);
    throw error;
  }
};

/** Opens the console of the running emulator. @returns 0. @throws CommandError if there is none. */
const openConsole = async (io: Io, isQuiet: boolean, json: boolean): Promise<number> => {
  const url = await withEmulator({}, async (client) => (await client.status()).urls.console);
  if (json) io.json({ url });
  else io.out(`${url}\n`);
  if (!isQuiet) openBrowser(url, url, (line) => io.err(line));
  return 0;
};

/** @returns what an opened file is in words, and the page of the console that shows it. */
const pageOf = (shown: Shown): readonly [words: string, path: string] => {
  if ("exploration" in shown) return [exploredSummary(shown.exploration), "/requests/exploration"];
  const { requests, requestId, clock, state } = shown.login;
  const appId = state.apps[0]?.appId;
  return [
    `${many(requests.length, "request")} of ${appId ?? "an unknown app"}, as of ${clock.now}`,
    `/codes/${requestId}${appId === undefined ? "" : `?app=${appId}`}`,
  ];
};

/**
 * Starts a Stagedoor on free ports, with data in memory, that shows a login as a film, its requests, and the state after it,
 * or an exploration; opens the console there, and runs until a signal.
 * Without a file it only opens the console of the running emulator.
 * @returns 0. @throws CommandError if the file is invalid, the start fails, or nothing is running.
 */
export const open =
  (version: string) =>
  async (
    io: Io,
    file: string | undefined,
    { open: opens, headless, consolePort = "0", json }: OpenOptions,
  ): Promise<number> => {
    const isQuiet = !opens || headless === true;
    if (file === undefined) return await openConsole(io, isQuiet, json === true);
    const shown = readShown(file);
    const seen = "login" in shown ? shown.login : { requests: [], faults: [], ...shown };
    return await runOwn({ consolePort }, { version, seen }, io, async ({ urls: { console: consoleUrl } }) => {
      if ("login" in shown) await restore(consoleUrl, shown.login);
      const [what, path] = pageOf(shown);
      const url = consoleUrl + path;
      if (json === true) io.json({ event: "ready", pid: process.pid, url, consoleUrl });
      else io.out(`${what}:\n\n  ${url}\n\nPress Ctrl+C to stop.\n`);
      if (!isQuiet) openBrowser(url, url, (line) => io.err(line));
    });
  };

/** Failed logins as `exec` and `requests --save` tell and save them. */
import { join } from "node:path";
import type { Client } from "#client/client.ts";
import type { RequestRow } from "#client/records.ts";
import { refusalWords } from "#contract/control/refusals.ts";
import { shellWord } from "#contract/words/shell-words.ts";
import { many } from "#contract/words/words.ts";
import type { Closing } from "#server/plumbing/define.ts";
import { withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, printable } from "#server/plumbing/io.ts";
import { tryWhole, writeWhole } from "#server/plumbing/write-whole.ts";
import { requestLine } from "./tail.ts";

/** What `exec` says and saves of failed requests; `save`: a folder. */
export interface FailureOptions {
  readonly save?: string;
  readonly quiet?: boolean;
}

const OWNER_ONLY = 0o600;
/** A longer command is not repeated; in characters. */
const MOST_COMMAND = 120;
/** So many failed requests are told. */
const MOST_TOLD = 10;
/** So many are searched for logins to save. */
const MOST_ROWS = 1_000;

/** Writes the login of a request for `stagedoor open`, readable only by the user. @throws CommandError */
export const saveLogin = async ({ requests }: Client, { id }: RequestRow, file: string): Promise<void> =>
  await writeWhole(file, `${JSON.stringify(await requests.bundle(id))}\n`, undefined, OWNER_ONLY);

/** @returns the file of each failed login, by its id. */
const saveLogins = async (client: Client, folder: string): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>();
  // The newest failed request of a login stands for it.
  for (const row of (await client.requests.list({ failed: "1", limit: MOST_ROWS })).items) {
    const login = row.login?.id ?? row.id;
    if (files.has(login)) continue;
    const file = join(folder, `${row.reason ?? "no_response"}-${login.slice(0, 8)}.json`);
    files.set(login, file);
    await saveLogin(client, row, file);
  }
  return files;
};

const failureLines = (row: RequestRow, file: string | undefined): readonly string[] => {
  const [advice] = row.advice;
  const why = advice === undefined ? ["Reason", refusalWords(row) ?? ""] : ["Fix", advice.text];
  const lines = [`  ${requestLine(row)}`, `    ${why.join(": ")}`];
  return file === undefined ? lines : [...lines, `    Open: stagedoor open ${file}`];
};

/**
 * Tells which requests failed while a command ran that failed, the newest last, and saves their logins.
 * @param words of the command. @returns what does so, once the command has ended; its status is 1 if a login cannot be
 * written. @throws CommandError if the folder cannot be made.
 */
export const failuresOf = async (
  { save, quiet = false }: FailureOptions,
  words: readonly string[],
): Promise<(...given: [...Parameters<Closing>, status: number]) => Promise<number>> => {
  if (save !== undefined) await tryWhole(join(save, "login"));
  return async ({ urls }, io, status) => {
    const isTold = status !== 0 && !quiet;
    if (!isTold && save === undefined) return 0;
    return await withEmulator({ url: urls.console }, async (client) => {
      const files = save === undefined ? undefined : await saveLogins(client, save);
      if (isTold) await tell(client, files, words, io);
      return 0;
    });
  };
};

const tell = async (
  { requests }: Client,
  files: ReadonlyMap<string, string> | undefined,
  words: readonly string[],
  io: Io,
): Promise<void> => {
  const { items, total } = await requests.list({ failed: "1", limit: MOST_TOLD });
  if (items.length === 0) return;
  const newest = total > items.length ? `, of which these are the newest ${items.length}` : "";
  io.err(`\nStagedoor rejected ${many(total, "request")} of this run${newest}:`);
  for (const row of items.toReversed())
    for (const line of failureLines(row, files?.get(row.login?.id ?? row.id))) io.err(printable(line));
  const command = words.map((word) => shellWord(word, process.platform)).join(" ");
  const shown = command.length > MOST_COMMAND || command !== printable(command) ? "CMD" : command;
  if (files === undefined) io.err(`To keep these logins: stagedoor exec --save logins -- ${shown}`);
};

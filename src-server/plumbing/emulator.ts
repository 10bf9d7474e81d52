/** Finds and calls the running emulator, for client commands. */
import type { Client } from "#client/client.ts";
import { connect, StagedoorError } from "#client/index.ts";
import type { Status } from "#client/records.ts";
import { schemeWords } from "#client/transport.ts";
import { errorBody } from "#contract/service/problems.ts";
import { BLANK } from "#contract/validation.ts";
import { findInstance, type Whereabouts } from "./find-instance.ts";
import { CommandError, printable, wrongUsage } from "./io.ts";

export type { Whereabouts } from "./find-instance.ts";

/** Options that most commands for a running emulator have. */
export interface ClientOptions extends Whereabouts {
  /** Only this app. */
  readonly app?: string | undefined;
  /** Prints the result as one line of JSON. */
  readonly json?: boolean | undefined;
}

/** @returns an instance as a command that removes data names it. */
export const instanceWords = ({ urls, dataDir }: Pick<Status, "urls" | "dataDir">): string =>
  `${urls.console}, ${dataDir === null ? "data in memory" : `data in ${printable(dataDir)}`}`;

/** @returns the same of the instance of a client; only its URL where the token cannot read the status. */
export const whereWords = async (client: Client): Promise<string> =>
  await client.status().then(instanceWords, () => client.consoleUrl);

const whyUnreachable = ({ cause: failed }: StagedoorError): string => {
  const cause = failed instanceof Error ? (failed.cause ?? failed) : failed;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ECONNREFUSED") return "connection refused";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "unknown host name";
  return code || (cause instanceof Error ? cause.message : String(cause));
};

/** @returns how to name the app that a call needs: the option, and the apps there are. */
const whichApp = async (client: Client, texts: readonly string[]): Promise<string> => {
  const { items } = await client.apps.list();
  const wrong = texts.map((text) => (text === BLANK ? "is required" : text)).join(", ");
  return printable(`--app ${wrong}. Apps: ${items.map(({ appId }) => appId).join(", ")}`);
};

/** @returns an error response as text, one line per field. */
const errorWords = (error: StagedoorError, client: Client, from: string): string => {
  if (error.reason === "unreachable") {
    const found = from.startsWith("--") ? "" : ` (from ${from})`;
    const where = `Stagedoor does not respond at ${client.consoleUrl}${found}`;
    const scheme = schemeWords(client.consoleUrl, error.cause);
    if (scheme !== "") return `${where}.${scheme}`;
    return `${where}: ${whyUnreachable(error)}. Start it with \`stagedoor start\`.`;
  }
  const lines = Object.entries(error.fields).flatMap(([field, texts]) =>
    // A sentence about an unknown name says which, and its field is no word of the command line.
    texts.map((text) => printable(text.startsWith("Unknown ") ? text : `${field}: ${text}`)),
  );
  if (lines.length > 0) return lines.join("\n");
  if (error.reason === "not_stagedoor")
    return `The response (${error.status}) is not from Stagedoor. Check the console URL.`;
  const body = errorBody.safeParse(error.body).data;
  // Errors of the client itself, for example a timeout.
  if (body === undefined) return printable(error.message);
  // A 404 is self-explanatory.
  return printable(error.status === 404 ? body.instruction : `${body.instruction} (${error.status} ${body.message})`);
};

/**
 * Finds the running emulator and uses it.
 * @param where options of the command line. Order: `--url`, STAGEDOOR_CONSOLE_URL, the lock file in the data directory
 * and, without a given directory, the default port.
 * @returns what `use` returns. @throws CommandError if there is none, or a call fails.
 */
export const withEmulator = async <T>(where: Whereabouts, use: (client: Client) => Promise<T>): Promise<T> => {
  const [consoleUrl, from] = findInstance(where);
  if (!/^https?:$/.test(URL.canParse(consoleUrl) ? new URL(consoleUrl).protocol : ""))
    throw wrongUsage(`${from} must be a URL such as http://127.0.0.1:4012, not "${printable(consoleUrl)}".`);
  const client = connect({ consoleUrl, accessToken: where.accessToken });
  try {
    return await use(client);
  } catch (error) {
    if (!(error instanceof StagedoorError)) throw error;
    const { appId } = error.fields;
    const words = appId === undefined ? errorWords(error, client, from) : await whichApp(client, appId);
    throw new CommandError(words, 1, { cause: error });
  }
};

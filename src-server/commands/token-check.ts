/** `stagedoor token-check URL`: calls a backend from here with a valid token and with defective ones (CONTRACT 11). */
import type { Client } from "#client/client.ts";
import { StagedoorError } from "#client/index.ts";
import { type TokenCheckAnswer, type TokenCheckItem, tokenCheckInput } from "#contract/token-check.ts";
import { DEFECT_NAMES, DEFECTS, type Defect } from "#contract/token-defects.ts";
import { verdictWords } from "#contract/token-verdict.ts";
import { fieldErrors } from "#contract/validation.ts";
import { checkTokens } from "#server/boot/token-check.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { CommandError, type Io, printable, wrongUsage } from "./io.ts";

/** @see tokenCheck */
export interface TokenCheckOptions extends Whereabouts {
  readonly app?: string | undefined;
  /** Phone number or email address of the user. */
  readonly to?: string | undefined;
  readonly method?: string | undefined;
  readonly header?: string | undefined;
  readonly body?: string | undefined;
  readonly json?: boolean | undefined;
}

/** @returns the user to sign in: the given one, or the first one of the app. @throws CommandError if there is none. */
const userOf = async (client: Client, { app: named, to }: TokenCheckOptions) => {
  const appId = named ?? (await client.apps.list()).items[0]?.appId;
  if (appId === undefined) throw new CommandError("There is no app. Create one first.");
  const { items } = await client.profiles.list({ appId, limit: 1, ...(to === undefined ? {} : { q: to }) });
  const [user] = items;
  if (user !== undefined) return user;
  const sought = to === undefined ? "" : ` matches "${printable(to)}"`;
  throw new CommandError(
    `No user of app "${printable(appId)}"${sought}. Create one first, or choose another with --to or --app.`,
  );
};

/** @returns a token for each defect that is possible. */
const wrongTokens = async ({ sessions }: Client, id: string): Promise<ReadonlyMap<Defect, string>> => {
  const tokens = new Map<Defect, string>();
  for (const defect of DEFECT_NAMES)
    try {
      tokens.set(defect, (await sessions.wrongToken(id, { defect })).token);
    } catch (error) {
      if (!(error instanceof StagedoorError && error.reason === "invalid_fields")) throw error;
    }
  return tokens;
};

const noteOf = ({ defect, ok, advice, verdict }: TokenCheckItem): string => {
  if (defect === null) return ok ? "" : "must be accepted";
  if (!ok) return `must be refused: ${DEFECTS[defect].why}`;
  if (verdict === "refused") return "";
  return advice ? "advice only" : "no clear refusal";
};

/** @returns the result as a table. */
const tableOf = (answer: TokenCheckAnswer): string => {
  const rows = answer.items.map((item) => [
    item.ok ? " " : "✗",
    item.defect ?? "good token",
    String(item.status ?? "–"),
    item.verdict,
    noteOf(item),
  ]);
  const widths = [1, 18, 6, 8];
  const lines = [["", "Token", "Status", "Verdict", ""], ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n\n`;
};

/**
 * Prints how a backend responds to each token. @param url an endpoint that requires a token.
 * @returns 0, or 1 if a token that must be refused was accepted, or the valid one was refused.
 * @throws CommandError
 */
export const tokenCheck = async (url: string, options: TokenCheckOptions, io: Io): Promise<number> => {
  const { method, header, body } = options;
  const parsed = tokenCheckInput.safeParse(
    {
      url,
      ...(method === undefined ? {} : { method: method.toUpperCase() }),
      ...(header === undefined ? {} : { header }),
      ...(body === undefined ? {} : { body }),
    },
    { reportInput: true },
  );
  if (!parsed.success) {
    const lines = Object.entries(fieldErrors(parsed.error)).map(
      ([field, texts]) => `${field === "url" ? "The URL" : `--${field}`} ${texts.join(", ")}`,
    );
    throw wrongUsage(printable(lines.join("; ")));
  }
  const answer = await withEmulator(options, async (client) => {
    const { appId, userId } = await userOf(client, options);
    const { id, token } = await client.sessions.create({ appId, userId });
    try {
      const tokens = await wrongTokens(client, id);
      const sign = async (defect: Defect | null) => (defect === null ? token : (tokens.get(defect) ?? ""));
      // The user chose this URL, and it is called from their own machine, so any address is allowed.
      return await checkTokens(parsed.data, { sign, defects: [...tokens.keys()], addressError: () => undefined });
    } finally {
      await client.sessions.revoke(id).catch(() => undefined);
    }
  });
  if ("problem" in answer)
    throw new CommandError(`The URL ${answer.problem.fields?.["url"]?.join() ?? "was refused"}.`);
  if (options.json === true) io.json(`${JSON.stringify(answer)}\n`);
  else io.out(`${answer.error === undefined ? tableOf(answer) : ""}${verdictWords(answer)}\n`);
  return answer.ok ? 0 : 1;
};

/** `stagedoor token-check URL`: calls a backend from here with a valid token and with defective ones. */
import type { Client } from "#client/client.ts";
import { StagedoorError } from "#client/index.ts";
import { DEFECT_NAMES, DEFECTS, type Defect, ROTATION_NAMES } from "#contract/service/token-defects.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, printable } from "#server/plumbing/io.ts";
import { checked, given, wholeNumber } from "#server/plumbing/options.ts";
import { checkTokens } from "./check-tokens.ts";
import { type TokenCheckAnswer, type TokenCheckItem, tokenCheckInput } from "./contract/token-check.ts";
import { verdictWords } from "./contract/words.ts";

/** @see tokenCheck. `to`: phone number or email address of the user. */
export interface TokenCheckOptions extends ClientOptions {
  readonly to?: string;
  readonly method?: string;
  readonly header?: string;
  readonly body?: string;
  readonly rotate?: boolean;
  readonly cooldown?: string;
}

/** @returns the user to sign in: the given one, or the first one of the app. @throws CommandError if there is none. */
const userOf = async (client: Client, { app: named, to: q }: TokenCheckOptions) => {
  const appId = named ?? (await client.apps.list()).items[0]?.appId;
  if (appId === undefined) throw new CommandError("There is no app. Create one first.");
  const [user] = (await client.profiles.list({ appId, limit: 1, ...given({ q }) })).items;
  if (user !== undefined) return user;
  const sought = q === undefined ? "" : ` matches "${printable(q)}"`;
  throw new CommandError(
    `No user of app "${printable(appId)}"${sought}. Create one first, or choose another with --to or --app.`,
  );
};

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
  if (defect === "newKey") return ok ? "" : `must be accepted: ${DEFECTS[defect].why}`;
  if (!ok) return `must be refused: ${DEFECTS[defect].why}`;
  if (verdict === "refused") return "";
  return advice ? "advice only" : "no clear refusal";
};

const rowText = (mark: string, token: string, status: string, verdict: string, note: string): string =>
  `${mark.padEnd(1)}  ${token.padEnd(18)}  ${status.padEnd(6)}  ${verdict.padEnd(8)}  ${note}`.trimEnd();

const tableOf = ({ items }: TokenCheckAnswer): string => {
  const rows = items.map((item) => {
    const { ok, defect, status, verdict } = item;
    return rowText(ok ? " " : "✗", defect ?? "valid token", String(status ?? "–"), verdict, noteOf(item));
  });
  return `${[rowText("", "Token", "Status", "Verdict", ""), ...rows].join("\n")}\n\n`;
};

/** @returns 0, or 1 if a token was accepted that must not be, or the other way round. @throws CommandError */
export const tokenCheck = async (
  io: Io,
  ended: AbortSignal,
  url: string,
  options: TokenCheckOptions,
): Promise<number> => {
  const { method, header, body, json, rotate, cooldown } = options;
  const input = checked(
    tokenCheckInput,
    {
      url,
      ...given({
        method: method?.toUpperCase(),
        header,
        body,
        rotate,
        cooldownSeconds: wholeNumber(cooldown, "--cooldown", 0, 60),
      }),
    },
    (field) => (field === "url" ? "The URL" : `--${field}`),
    { between: "; " },
  );
  const answer = await withEmulator(options, async (client) => {
    const { appId, userId } = await userOf(client, options);
    const { id, token } = await client.sessions.create({ appId, userId });
    try {
      const tokens = await wrongTokens(client, id);
      const sign = async (defect: Defect | null) =>
        defect === null ? token : (tokens.get(defect) ?? (await client.sessions.wrongToken(id, { defect })).token);
      // HS256 has no key that could be in the JWKS.
      const rotations = rotate === true && tokens.has("unknownKid") ? ROTATION_NAMES : [];
      return await checkTokens(input, {
        sign,
        defects: [...rotations, ...tokens.keys()],
        // The user chose this URL, and it is called from their own machine, so any address is allowed.
        addressError: () => undefined,
        onWait: (seconds) =>
          io.err(`The new key was not accepted. Trying again in ${seconds} s, when verifiers may read the JWKS again.`),
        signal: ended,
      });
    } finally {
      await client.sessions.revoke(id).catch(() => undefined);
    }
  });
  if ("problem" in answer)
    throw new CommandError(`The URL ${answer.problem.fields?.["url"]?.join() ?? "was refused"}.`);
  if (ended.aborted) throw new CommandError("Interrupted.");
  if (json === true) io.json(answer);
  else io.out(`${answer.error === undefined ? tableOf(answer) : ""}${verdictWords(answer)}\n`);
  return answer.ok ? 0 : 1;
};

/** `stagedoor env`: the URLs, the app and the secret of the running Stagedoor, for a project's own settings. */
import { noApp } from "#contract/words/not-found.ts";
import { quoted } from "#contract/words/shell-words.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, printable, wrongUsage } from "#server/plumbing/io.ts";
import { namesGiven, VALUES, type ValueName } from "./env-names.ts";

/** @see env */
export interface EnvOptions extends ClientOptions {
  readonly dotenv?: boolean;
  readonly shell?: boolean;
  readonly as?: readonly string[];
}

const usual = Object.entries(VALUES).map(([value, name]) => [name, value as ValueName] as const);

/** @returns a value as dotenv files have it: if it must be quoted, by a quote that it does not have, as they know no escapes. */
const dotenvText = (value: string): string => {
  const quote = /^[\w.:/@+-]*$/.test(value) ? "" : (["'", '"', "`"].find((one) => !value.includes(one)) ?? "");
  return `${quote}${value}${quote}`;
};

/** Prints them, as lines of a .env file by default. @returns 0. @throws CommandError if there is no such app, or none whose id or secret is asked for. */
export const env = async (io: Io, { dotenv, shell, as = [], ...where }: EnvOptions): Promise<number> => {
  if ([dotenv, shell, where.json].filter(Boolean).length > 1)
    throw wrongUsage("Give one of --dotenv, --shell and --json.");
  const named = namesGiven(as, "--as");
  const values = await withEmulator(where, async (client) => {
    const [{ admin, auth, console: consoleUrl }, { items }] = await Promise.all([client.urls(), client.apps.list()]);
    const app = items.find(({ appId }) => where.app === undefined || appId === where.app);
    if (app === undefined && where.app !== undefined) throw new CommandError(printable(noApp(where.app, items)));
    return { adminUrl: admin, authUrl: auth, consoleUrl, appId: app?.appId, secret: app?.secret };
  });
  const pairs = (named.length > 0 ? named : usual).flatMap(([name, value]) => {
    const text = values[value];
    if (text !== undefined) return [[name, text] as const];
    if (named.length > 0) throw new CommandError("There is no app. Create one: `stagedoor apps create my-app`.");
    return [];
  });
  if (where.json === true) io.json(Object.fromEntries(pairs));
  else
    for (const [name, value] of pairs)
      io.out(shell === true ? `export ${name}=${quoted(value)}\n` : `${name}=${dotenvText(value)}\n`);
  return 0;
};

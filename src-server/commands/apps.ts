/** `stagedoor apps`: the apps with their secrets; `apps create` makes one. */
import type { Strategy } from "#contract/service/strategies.ts";
import { many } from "#contract/words/words.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print, printable, wrongUsage } from "#server/plumbing/io.ts";
import { given } from "#server/plumbing/options.ts";

/** @see apps. `strategy`: how users of a new app sign in. `like`: the id of a request that a new app shall take. */
export interface AppsOptions extends ClientOptions {
  readonly strategy?: Strategy | undefined;
  readonly like?: string | undefined;
}

const list = async (io: Io, options: ClientOptions): Promise<number> => {
  const all = await withEmulator(options, (client) => client.apps.list());
  const width = Math.max(0, ...all.items.map(({ appId }) => appId.length));
  const lines = all.items.map(({ appId, strategy, secret, counts, name }) =>
    [appId.padEnd(width), strategy, `secret ${secret}`, many(counts.profiles, "profile"), name].join("  "),
  );
  return print(io, options.json, all, lines);
};

/**
 * Prints the apps, one per line: id, strategy, secret and users; or creates one.
 * @param does absent: lists them; `create`. @returns 0. @throws CommandError
 */
export const apps = async (
  io: Io,
  does: string | undefined,
  appId: string | undefined,
  { strategy, like, ...options }: AppsOptions,
): Promise<number> => {
  const wanted = given({ appId, strategy, like });
  if (does === undefined && Object.keys(wanted).length === 0) return await list(io, options);
  if (does !== "create")
    throw wrongUsage("To create an app: stagedoor apps create [ID] [--strategy phone|email] [--like REQUEST]");
  const app = await withEmulator(options, (client) => client.apps.create(wanted));
  const by = `Its users sign in by ${app.strategy}.`;
  return print(io, options.json, app, [`Created ${printable(app.appId)}, secret ${app.secret}. ${by}`]);
};

/** `stagedoor apps`: the apps with their secrets; `apps create` makes one, `apps delete` deletes one. */
import type { Strategy } from "#contract/service/strategies.ts";
import { many } from "#contract/words/words.ts";
import { type ClientOptions, whereWords, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print, printable, report, wrongUsage } from "#server/plumbing/io.ts";
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

const remove = async (io: Io, appId: string | undefined, options: ClientOptions): Promise<number> => {
  if (appId === undefined) throw wrongUsage("Say which app: stagedoor apps delete ID");
  const [{ counts }, where] = await withEmulator(options, async (client) => {
    const app = await client.apps.get(appId);
    await client.apps.delete(appId);
    return [app, await whereWords(client)] as const;
  });
  const told = `Deleted ${printable(appId)}: ${many(counts.profiles, "profile")} (${where}).`;
  return report(io, options.json, { deleted: appId }, told);
};

/**
 * Prints the apps, one per line: id, strategy, secret and users; or creates or deletes one.
 * @param does absent: lists them. @returns 0. @throws CommandError
 */
export const apps = async (
  io: Io,
  does: "list" | "create" | "delete" | undefined,
  appId: string | undefined,
  { strategy, like, ...options }: AppsOptions,
): Promise<number> => {
  const wanted = given({ appId, strategy, like });
  if (does === "delete") return await remove(io, appId, options);
  if (does !== "create") {
    if (Object.keys(wanted).length === 0) return await list(io, options);
    throw wrongUsage("To create an app: stagedoor apps create [ID] [--strategy phone|email] [--like REQUEST]");
  }
  const app = await withEmulator(options, (client) => client.apps.create(wanted));
  const by = `Its users sign in by ${app.strategy}.`;
  return print(io, options.json, app, [`Created ${printable(app.appId)}, secret ${app.secret}. ${by}`]);
};

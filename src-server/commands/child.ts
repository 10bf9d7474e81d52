/** What a command gets of the temporary Stagedoor that is started for it: `exec`, `explore`. */

import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { environment } from "#server/config.ts";
import { withEmulator } from "#server/plumbing/emulator.ts";
import type { Io } from "#server/plumbing/io.ts";
import type { RunningServer } from "#server/server.ts";
import { withoutPrefix } from "#server/variables.ts";
import type { namesGiven } from "./env-names.ts";

/** Names the app of which each test gets a copy: the only one of the user's fixtures. */
const COPIED = "STAGEDOOR_COPIED_APP";

/**
 * @param named further names of these values. @param hasFixtures whether the apps are those of the user's fixtures.
 * @returns the environment for the command: ours, with the URLs and the first app.
 */
export const childEnvironment = async (
  { urls, publicUrls }: RunningServer,
  named: ReturnType<typeof namesGiven> = [],
  hasFixtures = false,
): Promise<Record<string, string | undefined>> => {
  const [app, ...others] = await withEmulator({ url: urls.console }, async ({ apps }) => (await apps.list()).items);
  const { admin: adminUrl, auth: authUrl, console: consoleUrl } = urls;
  const values = { adminUrl, authUrl, consoleUrl, appId: app?.appId, secret: app?.secret };
  return {
    ...withoutPrefix(environment()),
    ...Object.fromEntries(named.map(([name, value]) => [name, values[value]])),
    STAGEDOOR_ADMIN_URL: urls.admin,
    STAGEDOOR_AUTH_URL: urls.auth,
    STAGEDOOR_CONSOLE_URL: urls.console,
    ...Object.fromEntries(
      Object.entries(publicUrls).map(([listener, url]) => [`STAGEDOOR_PUBLIC_${listener.toUpperCase()}_URL`, url]),
    ),
    STAGEDOOR_APP_ID: app?.appId,
    STAGEDOOR_APP_SECRET: app?.secret,
    ...(hasFixtures && others.length === 0 && { [COPIED]: app?.appId }),
  };
};

/** The exit status of a command that does not exist, as of a shell. */
export const NOT_FOUND = 127;

/** @returns how a command ended: its status, or 128 plus the number of its signal. @throws Error if it did not start. */
export const exitStatusOf = (child: ChildProcess): Promise<number> =>
  new Promise((end, fail) => {
    child.on("error", fail);
    child.on("exit", (status, signal) => end(signal === null ? (status ?? 1) : 128 + constants.signals[signal]));
  });

/** Imports `--import` into a newly started server. @throws CommandError with all errors. */
export const importState = async (file: string, server: RunningServer, io: Io): Promise<void> => {
  const { seed } = await import("./seed.ts");
  await seed({ ...io, err: () => undefined }, [file], { url: server.urls.console, replace: true });
};

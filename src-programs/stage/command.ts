/** `stagedoor stage`: the page for an audience, on a temporary or a running Stagedoor. */
import { resolve } from "node:path";
import { type Client, StagedoorError } from "#client/index.ts";
import type { World } from "#client/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { runOwn } from "#server/commands/own-server.ts";
import { consoleAddress } from "#server/commands/start-text.ts";
import type { JoinedWorld } from "#server/fixtures/join-worlds.ts";
import { readFixtures } from "#server/fixtures/read-fixtures.ts";
import { withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, printable } from "#server/plumbing/io.ts";
import { openBrowser } from "#server/plumbing/open-browser.ts";
import { stageAddress } from "./address.ts";

/** @see stage. `url` of a running console; without `open` the URL is only printed. */
export interface StageOptions {
  readonly url?: string;
  readonly fixtures?: readonly string[];
  readonly lan?: boolean;
  readonly open: boolean;
  readonly authPort?: string;
  readonly consolePort?: string;
  readonly json?: boolean;
}

/** Adds missing apps and users; existing ones stay unchanged. */
const addMissing = async ({ apps, state }: Client, world: World): Promise<void> => {
  // Reports all errors in the files with their position.
  await state.import(world, { dryRun: true });
  const { items } = await apps.list();
  const missing = world.apps.map(async (app) => {
    const there = items.find(({ appId }) => appId === app.appId);
    if (there === undefined) return app;
    const { appId } = there;
    const field = usernameField(there);
    const [now] = (await state.export({ appId })).apps;
    const taken = new Set(now?.profiles?.map((profile) => profile[field]));
    return { appId, profiles: app.profiles?.filter((profile) => !taken.has(profile[field])) ?? [] };
  });
  await state.import({ apps: await Promise.all(missing) });
};

/** Prepares a running emulator. @returns the URLs of auth for other machines; none while it is closed to them. */
const prepare = (url: string, joined: JoinedWorld | undefined, world: World, lan: boolean): Promise<string[]> =>
  withEmulator({ url }, async (client) => {
    const wrong = (fields: StagedoorError["fields"]): CommandError =>
      new CommandError([...(joined?.describe(fields) ?? []).map(printable), "Nothing was changed."].join("\n"));
    if (joined?.flawed) throw wrong({});
    if (joined !== undefined)
      await addMissing(client, world).catch((error: unknown) => {
        throw error instanceof StagedoorError && error.status === 422 ? wrong(error.fields) : error;
      });
    return (await (lan ? client.lan.open() : client.lan.read())).urls;
  });

/**
 * Opens Present on the Stagedoor at `--url`, which keeps its data, or on a temporary one with data in memory, which
 * runs until a signal.
 * @returns 0. @throws CommandError if a file is invalid, or there is no Stagedoor.
 */
export const stage =
  (version: string) =>
  async (io: Io, options: StageOptions): Promise<number> => {
    const { fixtures, url: running, lan = false, authPort = 0, consolePort = 0, json, open } = options;
    const files = (fixtures ?? []).map((file) => resolve(file));
    // Without files it has the demo users, and a running one its own.
    const joined = files.length === 0 && running !== undefined ? undefined : await readFixtures(files);
    const world: World = JSON.parse(JSON.stringify(joined?.world ?? { apps: [] }));
    const appId = world.apps[0]?.appId;
    /** @param shown the console URL to print, with its access token. @param opened the same with a one-time code.
     * @param again how to start it once more. */
    const announce = (shown: string, opened: string, lanUrls: readonly string[], again = ""): void => {
      const url = stageAddress(shown, appId);
      const ready = { event: "ready", pid: process.pid, url, consoleUrl: new URL(url).origin, lanUrls };
      if (json === true) io.json(ready);
      else {
        io.out(`Stage     ${url}\n`);
        if (lanUrls.length > 0) io.out(`Phones    reach it at ${lanUrls[0]}; ? shows the QR code\n`);
        io.out("Keys      Space does the next step, R starts over\n");
        if (again !== "") io.out(`Restart   ${again}\n`);
      }
      if (open) openBrowser(stageAddress(opened, appId), url, (line) => io.err(line));
    };
    if (running !== undefined) {
      announce(running, running, await prepare(running, joined, world, lan));
      return 0;
    }
    return await runOwn({ fixtures: files, lan, authPort, consolePort }, { version }, io, async (server) => {
      const ports = `--console-port ${new URL(server.urls.console).port} --auth-port ${new URL(server.urls.auth).port}`;
      const again = `keep these ports so that phones reconnect: ${ports}`;
      announce(consoleAddress(server), server.browserUrl(), server.urls.lan, again);
      if (json !== true) io.out("\nPress Ctrl+C to stop.\n");
    });
  };

/** `stagedoor stage`: the page for an audience, on a temporary or a running Stagedoor. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Client, StagedoorError } from "#client/index.ts";
import type { World } from "#client/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { isPersona } from "#contract/words/personas.ts";
import { runOwn, startOwn } from "#server/commands/own-server.ts";
import { consoleAddress } from "#server/commands/start-text.ts";
import type { JoinedWorld } from "#server/fixtures/join-worlds.ts";
import { readFixtures } from "#server/fixtures/read-fixtures.ts";
import { withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, printable, wrongUsage } from "#server/plumbing/io.ts";
import { openBrowser } from "#server/plumbing/open-browser.ts";
import { programFile } from "#server/program-files.ts";
import { stageAddress } from "./address.ts";
import { rehearse, sizeOf } from "./rehearse.ts";

/** @see stage. `url` of a running console; without `open` the URL is only printed. */
export interface StageOptions {
  readonly url?: string;
  readonly fixtures?: readonly string[];
  readonly lan?: boolean;
  readonly play?: boolean;
  readonly open: boolean;
  readonly authPort?: string;
  readonly consolePort?: string;
  readonly json?: boolean;
  /** Checks the show instead of opening it; `size` as `1920x1080`. */
  readonly rehearse?: boolean;
  readonly size?: string;
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
const prepare = (url: string, { describe, flawed }: JoinedWorld, world: World, lan: boolean): Promise<string[]> =>
  withEmulator({ url }, async (client) => {
    const wrong = (fields: StagedoorError["fields"]): CommandError =>
      new CommandError([...describe(fields).map(printable), "Nothing was changed."].join("\n"));
    if (flawed) throw wrong({});
    await addMissing(client, world).catch((error: unknown) => {
      throw error instanceof StagedoorError && error.status === 422 ? wrong(error.fields) : error;
    });
    return (await (lan ? client.lan.open() : client.lan.read())).urls;
  });

/**
 * Opens the stage on the Stagedoor at `--url`, which keeps its data, or on a temporary one with data in memory, which
 * runs until a signal.
 * @returns 0. @throws CommandError if a file is invalid, or there is no Stagedoor.
 */
export const stage =
  (version: string) =>
  async (io: Io, options: StageOptions): Promise<number> => {
    const { fixtures, url: running, lan = false, play = false, authPort = 0, consolePort = 0, json, open } = options;
    const files = (fixtures ?? [programFile("fixtures/stage.json")]).map((file) => resolve(file));
    const joined = await readFixtures(files);
    const world: World = JSON.parse(JSON.stringify(joined.world));
    const appId = (world.apps.find((app) => app.profiles?.some(isPersona)) ?? world.apps[0])?.appId;
    /** @param shown the console URL to print, with its access token. @param opened the same with a one-time code.
     * @param again how to start it once more. */
    const announce = (shown: string, opened: string, lanUrls: readonly string[], again = ""): void => {
      const url = stageAddress(shown, appId, play);
      const ready = { event: "ready", pid: process.pid, url, consoleUrl: new URL(url).origin, lanUrls };
      if (json === true) io.json(ready);
      else {
        io.out(`Stage     ${url}\n`);
        if (lanUrls.length > 0) io.out(`Audience  phones reach ${lanUrls[0]}; Q on the stage shows their QR code\n`);
        io.out("Keys      1–9 pick a person, Space enters the code, R starts over, ? shows all keys\n");
        if (again !== "") io.out(`Restart   ${again}\n`);
      }
      if (open) openBrowser(stageAddress(opened, appId, play), url, (line) => io.err(line));
    };
    const size = sizeOf(options.size);
    if (options.size !== undefined && options.rehearse !== true) throw wrongUsage("--size needs --rehearse");
    const rehearseAt = (base: string): Promise<number> =>
      withEmulator({ url: base }, (client) =>
        rehearse({ io, client, appId, url: stageAddress(base, appId), size, lan, json }),
      );
    if (options.rehearse === true && running !== undefined) {
      await prepare(running, joined, world, lan);
      return await rehearseAt(running);
    }
    if (options.rehearse === true) {
      // Temporary: nothing should trust this certificate, and it is deleted with the server.
      const caDir = await mkdtemp(join(tmpdir(), "stagedoor-rehearsal-"));
      const log = (line: string): void => io.err(line);
      const server = await startOwn({ fixtures: files, lan, tls: true, authTlsPort: 0, caDir }, { version, log });
      try {
        return await rehearseAt(server.urls.console);
      } finally {
        await server.close();
        await rm(caDir, { recursive: true, force: true });
      }
    }
    if (running !== undefined) {
      announce(running, running, await prepare(running, joined, world, lan));
      return 0;
    }
    return await runOwn({ fixtures: files, lan, authPort, consolePort }, { version }, io, async (server) => {
      const ports = `--console-port ${new URL(server.urls.console).port} --auth-port ${new URL(server.urls.auth).port}`;
      announce(
        consoleAddress(server),
        server.browserUrl(),
        server.urls.lan,
        `keep these ports so that phones reconnect: ${ports}`,
      );
      if (json !== true) io.out("\nPress Ctrl+C to stop.\n");
    });
  };

/** `stagedoor stage`: the page for an audience, on a temporary or a running Stagedoor (CONTRACT 10). */
import { join, resolve } from "node:path";
import { type Client, StagedoorError } from "#client/index.ts";
import type { World } from "#client/records.ts";
import { packageRoot } from "#server/boot/package-root.ts";
import type { JoinedWorld } from "#server/fixtures/join-worlds.ts";
import { readFixtures } from "#server/fixtures/read-fixtures.ts";
import { withEmulator } from "./emulator.ts";
import { CommandError, type Io, printable } from "./io.ts";
import { startOwn } from "./own-server.ts";
import { stopSignal } from "./start.ts";
import { consoleAddress, stageAddress } from "./start-text.ts";

/** @see stage */
export interface StageOptions {
  /** The URL of a running console. */
  readonly url?: string | undefined;
  readonly fixtures?: readonly string[] | undefined;
  readonly lan?: boolean | undefined;
  readonly play?: boolean | undefined;
  /** False: only print the URL. */
  readonly open: boolean;
  readonly authPort?: string | undefined;
  readonly consolePort?: string | undefined;
  readonly json?: boolean | undefined;
}

/** A console, and auth on the local network. */
interface There {
  /** The console URL to print, including its access token if required. */
  readonly shown: string;
  /** The URL to open in the browser, with a one-time code. */
  readonly opened: string;
  /** URLs of auth for other machines; empty while it is closed to them. */
  readonly lanUrls: readonly string[];
}

/** Adds missing apps and users; existing ones stay unchanged. */
const addMissing = async ({ apps, state }: Client, world: World): Promise<void> => {
  // Reports all errors in the files with their position.
  await state.import(world, { dryRun: true });
  const { items } = await apps.list();
  const missing = world.apps.map(async (app) => {
    const there = items.find(({ appId }) => appId === app.appId);
    if (there === undefined) return app;
    const { appId, strategy } = there;
    const [now] = (await state.export({ appId })).apps;
    const taken = new Set(now?.profiles?.map((profile) => profile[strategy]));
    return { appId, profiles: app.profiles?.filter((profile) => !taken.has(profile[strategy])) ?? [] };
  });
  await state.import({ apps: await Promise.all(missing) });
};

/** Prepares a running emulator. */
const joinRunning = (url: string, { describe, flawed }: JoinedWorld, world: World, lan: boolean): Promise<There> =>
  withEmulator({ url }, async (client) => {
    const wrong = (fields: StagedoorError["fields"]): CommandError =>
      new CommandError([...describe(fields).map(printable), "Nothing was changed."].join("\n"));
    if (flawed) throw wrong({});
    await addMissing(client, world).catch((error: unknown) => {
      throw error instanceof StagedoorError && error.status === 422 ? wrong(error.fields) : error;
    });
    const { urls } = lan ? await client.lan.open() : await client.lan.read();
    return { shown: url, opened: url, lanUrls: urls };
  });

/** Prints the URL of the stage, and opens it. */
const announce = async (
  { shown, opened, lanUrls }: There,
  world: World,
  options: StageOptions,
  io: Io,
): Promise<void> => {
  const { open, json, play = false } = options;
  const app = world.apps.find(({ profiles }) => profiles?.some(({ metadata }) => metadata && "persona" in metadata));
  const appId = (app ?? world.apps[0])?.appId;
  const url = stageAddress(shown, appId, play);
  if (json === true)
    io.json(`${JSON.stringify({ event: "ready", pid: process.pid, url, consoleUrl: new URL(url).origin, lanUrls })}\n`);
  else {
    io.out(`Stage     ${url}\n`);
    if (lanUrls.length > 0) io.out(`Audience  phones reach ${lanUrls[0]}; Q on the stage shows their QR code\n`);
    io.out("Keys      1 to 9 choose a person, Space types the code, R starts over, ? shows all\n");
  }
  if (!open) return;
  const { openBrowser } = await import("./open-browser.ts");
  openBrowser(stageAddress(opened, appId, play), url, (line) => io.err(line));
};

/**
 * Opens the stage on the Stagedoor at `--url`, which keeps its data, or on a temporary one with data in memory, which
 * runs until a signal.
 * @returns 0. @throws CommandError if a file is invalid, or there is no Stagedoor.
 */
export const stage = async (options: StageOptions, version: string, io: Io): Promise<number> => {
  const {
    fixtures = [join(packageRoot(), "fixtures", "stage.json")],
    url,
    lan = false,
    authPort,
    consolePort,
  } = options;
  const files = fixtures.map((file) => resolve(file));
  const joined = await readFixtures(files);
  const world: World = JSON.parse(JSON.stringify(joined.world));
  if (url !== undefined) {
    await announce(await joinRunning(url, joined, world, lan), world, options, io);
    return 0;
  }
  const log = (line: string): void => io.err(line);
  const { asked: stopped, ask: stop } = stopSignal(log);
  const ports = { authPort: authPort ?? 0, consolePort: consolePort ?? 0 };
  const server = await startOwn({ fixtures: files, lan, ...ports }, { log, version, stop });
  try {
    const there = { shown: consoleAddress(server), opened: server.browserUrl(), lanUrls: server.urls.lan };
    await announce(there, world, options, io);
    if (options.json !== true) io.out("\nPress Ctrl+C to stop.\n");
    await stopped;
  } finally {
    await server.close();
  }
  return 0;
};

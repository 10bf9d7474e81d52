/** Starts a temporary Stagedoor for a command. */
import { StartError } from "#server/boot/start-error.ts";
import type { GivenOptions } from "#server/config.ts";
import { CommandError, type Io } from "#server/plumbing/io.ts";
import { configOf } from "#server/plumbing/options.ts";
import { createServer, type RunningServer, type ServerHost } from "#server/server.ts";
import { stopSignal } from "./start.ts";

const OWN = {
  adminPort: 0,
  authPort: 0,
  consolePort: 0,
  durability: "memory",
  fixtures: [],
  reset: false,
  watch: false,
  lan: false,
  tls: false,
};

/**
 * Starts it on free ports, with data in memory. @param given overrides; undefined uses the environment.
 * @throws CommandError if an option is invalid, or the start fails.
 */
export const startOwn = async (given: GivenOptions, host: ServerHost): Promise<RunningServer> =>
  await createServer(configOf({ ...OWN, ...given }), host).catch((error: unknown) => {
    throw error instanceof StartError ? new CommandError(error.message, error.exitStatus) : error;
  });

/** Starts it, shows it, and runs until a signal. @returns 0. @throws CommandError as `startOwn`, and what `show` throws. */
export const runOwn = async (
  given: GivenOptions,
  host: Pick<ServerHost, "version" | "seen">,
  io: Io,
  show: (server: RunningServer) => Promise<void>,
): Promise<number> => {
  const log = (line: string): void => io.err(line);
  const { asked: stopped, ask: stop } = stopSignal(log);
  const server = await startOwn(given, { ...host, log, stop });
  try {
    await show(server);
    await stopped;
  } finally {
    await server.close();
  }
  return 0;
};

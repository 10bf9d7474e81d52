/** Starts a temporary Stagedoor for a command. */
import { StartError } from "#server/boot/start-error.ts";
import { type GivenOptions, readConfig } from "#server/config.ts";
import { createServer, type Host, type RunningServer } from "#server/server.ts";
import { CommandError, wrongUsage } from "./io.ts";

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
export const startOwn = async (given: GivenOptions, host: Host): Promise<RunningServer> => {
  const read = readConfig({ ...OWN, ...given });
  if ("errors" in read) throw wrongUsage(read.errors.join("\n"));
  return await createServer(read.config, host).catch((error: unknown) => {
    throw error instanceof StartError ? new CommandError(error.message, error.exitStatus) : error;
  });
};

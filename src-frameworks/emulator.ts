/** The emulator of a test run: one that runs already, or one of its own. */
import { connect, type Stagedoor, type StartOptions } from "stagedoor/client";

/** The variables that tell an app and its tests where the emulator is, as `stagedoor exec` sets them. */
const variablesOf = ({ adminUrl, authUrl, consoleUrl }: Pick<Stagedoor, "adminUrl" | "authUrl" | "consoleUrl">) => ({
  STAGEDOOR_ADMIN_URL: adminUrl,
  STAGEDOOR_AUTH_URL: authUrl,
  STAGEDOOR_CONSOLE_URL: consoleUrl,
});

/** @returns whether STAGEDOOR_CONSOLE_URL names an emulator. */
export const isGiven = (): boolean => Boolean(process.env["STAGEDOOR_CONSOLE_URL"]);
/** @returns whether STAGEDOOR_SHARDS names several. */
export const isSharded = (): boolean => Boolean(process.env["STAGEDOOR_SHARDS"]);

/** Tells this process, and those that it starts, where the emulator is. @returns how to take that back. */
export const publish = (emulator: Pick<Stagedoor, "adminUrl" | "authUrl" | "consoleUrl">): (() => void) => {
  const variables = variablesOf(emulator);
  Object.assign(process.env, variables);
  return () => {
    for (const name of Object.keys(variables)) delete process.env[name];
  };
};

/**
 * @param options for an emulator that is started here.
 * @returns the emulator that STAGEDOOR_CONSOLE_URL names, or this job's of STAGEDOOR_SHARDS, which `close` leaves running; else
 * one started in this process.
 */
export const openEmulator = async (options: StartOptions = {}): Promise<Stagedoor> => {
  if (!isGiven() && !isSharded()) {
    const { startStagedoor } = await import("stagedoor/testing");
    return await startStagedoor(options);
  }
  const client = connect();
  const { admin, auth, console: consoleUrl, lan } = await client.urls();
  return {
    ...{ adminUrl: admin, authUrl: auth, consoleUrl, lanUrls: lan, client },
    reset: () => client.state.reset(),
    close: client.close,
    [Symbol.asyncDispose]: client.close,
  };
};

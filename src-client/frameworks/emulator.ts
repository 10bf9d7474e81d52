/** The emulator of a test run: a running one, or a new one. */
import { type Client, connect, type Stagedoor, type StartOptions } from "stagedoor/client";

/** The emulator's URLs. */
export type Urls = Pick<Stagedoor, "adminUrl" | "authUrl" | "consoleUrl">;

/** @returns whether STAGEDOOR_CONSOLE_URL is set. */
export const isGiven = (): boolean => Boolean(process.env["STAGEDOOR_CONSOLE_URL"]);
/** @returns whether STAGEDOOR_SHARDS is set. */
export const isSharded = (): boolean => Boolean(process.env["STAGEDOOR_SHARDS"]);
/** @returns STAGEDOOR_APP_ID. */
export const appIdOfRun = (): string | undefined => process.env["STAGEDOOR_APP_ID"];

/** Names the app of the run's fixtures, of which tests get copies. */
const COPIED = "STAGEDOOR_COPIED_APP";
/** @returns the app of the run's fixtures, of which tests get copies; undefined: they get empty ones. */
export const copiedAppOfRun = (): string | undefined => process.env[COPIED];

/**
 * @param options of an emulator that was just started.
 * @returns the only app of its fixtures, of which tests get copies; undefined if none were given, or it has several.
 */
export const onlyAppOf = async (client: Client, { fixtures, world }: StartOptions): Promise<string | undefined> => {
  if (fixtures === undefined && world === undefined) return undefined;
  const [first, second] = (await client.apps.list()).items;
  if (second === undefined) return first?.appId;
  process.emitWarning(
    "The fixtures have several apps. Set the option appId to the one that tests get copies of.",
    "StagedoorWarning",
  );
  return undefined;
};

/** Has what the start of the run's emulator said, a line each. */
const NOTICES = "STAGEDOOR_NOTICES";
/** @returns what the start of the run's emulator said. */
const noticesOfRun = (): readonly string[] => process.env[NOTICES]?.split("\n") ?? [];

/** Writes what the start said, because a test has failed: a row that was left out may be why. */
export const writeNotices = ({ notices }: Pick<Stagedoor, "notices">): void => {
  for (const notice of notices) process.stderr.write(`stagedoor: ${notice}\n`);
};

/** Sets the URLs in the environment of this process and its children, as `stagedoor exec` does. @param copied as `onlyAppOf`. @returns an undo. */
export const publish = (
  { adminUrl, authUrl, consoleUrl, notices }: Urls & Pick<Stagedoor, "notices">,
  copied?: string,
): (() => void) => {
  const variables = {
    ...(notices.length > 0 && { [NOTICES]: notices.join("\n") }),
    ...(copied !== undefined && { [COPIED]: copied }),
    STAGEDOOR_ADMIN_URL: adminUrl,
    STAGEDOOR_AUTH_URL: authUrl,
    STAGEDOOR_CONSOLE_URL: consoleUrl,
  };
  Object.assign(process.env, variables);
  return () => {
    for (const name of Object.keys(variables)) delete process.env[name];
  };
};

/**
 * @returns the emulator at STAGEDOOR_CONSOLE_URL, or this job's from STAGEDOOR_SHARDS, which `close` leaves running;
 * otherwise a new one in this process, with the options.
 */
export const openEmulator = async (options: StartOptions = {}): Promise<Stagedoor> => {
  if (!isGiven() && !isSharded()) {
    const { startStagedoor } = await import("stagedoor/testing");
    return await startStagedoor(options);
  }
  const client = connect();
  const { admin, auth, console: consoleUrl, lan } = await client.urls();
  return {
    ...{ adminUrl: admin, authUrl: auth, consoleUrl, lanUrls: lan, client, notices: noticesOfRun() },
    reset: () => client.state.reset(),
    close: client.close,
    [Symbol.asyncDispose]: client.close,
  };
};

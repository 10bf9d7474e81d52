/**
 * `stagedoor/jest`: one emulator for the whole run, `globalSetup: "stagedoor/jest"`. It is a separate process that
 * exits with Jest, so there is no teardown.
 */
import { fork } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect, type Stagedoor, type StartOptions } from "stagedoor/client";
import {
  copiedAppOfRun,
  isGiven,
  isSharded,
  onlyAppOf,
  openEmulator,
  publish,
  type Urls,
  writeNotices,
} from "./emulator.ts";
import { type IsolationOptions, noteRequests, signInOf, type TestFixtures, withAppOf } from "./fixtures.ts";
import { passcodesOf } from "./passcodes.ts";
import { withUser } from "./user.ts";

export type { IsolationOptions, ReadPasscode, SignInAs, TestFixtures, TestUser } from "./fixtures.ts";

const SERVER = join(dirname(fileURLToPath(import.meta.url)), "jest-server.js");

/** Messages from the process. */
export type ServerMessage = { readonly ready: Urls & Pick<Stagedoor, "notices"> } | { readonly failed: string };

/** Options that can be sent to another process. */
export type JestOptions = Omit<StartOptions, "log">;

/**
 * A global setup with options: `module.exports = createSetup({ fixtures: ["qa.json"] })`.
 * @returns a setup that starts an emulator and sets `STAGEDOOR_CONSOLE_URL`, `STAGEDOOR_AUTH_URL` and
 * `STAGEDOOR_ADMIN_URL` for the workers. Does nothing if STAGEDOOR_CONSOLE_URL is already set, as in the second run of
 * `--watch`; with STAGEDOOR_SHARDS selects this job's emulator.
 * @throws Error if the emulator cannot be started.
 */
export const createSetup = (options: JestOptions = {}) => {
  return async (): Promise<void> => {
    if (isGiven()) return;
    if (isSharded()) return void publish(await openEmulator());
    const server = fork(SERVER, {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // Node options of Jest's own process, such as a debugger port, must not apply to this one.
      execArgv: [],
    });
    const message = await new Promise<ServerMessage>((resolve, reject) => {
      server.once("message", (text) => resolve(JSON.parse(String(text))));
      server.once("exit", (code) => reject(new Error(`Stagedoor ended with status ${code} before it was ready.`)));
      server.send(JSON.stringify(options));
    });
    if ("failed" in message) throw new Error(`Stagedoor could not be started: ${message.failed}`);
    const client = connect(message.ready.consoleUrl);
    publish(message.ready, await onlyAppOf(client, options));
    await client.close();
    // Do not keep Jest running.
    server.unref();
    server.channel?.unref();
  };
};

/** The fixtures of a test. */
export interface StagedoorFixtures extends TestFixtures {
  /** The emulator of the global setup. */
  readonly stagedoor: Stagedoor;
}

/**
 * Fixtures as those of Playwright and Vitest: `const withFixtures = createFixtures({ isolation: "user" })`, then
 * `test("signs in", withFixtures(async ({ user }) => { … }))`.
 */
export const createFixtures =
  (options: IsolationOptions = {}) =>
  (body: (fixtures: StagedoorFixtures) => Promise<void>) =>
  // Without a parameter, which Jest would take for a callback.
  async (): Promise<void> => {
    const stagedoor = await openEmulator();
    const { client } = stagedoor;
    try {
      await withAppOf(stagedoor, { copied: copiedAppOfRun(), ...options }, async (app) => {
        const explain = await noteRequests(client, app);
        await withUser(client, app, (user) =>
          body({ stagedoor, app, user, signInAs: signInOf(client, app), passcode: passcodesOf(client, app) }),
        ).catch(async (error: unknown) => {
          await explain(error);
          throw error;
        });
      });
    } catch (error) {
      writeNotices(stagedoor);
      throw error;
    } finally {
      await stagedoor.close();
    }
  };

export default createSetup();

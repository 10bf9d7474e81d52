/**
 * `stagedoor/vitest`: one emulator for the whole run, `globalSetup: "stagedoor/vitest"`, and fixtures for `test.extend`.
 */
import type { Stagedoor, StartOptions } from "stagedoor/client";
import { isGiven, openEmulator, publish } from "./emulator.ts";
import { passcodesOf, type ReadPasscode, type SignInAs, signInOf, type TestFixtures, withApp } from "./fixtures.ts";

export type { ReadPasscode, SignInAs, TestFixtures } from "./fixtures.ts";

/** The fixtures of a test. */
export interface StagedoorFixtures extends TestFixtures {
  /** The emulator of the global setup, or a new one for this file. */
  readonly stagedoor: Stagedoor;
}

/** The fixtures that another one depends on. */
type Of<K extends keyof StagedoorFixtures> = Pick<StagedoorFixtures, K>;
type Use<T> = (value: T) => Promise<void>;

/** For Vitest's own `test`: `export const test = base.extend<StagedoorFixtures>(fixtures)`. */
export const fixtures = {
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures it needs
  stagedoor: async ({}, use: Use<Stagedoor>): Promise<void> => {
    const stagedoor = await openEmulator();
    await use(stagedoor);
    await stagedoor.close();
  },
  app: async ({ stagedoor }: Of<"stagedoor">, use: Use<TestFixtures["app"]>): Promise<void> => {
    await withApp(stagedoor, {}, use);
  },
  signInAs: async ({ stagedoor, app }: Of<"stagedoor" | "app">, use: Use<SignInAs>): Promise<void> => {
    await use(signInOf(stagedoor.client, app));
  },
  passcode: async ({ stagedoor, app }: Of<"stagedoor" | "app">, use: Use<ReadPasscode>): Promise<void> => {
    await use(passcodesOf(stagedoor.client, app));
  },
};

/**
 * A global setup with options: `export default createSetup({ fixtures: ["qa.json"] })`.
 * @returns a setup that starts an emulator, sets `STAGEDOOR_CONSOLE_URL`, `STAGEDOOR_AUTH_URL` and
 * `STAGEDOOR_ADMIN_URL` for the workers, and returns the teardown. Does nothing if STAGEDOOR_CONSOLE_URL is already
 * set; with STAGEDOOR_SHARDS selects this job's emulator.
 */
export const createSetup = (options: StartOptions = {}) => {
  return async (): Promise<(() => Promise<void>) | undefined> => {
    if (isGiven()) return undefined;
    const stagedoor = await openEmulator(options);
    const takeBack = publish(stagedoor);
    return async () => {
      takeBack();
      await stagedoor.close();
    };
  };
};

export default createSetup();

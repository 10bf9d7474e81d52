/** `stagedoor/vitest`: one emulator for the whole run (`globalSetup: "stagedoor/vitest"`), and fixtures for tests. */
import type { Stagedoor, StartOptions } from "stagedoor/client";
import { copiedAppOfRun, isGiven, onlyAppOf, openEmulator, publish, writeNotices } from "./emulator.ts";
import { type IsolationOptions, noteRequests, signInOf, type TestFixtures, withAppOf } from "./fixtures.ts";
import { passcodesOf } from "./passcodes.ts";
import { withUser } from "./user.ts";

export type { IsolationOptions, ReadPasscode, SignInAs, TestFixtures, TestUser } from "./fixtures.ts";

/** The fixtures of a test. */
export interface StagedoorFixtures extends TestFixtures {
  /** The emulator of the global setup, or a new one for this file. */
  readonly stagedoor: Stagedoor;
}

/** What Vitest gives each test. */
interface OfTest {
  readonly onTestFailed: (handler: () => void) => void;
  /** Has errors once the test has failed. */
  readonly task: { readonly result?: { readonly errors?: readonly unknown[] | undefined } | undefined };
}

type Provided = {
  [K in keyof StagedoorFixtures]: (
    given: Omit<StagedoorFixtures, K> & OfTest,
    use: (value: StagedoorFixtures[K]) => Promise<void>,
  ) => Promise<void>;
};

/** Fixtures with options: `base.extend<StagedoorFixtures>(createFixtures({ isolation: "user" }))`. */
export const createFixtures = (options: IsolationOptions = {}): Provided => ({
  stagedoor: async ({ onTestFailed }, use) => {
    const stagedoor = await openEmulator();
    onTestFailed(() => writeNotices(stagedoor));
    await use(stagedoor);
    await stagedoor.close();
  },
  app: async ({ stagedoor, task }, use) =>
    await withAppOf(stagedoor, { copied: copiedAppOfRun(), ...options }, async (app) => {
      const explain = await noteRequests(stagedoor.client, app);
      await use(app);
      const [error] = task.result?.errors ?? [];
      if (error !== undefined) await explain(error);
    }),
  user: async ({ stagedoor, app }, use) => await withUser(stagedoor.client, app, use),
  signInAs: async ({ stagedoor, app }, use) => await use(signInOf(stagedoor.client, app)),
  passcode: async ({ stagedoor, app }, use) => await use(passcodesOf(stagedoor.client, app)),
});

/** For Vitest's own `test`: `export const test = base.extend<StagedoorFixtures>(fixtures)`. */
export const fixtures: Provided = createFixtures();

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
    const takeBack = publish(stagedoor, await onlyAppOf(stagedoor.client, options));
    return async () => {
      takeBack();
      await stagedoor.close();
    };
  };
};

export default createSetup();

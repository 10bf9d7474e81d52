/** `stagedoor/playwright`: a `test` with an emulator for each worker and an app for each test. */
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from "@playwright/test";
import type { AppInput, Stagedoor, StartOptions } from "stagedoor/client";
import { openEmulator } from "./emulator.ts";
import { passcodesOf, signInOf, type TestFixtures, withApp } from "./fixtures.ts";

export { expect } from "@playwright/test";
export type { ReadPasscode, SignInAs, TestFixtures } from "./fixtures.ts";

/** The options of a test, for `test.use` and `use` of the configuration. */
export interface TestOptions {
  /** What the app of each test is created with, such as `{ strategy: "email" }`. */
  readonly appInput: AppInput;
}

/** What all tests of a worker share. */
export interface WorkerFixtures {
  /** How to start the emulator of a worker. Not used if STAGEDOOR_CONSOLE_URL or STAGEDOOR_SHARDS names one that runs already. */
  readonly stagedoorOptions: StartOptions;
  /** The emulator: the one that STAGEDOOR_CONSOLE_URL or STAGEDOOR_SHARDS names, else one of this worker's own. */
  readonly stagedoor: Stagedoor;
}

type Given = PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures & TestOptions;
type Worker = PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures;

/** A test with its app. If the test fails, the requests of its app are attached to the report. */
export const test: TestType<Given, Worker> = base.extend<TestFixtures & TestOptions, WorkerFixtures>({
  stagedoorOptions: [{}, { option: true, scope: "worker" }],
  appInput: [{}, { option: true }],
  stagedoor: [
    async ({ stagedoorOptions }, use) => {
      const stagedoor = await openEmulator(stagedoorOptions);
      await use(stagedoor);
      await stagedoor.close();
    },
    { scope: "worker" },
  ],
  app: async ({ stagedoor, appInput }, use, testInfo) => {
    await withApp(stagedoor, appInput, async (app) => {
      await use(app);
      if (testInfo.status === testInfo.expectedStatus) return;
      const { items } = await stagedoor.client.requests.list({ appId: app.appId });
      const body = JSON.stringify(items, null, 2);
      await testInfo.attach("stagedoor-requests", { body, contentType: "application/json" });
    });
  },
  signInAs: async ({ stagedoor, app }, use) => await use(signInOf(stagedoor.client, app)),
  passcode: async ({ stagedoor, app }, use) => await use(passcodesOf(stagedoor.client, app)),
});

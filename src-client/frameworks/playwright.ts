/** `stagedoor/playwright`: a `test` with an emulator per worker and an app per test. */
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

/** Test options, for `test.use` and `use` in the configuration. */
export interface TestOptions {
  /** The input for creating each test's app, such as `{ strategy: "email" }`. */
  readonly appInput: AppInput;
}

/** Fixtures shared by the tests of a worker. */
export interface WorkerFixtures {
  /** Options for a worker's emulator. Ignored if STAGEDOOR_CONSOLE_URL or STAGEDOOR_SHARDS selects a running one. */
  readonly stagedoorOptions: StartOptions;
  /** The emulator from STAGEDOOR_CONSOLE_URL or STAGEDOOR_SHARDS, or a new one for this worker. */
  readonly stagedoor: Stagedoor;
}

type Given = PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures & TestOptions;
type Worker = PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures;

/** A test with its own app. If it fails, the app's requests are attached to the report. */
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

/** `stagedoor/playwright`: a `test` with an emulator per worker and an app per test. */
import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestType,
} from "@playwright/test";
import type { AppInput, RequestQuery, Stagedoor, StartOptions } from "stagedoor/client";
import { openEmulator } from "./emulator.ts";
import { type Isolation, passcodesOf, sharedApp, signInOf, type TestFixtures, withApp } from "./fixtures.ts";
import { type TestUser, withUser } from "./user.ts";

export { expect } from "@playwright/test";
export type { Isolation, ReadPasscode, SignInAs, TestFixtures } from "./fixtures.ts";
export type { TestUser } from "./user.ts";

/** Test options, for `test.use` and `use` in the configuration. */
export interface TestOptions {
  /** The input for creating each test's app, such as `{ strategy: "email" }`. */
  readonly appInput: AppInput;
  /** What each test has to itself. `user`: `user` in a shared app, for a backend that has one secret. Default: `app`. */
  readonly isolation: Isolation;
  /** With `isolation: "user"` the shared app. Absent: STAGEDOOR_APP_ID. */
  readonly appId: string | undefined;
}

/** Made when a test asks for it. */
export interface UserFixture {
  /** A user for this test alone, in the test's app. Deleted afterwards, with its faults. */
  readonly user: TestUser;
}

/** Fixtures shared by the tests of a worker. */
export interface WorkerFixtures {
  /** Options for a worker's emulator. Ignored if STAGEDOOR_CONSOLE_URL or STAGEDOOR_SHARDS selects a running one. */
  readonly stagedoorOptions: StartOptions;
  /** The emulator from STAGEDOOR_CONSOLE_URL or STAGEDOOR_SHARDS, or a new one for this worker. */
  readonly stagedoor: Stagedoor;
}

type Given = PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures & TestOptions & UserFixture;
type Worker = PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures;

const attachRequests = async ({ client }: Stagedoor, query: RequestQuery, testInfo: TestInfo): Promise<void> => {
  if (testInfo.status === testInfo.expectedStatus) return;
  const { items } = await client.requests.list(query);
  const body = JSON.stringify(items, null, 2);
  await testInfo.attach("stagedoor-requests", { body, contentType: "application/json" });
};

/** A test with its own app, or its own user. If it fails, their requests are attached to the report. */
export const test: TestType<Given, Worker> = base.extend<TestFixtures & TestOptions & UserFixture, WorkerFixtures>({
  stagedoorOptions: [{}, { option: true, scope: "worker" }],
  appInput: [{}, { option: true }],
  isolation: ["app", { option: true }],
  appId: [undefined, { option: true }],
  stagedoor: [
    async ({ stagedoorOptions }, use) => {
      const stagedoor = await openEmulator(stagedoorOptions);
      await use(stagedoor);
      await stagedoor.close();
    },
    { scope: "worker" },
  ],
  app: async ({ stagedoor, appInput, isolation, appId }, use, testInfo) => {
    if (isolation === "user") return await use(await sharedApp(stagedoor, appId));
    await withApp(stagedoor, appInput, async (app) => {
      await use(app);
      await attachRequests(stagedoor, { appId: app.appId }, testInfo);
    });
  },
  user: async ({ stagedoor, app, isolation }, use, testInfo) =>
    await withUser(stagedoor.client, app, async (user) => {
      await use(user);
      const { appId, userId } = user;
      if (isolation === "user") await attachRequests(stagedoor, { appId, userId }, testInfo);
    }),
  signInAs: async ({ stagedoor, app }, use) => await use(signInOf(stagedoor.client, app)),
  passcode: async ({ stagedoor, app }, use) => await use(passcodesOf(stagedoor.client, app)),
});

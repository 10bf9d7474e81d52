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
import type { AppInput, Fixture, Stagedoor, StartOptions } from "stagedoor/client";
import { copiedAppOfRun, isGiven, isSharded, onlyAppOf, openEmulator, writeNotices } from "./emulator.ts";
import { type IsolationOptions, signInOf, type TestFixtures, withAppOf } from "./fixtures.ts";
import { passcodesOf } from "./passcodes.ts";
import { withUser } from "./user.ts";

export { expect } from "@playwright/test";
export type { IsolationOptions, ReadPasscode, SignInAs, TestFixtures, TestUser } from "./fixtures.ts";

/** Test options, for `test.use` and `use` in the configuration. */
export interface TestOptions extends Required<IsolationOptions> {
  /** The input for creating each test's app, such as `{ strategy: "email" }`. */
  readonly appInput: AppInput;
}

/** What `use` in the configuration can have: `defineConfig<StagedoorOptions>({ use: { … } })`. */
export type StagedoorOptions = TestOptions & Pick<WorkerFixtures, "fixtures" | "stagedoorOptions">;

/** Fixtures shared by the tests of a worker. */
export interface WorkerFixtures {
  /** Options for a worker's emulator. Ignored if STAGEDOOR_CONSOLE_URL or STAGEDOOR_SHARDS selects a running one. */
  readonly stagedoorOptions: StartOptions;
  /** Fixture files, such as `["users.csv"]`, as in `stagedoorOptions`: each test's app is a copy of their only app, or of `appId`. */
  readonly fixtures: readonly Fixture[];
  /** The emulator from STAGEDOOR_CONSOLE_URL or STAGEDOOR_SHARDS, or a new one for this worker. */
  readonly stagedoor: Stagedoor;
  /** The app of the fixtures of which each test gets a copy; undefined: an empty app. */
  readonly copied: string | undefined;
}

type Given = PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures & TestOptions;
type Worker = PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures;

type OfTest = { readonly appId: string; readonly userId?: string };
const attachRequests = async (stagedoor: Stagedoor, { appId, userId }: OfTest, testInfo: TestInfo): Promise<void> => {
  if (testInfo.status === testInfo.expectedStatus) return;
  writeNotices(stagedoor);
  const { client } = stagedoor;
  const { items } = await client.requests.list({ appId, ...(userId && { userId }) });
  const body = JSON.stringify(items, null, 2);
  await testInfo.attach("stagedoor-requests", { body, contentType: "application/json" });
};

const withFiles = (options: StartOptions, fixtures: readonly Fixture[]): StartOptions =>
  fixtures.length === 0 ? options : { ...options, fixtures };

/** A test with its own app, or its own user. If it fails, their requests are attached to the report. */
export const test: TestType<Given, Worker> = base.extend<TestFixtures & TestOptions, WorkerFixtures>({
  stagedoorOptions: [{}, { option: true, scope: "worker" }],
  appInput: [{}, { option: true }],
  isolation: ["app", { option: true }],
  appId: [undefined, { option: true }],
  fixtures: [[], { option: true, scope: "worker" }],
  stagedoor: [
    async ({ stagedoorOptions, fixtures }, use) => {
      const stagedoor = await openEmulator(withFiles(stagedoorOptions, fixtures));
      await use(stagedoor);
      await stagedoor.close();
    },
    { scope: "worker" },
  ],
  copied: [
    async ({ stagedoor, stagedoorOptions, fixtures }, use) => {
      const own = isGiven() || isSharded() ? {} : withFiles(stagedoorOptions, fixtures);
      await use(copiedAppOfRun() ?? (await onlyAppOf(stagedoor.client, own)));
    },
    { scope: "worker" },
  ],
  app: async ({ stagedoor, appInput, isolation, appId, copied }, use, testInfo) =>
    await withAppOf(stagedoor, { appInput, isolation, appId, copied }, async (app) => {
      await use(app);
      if (isolation !== "user") await attachRequests(stagedoor, { appId: app.appId }, testInfo);
    }),
  user: async ({ stagedoor, app, isolation }, use, testInfo) =>
    await withUser(stagedoor.client, app, async (user) => {
      await use(user);
      if (isolation === "user") await attachRequests(stagedoor, user, testInfo);
    }),
  signInAs: async ({ stagedoor, app }, use) => await use(signInOf(stagedoor.client, app)),
  passcode: async ({ stagedoor, app }, use) => await use(passcodesOf(stagedoor.client, app)),
});

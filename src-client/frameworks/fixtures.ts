/** What each test gets: an app that no other test uses, a sign-in, and the codes of that app. */
import {
  type App,
  type AppInput,
  type Client,
  type SignedIn,
  type SignInInput,
  type Stagedoor,
  StagedoorError,
} from "stagedoor/client";
import { appIdOfRun } from "./emulator.ts";
import type { ReadPasscode } from "./passcodes.ts";
import type { TestUser } from "./user.ts";

export type { ReadPasscode } from "./passcodes.ts";
export type { TestUser } from "./user.ts";

/** What a test runner shows of an error. */
interface ShownError {
  message: string;
  stack?: string | undefined;
}

/**
 * Notes where the requests of a test begin. @returns what adds those that were rejected since then to the error of the
 * test, with the first sentence on how to fix each. Never fails: the test's own error is what counts.
 */
export const noteRequests = async (
  { requests }: Client,
  { appId }: Pick<App, "appId">,
): Promise<(error: unknown) => Promise<void>> => {
  const [last] = (await requests.list({ appId, limit: 1 })).items;
  return async (error) => {
    const text = await requests.failed({ appId, since: last?.id }).catch(() => "");
    if (text === "" || !isShown(error)) return;
    const { message, stack } = error;
    error.message = `${message}\n\nStagedoor rejected:\n${text}\n`;
    // It begins with the message, and is what some runners show.
    if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
  };
};
const isShown = (error: unknown): error is ShownError =>
  typeof error === "object" && error !== null && "message" in error && typeof error.message === "string";

/** Signs a user of the test's app in without a passcode; creates the user if necessary. */
export type SignInAs = (user: SignInInput) => Promise<SignedIn>;

/** The fixtures of a test. */
export interface TestFixtures {
  /** An app for this test alone, deleted afterwards with all its data; otherwise the named app (see `isolation`). */
  readonly app: App;
  readonly signInAs: SignInAs;
  readonly passcode: ReadPasscode;
  /** A user of `app` for this test alone, made when the test asks for it. Deleted afterwards, with all its data. */
  readonly user: TestUser;
}

/** The lease of a test's app in seconds, after which a killed run is cleaned up; only with a join token. */
const LEASE_SECONDS = 900;

const createApp = async (client: Client, input: AppInput): Promise<App> => {
  try {
    return await client.apps.create(input);
  } catch (error) {
    if (!(error instanceof StagedoorError) || error.reason !== "lease_required") throw error;
    return await client.apps.create({ ...input, ttlSeconds: LEASE_SECONDS });
  }
};

/** Runs a test with an app, which is deleted in any case. @param copied the app that it is a copy of. */
const withApp = async (
  { client }: Stagedoor,
  input: AppInput,
  copied: string | undefined,
  use: (app: App) => Promise<void>,
) => {
  const app = await createApp(client, { ...input, ...(copied !== undefined && { copyOf: copied }) });
  try {
    await use(app);
  } finally {
    await client.apps.delete(app.appId);
  }
};

/** Runs a test with an app, and restores the app afterwards, even if the test deletes it. */
const withRewind = async ({ client }: Stagedoor, appId: string, use: (app: App) => Promise<void>): Promise<void> => {
  const app = await client.apps.get(appId);
  const mark = await app.mark();
  try {
    await use(app);
  } finally {
    await app.rewind(mark).catch((cause: unknown) => {
      if (!(cause instanceof StagedoorError) || cause.status !== 410) throw cause;
      const words = `isolation: "rewind" cannot return ${appId} to the moment before this test: Stagedoor was restarted, or the test changed more than it remembers (10,000 transactions, 64 MiB). Use isolation: "app" for this test, or import its data before the run.`;
      throw new Error(words, { cause });
    });
  }
};

/** What each test has to itself: an app, a user of an app that tests share, or the time of an app. */
export interface IsolationOptions {
  /**
   * `user`: for a backend that keeps one secret. `rewind`: the named app is after each test as it was before, so tests
   * of one app must not run at the same time. Default: `app`.
   */
  readonly isolation?: "app" | "user" | "rewind";
  /**
   * With `user` and `rewind` the shared app. Absent: STAGEDOOR_APP_ID; without either, `rewind` is as `app`. With `app` each
   * test gets a copy of it: the same people, settings and fixed codes. Absent: a copy of the fixtures' only app, if they
   * were given, else an empty one.
   */
  readonly appId?: string | undefined;
}

/** How a test gets its app: `copied` is the only app of the fixtures, if they were given. */
export interface AppOptions extends IsolationOptions {
  readonly appInput?: AppInput;
  readonly copied?: string | undefined;
}

/** Runs a test with its app. @throws Error if no shared app is named; StagedoorError 404 if there is none. */
export const withAppOf = async (
  stagedoor: Stagedoor,
  { isolation = "app", appId: named, appInput = {}, copied }: AppOptions,
  use: (app: App) => Promise<void>,
): Promise<void> => {
  const appId = named ?? appIdOfRun();
  if (isolation === "app" || (isolation === "rewind" && !appId))
    return await withApp(stagedoor, appInput, named ?? copied, use);
  if (!appId)
    throw new Error('isolation: "user" needs the id of the shared app: STAGEDOOR_APP_ID, or the option appId.');
  if (isolation === "rewind") return await withRewind(stagedoor, appId, use);
  await use(await stagedoor.client.apps.get(appId));
};

/** @returns a sign-in function for an app. */
export const signInOf =
  (client: Client, { appId }: App): SignInAs =>
  (user) =>
    client.signInAs({ appId, ...user });

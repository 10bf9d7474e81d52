/** What each test gets: an app that no other test uses, a sign-in, and the codes of that app. */
import {
  type App,
  type AppInput,
  type Client,
  type Passcode,
  type SignedIn,
  type SignInInput,
  type Stagedoor,
  StagedoorError,
} from "stagedoor/client";
import { appIdOfRun } from "./emulator.ts";

/** Signs a user of the test's app in without a passcode; creates the user if necessary. */
export type SignInAs = (user: SignInInput) => Promise<SignedIn>;

/**
 * Waits for a passcode: the newest one that this test has not read yet, issued before or after the call.
 * @param to the recipient, or options: `timeoutMs` is 30,000 if absent.
 * @throws StagedoorError after the timeout, with what arrived instead.
 */
export type ReadPasscode = (
  to: string | { readonly to: string; readonly timeoutMs?: number | undefined },
) => Promise<Passcode>;

/** The fixtures of a test. */
export interface TestFixtures {
  /** An app for this test alone. It is deleted afterwards, with all its data. */
  readonly app: App;
  readonly signInAs: SignInAs;
  readonly passcode: ReadPasscode;
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

/** Runs a test with an app, which is deleted in any case. */
export const withApp = async ({ client }: Stagedoor, input: AppInput, use: (app: App) => Promise<void>) => {
  const app = await createApp(client, input);
  try {
    await use(app);
  } finally {
    await client.apps.delete(app.appId);
  }
};

/** What each test has to itself: an app, or a user of an app that all tests share (CONTRACT 19). */
export type Isolation = "app" | "user";

/** @returns the app that tests share. @param appId absent: STAGEDOOR_APP_ID. @throws Error without either. */
export const sharedApp = async ({ client }: Stagedoor, given: string | undefined): Promise<App> => {
  const appId = given ?? appIdOfRun();
  if (!appId) throw new Error('isolation: "user" requires the option appId, or STAGEDOOR_APP_ID.');
  return await client.apps.get(appId);
};

/** @returns a sign-in function for an app. */
export const signInOf =
  (client: Client, { appId }: App): SignInAs =>
  (user) =>
    client.signInAs({ appId, ...user });

/** @returns a function that reads an app's passcodes. */
export const passcodesOf = (client: Client, { appId }: App): ReadPasscode => {
  const read = new Map<string, number>();
  return async (wanted) => {
    const query = typeof wanted === "string" ? { to: wanted } : wanted;
    const passcode = await client.passcodes.next({ ...query, appId, after: read.get(query.to) ?? 0 });
    read.set(query.to, passcode.seq);
    return passcode;
  };
};

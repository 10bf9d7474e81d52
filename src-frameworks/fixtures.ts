/** What a test gets: an app that no other test sees, a sign-in, and the codes of that app. */
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

/** Signs a user of the test's app in without a passcode; the user is created if there is none. */
export type SignInAs = (user: SignInInput) => Promise<SignedIn>;

/**
 * Waits for a passcode: the newest that this test has not read yet, whether it was issued before the call or comes after it.
 * @param to the recipient, or options: `timeoutMs` is 30,000 if absent.
 * @throws StagedoorError with what came instead, if none comes in time.
 */
export type ReadPasscode = (
  to: string | { readonly to: string; readonly timeoutMs?: number | undefined },
) => Promise<Passcode>;

/** The fixtures of a test. */
export interface TestFixtures {
  /** An app of this test's own. It is deleted afterwards, with all its data. */
  readonly app: App;
  readonly signInAs: SignInAs;
  readonly passcode: ReadPasscode;
}

/** How long the app of a test outlives a run that was killed, where the token is one to join with; seconds. */
const LEASE_SECONDS = 900;

const createApp = async (client: Client, input: AppInput): Promise<App> => {
  try {
    return await client.apps.create(input);
  } catch (error) {
    if (!(error instanceof StagedoorError) || error.reason !== "lease_required") throw error;
    return await client.apps.create({ ...input, ttlSeconds: LEASE_SECONDS });
  }
};

/** Runs a test with an app, which is deleted whatever happens. */
export const withApp = async (
  { client }: Stagedoor,
  input: AppInput,
  use: (app: App) => Promise<void>,
): Promise<void> => {
  const app = await createApp(client, input);
  try {
    await use(app);
  } finally {
    await client.apps.delete(app.appId);
  }
};

/** @returns the sign-in of an app. */
export const signInOf =
  (client: Client, { appId }: App): SignInAs =>
  (user) =>
    client.signInAs({ appId, ...user });

/** @returns the reader of an app's passcodes. */
export const passcodesOf = (client: Client, { appId }: App): ReadPasscode => {
  const read = new Map<string, number>();
  return async (wanted) => {
    const query = typeof wanted === "string" ? { to: wanted } : wanted;
    const passcode = await client.passcodes.next({ ...query, appId, after: read.get(query.to) ?? 0 });
    read.set(query.to, passcode.seq);
    return passcode;
  };
};

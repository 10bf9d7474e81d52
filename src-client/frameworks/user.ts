/** A user for one test, in an app that other tests use at the same time. */
import { randomInt, randomUUID } from "node:crypto";
import {
  type App,
  type Client,
  type Fault,
  type FaultInput,
  type Passcode,
  type RequestQuery,
  type RequestRow,
  recipientOf,
  type Scenario,
  type SignedIn,
  StagedoorError,
} from "stagedoor/client";
import { passcodesOf } from "./passcodes.ts";

/** A fresh user. Everything here concerns this user alone. */
export interface TestUser {
  readonly appId: string;
  readonly userId: string;
  /** Of the range that is reserved for fiction, E.164. */
  readonly phone: string;
  readonly email: string;
  /** @returns the newest passcode that was not read yet, issued before or after the call. @see ReadPasscode */
  passcode(options?: { readonly timeoutMs?: number | undefined }): Promise<Passcode>;
  /** Signs in without a passcode. */
  signIn(options?: { readonly ttlSeconds?: number }): Promise<SignedIn>;
  readonly faults: {
    /** Adds a fault that only this user's requests meet; removed with the user. */
    add(
      fault: Omit<FaultInput, "match"> & { readonly match?: Omit<NonNullable<FaultInput["match"]>, "appId" | "to"> },
    ): Promise<Fault>;
  };
  /** Sets the scenario; null turns it off. */
  scenario(scenario: Scenario | null): Promise<void>;
  /** @returns this user's requests, newest first. */
  requests(query?: Omit<RequestQuery, "appId" | "userId">): Promise<readonly RequestRow[]>;
}

/** Area codes in use: with 555-0100 to 555-0199, numbers that validators accept and no person has. */
const AREAS =
  "202 203 206 208 212 213 214 215 216 217 218 219 301 302 303 304 305 307 308 309 310 312 313 314 315 316 317 318 401 402 403 404 405 406 407 408 410 412 413 414 415 416 417 418 419 501 502 503 504 505 507 508 509 510 512 513 514 515 516 517 518 519 602 603".split(
    " ",
  );
const TRIES = 50;

/** @returns a profile with contacts of its own. The server decides whether they are free, so that processes may race. */
const createProfile = async (client: Client, appId: string) => {
  const isTaken = (error: unknown): boolean =>
    error instanceof StagedoorError &&
    error.status === 422 &&
    JSON.stringify(error.fields).includes("already been taken");
  for (let tries = 1; ; tries++) {
    const phone = `+1${AREAS[randomInt(AREAS.length)]}55501${String(randomInt(100)).padStart(2, "0")}`;
    const email = `${randomUUID()}@example.com`;
    try {
      return { ...(await client.profiles.create({ appId, phone, email })), phone, email };
    } catch (error) {
      if (tries === TRIES || !isTaken(error)) throw error;
    }
  }
};

/** Deletes the user, and what a test left of it. Each step is tried. @returns what failed */
const tidy = async (client: Client, app: App, userId: string, to: string): Promise<unknown[]> => {
  const { appId } = app;
  const steps = [
    // The service keeps a deleted user's managed connections (D14).
    async () => {
      for (const { id, managed } of (await client.connections.list({ appId, userId })).items)
        if (managed) await client.connections.update(id, { managed: false });
    },
    // The test may have deleted the user and signed up again.
    async () => {
      const { items } = await client.profiles.list({ appId, q: to });
      const again = items.filter((profile) => recipientOf(app, profile) === to);
      await client.profiles.deleteMany(appId, [userId, ...again.map((profile) => profile.userId)]);
    },
    async () => {
      for (const { id, match } of (await client.faults.list({ appId })).items)
        if (match.to === to)
          await client.faults.remove(id).catch((error: unknown) => {
            // It may be used up in the meantime.
            if (!(error instanceof StagedoorError) || error.status !== 404) throw error;
          });
    },
  ];
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  return failures;
};

/**
 * Runs a test with a fresh user of an app, who is deleted in any case, with the user's faults.
 * @throws the test's own error, otherwise the first of what could not be deleted.
 */
export const withUser = async (client: Client, app: App, use: (user: TestUser) => Promise<void>): Promise<void> => {
  const { appId } = app;
  const { userId, phone, email } = await createProfile(client, appId);
  const to = recipientOf(app, { phone, email });
  const read = passcodesOf(client, app);
  const user: TestUser = {
    ...{ appId, userId, phone, email },
    passcode: (options) => read({ ...options, to }),
    signIn: async (options) => {
      const { token, ...session } = await client.sessions.create({ ...options, appId, userId });
      return { userId, session, token };
    },
    faults: {
      add: (fault) => client.faults.add({ ...fault, match: { ...fault.match, appId, to } }),
    },
    scenario: async (scenario) => void (await client.profiles.update(userId, { scenario }, { appId })),
    requests: async (query) => (await client.requests.list({ ...query, appId, userId })).items,
  };
  const failures: unknown[] = [];
  await use(user).catch((error: unknown) => failures.push(error));
  failures.push(...(await tidy(client, app, userId, to)));
  if (failures.length > 0) throw failures[0];
};

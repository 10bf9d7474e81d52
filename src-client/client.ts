/** The methods of the client, by resource. */
/// <reference lib="esnext.disposable" preserve="true" />
import { createApps } from "./apps.ts";
import { createClock } from "./clock.ts";
import { createConnections } from "./connections.ts";
import { createCoverage } from "./coverage.ts";
import { StagedoorError } from "./error.ts";
import { type EventOptions, type StagedoorEvent, streamEvents } from "./events.ts";
import { createFailures } from "./failures.ts";
import { createLogin } from "./login.ts";
import { createNetwork } from "./network.ts";
import type { Created, Imported, OfApp } from "./of-app.ts";
import { createPasscodes } from "./passcodes.ts";
import type { Shard } from "./place.ts";
import { createProfiles } from "./profiles.ts";
import type * as R from "./records.ts";
import { createRequests } from "./requests.ts";
import { createSessions } from "./sessions.ts";
import { type SignedIn, type SignInInput, signInAs } from "./sign-in.ts";
import { createSigningKeys } from "./signing-keys.ts";
import { createSnapshots } from "./snapshots.ts";
import { createState } from "./state.ts";
import { createTimeline } from "./timeline.ts";
import { type Transport, withSignal } from "./transport.ts";
import { type Urls, urlsOf } from "./urls.ts";

// In scope, so that the declarations name them by this file.
export type { Created, Imported, OfApp };

/** Builds the methods over a transport. */
const callsOf = (transport: Transport) => {
  const { ask } = transport;
  return {
    /** @returns the status of the emulator, including its URLs. */
    status: (): Promise<R.Status> => ask("GET", "status"),
    /**
     * @returns the URLs as this client reaches them: with the host of `consoleUrl`, because the emulator itself only
     * knows loopback. If the token cannot read the status, admin and auth are two ports and one port below the console.
     */
    urls: (): Promise<Urls> => urlsOf(transport),
    /**
     * Stops the emulator. @returns its last status; its process exits right after.
     * @throws StagedoorError 409 if it runs inside another program, such as the tests that started it.
     */
    stop: (): Promise<R.Status> => ask("POST", "stop"),
    /**
     * Signs a user in without a passcode: `const { token } = await client.signInAs({ phone: "+12025550100" })`. Creates
     * the user if necessary; otherwise updates the user with the other fields.
     * @throws StagedoorError 422 if `appId` is absent and several apps are possible.
     */
    signInAs: (input: SignInInput): Promise<SignedIn> => signInAs(transport, input),
    /** A login as an app does it: `const { status } = await client.session.start({ appId, to })`. */
    session: createLogin(transport),
    ...createTimeline(transport),
    /** The keys that sign tokens: `await client.signingKeys.rotate({ algorithm: "RS256" })`. */
    signingKeys: createSigningKeys(transport),
    /** Codes for tests: `const { code } = await client.passcodes.requestedBy(() => askForCode(), { to, appId })`. */
    passcodes: createPasscodes(transport),
    /** Isolated environments: `const { appId } = await client.apps.create({ profiles: [{ phone: "+12025550100" }] })`. */
    apps: createApps(transport),
    /** The users of an app: `const { userId } = await client.profiles.create({ appId, phone: "+12025550100" })`. */
    profiles: createProfiles(transport),
    /** Sessions and their tokens: `(await client.sessions.introspect(token)).active`. */
    sessions: createSessions(transport),
    /** Connections to other services: `await client.connections.create({ userId, name: "Calendar" })`. */
    connections: createConnections(transport),
    /** The clock of the service, not of waits and timeouts: `await client.clock.advance(660, { appId })`. */
    clock: createClock(transport),
    /** The request log, of the newest 1,000 requests: `await client.requests.waitFor({ appId, status: 202 })`. */
    requests: createRequests(transport),
    ...createNetwork(transport),
    ...createFailures(transport),
    /** Login coverage: `const { then } = await client.coverage.provoke("expiredCode", { appId, to })`. */
    coverage: createCoverage(transport),
    /** Snapshots of one app, or of all: `await client.snapshots.save("before", { appId })`. */
    snapshots: createSnapshots(transport),
    /** The data as a whole: `await client.state.import(await client.state.export({ appId }))`. */
    state: createState(transport),
    /**
     * Streams changes from the moment the stream opens: `for await (const event of client.events({ signal })) …`. The
     * stream opens with the first iteration, and reconnects when it breaks.
     * @throws StagedoorError if it cannot be opened the first time.
     */
    events: (options: EventOptions = {}): AsyncGenerator<StagedoorEvent, void, void> =>
      streamEvents(transport, options),
  } as const;
};

/**
 * A running emulator. Every call can throw a StagedoorError with the status and reason of the response, or with status
 * 0 and the reason `unreachable` or `closed`.
 */
export interface Client extends ReturnType<typeof callsOf> {
  /** The console URL without a trailing slash. With `shards` it is final after the first call. */
  readonly consoleUrl: string;
  /** The selected shard; null without `shards`. */
  readonly shard: Shard | null;
  /** @returns the same client, whose calls reject with the signal's reason when it aborts. */
  withSignal(signal: AbortSignal): Client;
  /** Ends event streams without an error, and all waits with the reason `closed`, so that the process can exit. */
  close(): Promise<void>;
  /** Same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** @returns the client over a transport. */
export const createClient = (base: Transport): Client => {
  const closed = new AbortController();
  const transport = withSignal(base, closed.signal);
  const close = async (): Promise<void> => closed.abort(new StagedoorError("This client is closed.", 0, "closed"));
  return {
    ...callsOf(transport),
    get consoleUrl() {
      return transport.place.consoleUrl;
    },
    get shard() {
      return transport.place.shard;
    },
    withSignal: (signal) => createClient(withSignal(transport, signal)),
    close,
    [Symbol.asyncDispose]: close,
  };
};

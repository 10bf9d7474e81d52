/** The calls of the client, by the noun. */
/// <reference lib="esnext.disposable" preserve="true" />
import { StagedoorError } from "./error.ts";
import { type EventOptions, type StagedoorEvent, streamEvents } from "./events.ts";
import { createPasscodes, type Passcodes } from "./passcodes.ts";
import type { Shard } from "./place.ts";
import type * as R from "./records.ts";
import { createRequests, type Requests } from "./requests.ts";
import { type SignedIn, type SignInInput, signInAs } from "./sign-in.ts";
import { segment, type Transport, withSignal } from "./transport.ts";
import { type Urls, urlsOf } from "./urls.ts";

/** One app; absent: all, and what is new. */
export interface OfApp {
  readonly appId?: string | undefined;
}

/** Settings by their paths, such as `passcode.length`; `null`: the default. */
export type SettingsByPath = Readonly<
  Record<string, string | number | boolean | null | readonly string[] | Readonly<Record<string, unknown>>>
>;

/** What an import took in. */
export type Imported = { apps: number; profiles: number; passcodes: number; sessions: number; connections: number };

/** A profile as it was created: what was given as text is text. */
export type Created<I extends R.ProfileInput> = R.Profile & {
  readonly [K in Extract<keyof I, "name" | "phone" | "email">]: I[K] extends string ? string : R.Profile[K];
};

const digit = (flag: boolean | undefined): "1" | undefined => (flag === true ? "1" : undefined);

/** The calls over a transport. */
const callsOf = (transport: Transport) => {
  const { ask, tell, tokens } = transport;
  const passcodes: Passcodes = createPasscodes(transport);
  const requests: Requests = createRequests(transport);
  const setClock = (input: R.ClockInput, query?: OfApp): Promise<R.Clock> =>
    ask("PUT", "clock", { body: input, query });
  return {
    /** @returns what the emulator says of itself, its three URLs among it. */
    status: (): Promise<R.Status> => ask("GET", "status"),
    /**
     * @returns its URLs as this client reaches them: the emulator knows its own as loopback, so the host name is that of
     * `consoleUrl`. Where the token may not read the status, admin and auth are two ports and one port below the console.
     */
    urls: (): Promise<Urls> => urlsOf(transport),
    /**
     * Stops the emulator. @returns its last status; its process ends right after.
     * @throws StagedoorError 409 if it runs inside another program, such as the tests that started it.
     */
    stop: (): Promise<R.Status> => ask("POST", "stop"),
    /**
     * Signs a user in without a passcode: `const { token } = await client.signInAs({ phone: "+12025550100" })`.
     * A user who does not exist is created; one who does is updated with whatever else is given.
     * @throws StagedoorError 422 if `appId` is absent and several apps could be meant.
     */
    signInAs: (input: SignInInput): Promise<SignedIn> => signInAs(transport, input),
    passcodes,
    apps: {
      /**
       * Creates an app: an isolated environment in about a millisecond. Absent parts are generated. A join token needs
       * `ttlSeconds`; the client then uses the app's own token for all calls that name it.
       */
      create: async (body: R.AppInput = {}): Promise<R.App> => tokens.keep(await ask("POST", "apps", { body })),
      get: (appId: string): Promise<R.App> => ask("GET", `apps/${segment(appId)}`),
      list: (): Promise<R.List<R.App>> => ask("GET", "apps"),
      /** Settings are merged with those that are set; they may be given by their paths. */
      update: (
        appId: string,
        body: Omit<R.AppPatch, "settings"> & { settings?: R.Settings | SettingsByPath },
      ): Promise<R.App> => ask("PATCH", `apps/${segment(appId)}`, { body }),
      /** Deletes it with all its data. */
      delete: async (appId: string): Promise<void> => {
        await tell("DELETE", `apps/${segment(appId)}`);
        tokens.forget(appId);
      },
      /** Generates a new secret. */
      renewSecret: (appId: string): Promise<R.App> => ask("POST", `apps/${segment(appId)}/secret`),
    },
    profiles: {
      create: <I extends R.ProfileInput>(body: I): Promise<Created<I>> => ask("POST", "profiles", { body }),
      /** @param of the app, where several have a profile of that id. */
      get: (userId: string, of?: OfApp): Promise<R.Profile> => ask("GET", `profiles/${segment(userId)}`, { query: of }),
      list: (query?: R.ProfileQuery): Promise<R.List<R.Profile>> => ask("GET", "profiles", { query }),
      update: (userId: string, body: R.ProfilePatch, of?: OfApp): Promise<R.Profile> =>
        ask("PATCH", `profiles/${segment(userId)}`, { body, query: of }),
      delete: (userId: string, of?: OfApp): Promise<void> =>
        tell("DELETE", `profiles/${segment(userId)}`, { query: of }),
      /** Deletes many profiles of an app at once; an unknown id is ignored. @returns how many were deleted. */
      deleteMany: (appId: string, userIds: readonly string[]): Promise<{ deleted: number }> =>
        ask("POST", "profiles/delete", { body: { appId, userIds } }),
    },
    sessions: {
      /** Signs a user in without a passcode. */
      create: (body: R.SessionInput): Promise<R.Session & { token: string }> => ask("POST", "sessions", { body }),
      get: (id: string): Promise<R.Session> => ask("GET", `sessions/${segment(id)}`),
      list: (query?: R.SessionQuery): Promise<R.List<R.Session>> => ask("GET", "sessions", { query }),
      /** Revokes one. @param id of the session. */
      revoke: (id: string): Promise<void> => tell("DELETE", `sessions/${segment(id)}`),
      /** Revokes those of an app, of a user, or all. */
      revokeAll: (query?: OfApp & { readonly userId?: string }): Promise<void> => tell("DELETE", "sessions", { query }),
      /** Expires one now. @param id of the session. */
      expire: (id: string): Promise<R.Session> => ask("POST", `sessions/${segment(id)}/expire`),
      /** @returns the token of a session, signed again. @param id of the session. */
      token: async (id: string): Promise<string> =>
        (await ask<{ token: string }>("GET", `sessions/${segment(id)}/token`)).token,
      /** Signs a token that is wrong in one way, to test a backend; without `defect` a good one. @param id of the session. */
      wrongToken: (id: string, body: R.WrongTokenInput = {}): Promise<R.WrongToken> =>
        ask("POST", `sessions/${segment(id)}/token`, { body }),
      /** Calls your backend with a good token and with each wrong one. @param id of an active session. */
      checkBackend: (id: string, body: R.TokenCheckInput): Promise<R.TokenCheck> =>
        ask("POST", `sessions/${segment(id)}/token-check`, { body }),
      /** @returns whether a token is active, and whose it is. */
      introspect: (token: string): Promise<R.Introspection> => ask("POST", "sessions/introspect", { body: { token } }),
    },
    connections: {
      create: (body: R.ConnectionInput): Promise<R.Connection> => ask("POST", "connections", { body }),
      get: (id: string): Promise<R.Connection> => ask("GET", `connections/${segment(id)}`),
      list: (query?: R.ConnectionQuery): Promise<R.List<R.Connection>> => ask("GET", "connections", { query }),
      update: (id: string, body: R.ConnectionPatch): Promise<R.Connection> =>
        ask("PATCH", `connections/${segment(id)}`, { body }),
      delete: (id: string): Promise<void> => tell("DELETE", `connections/${segment(id)}`),
    },
    /** The service reads time only from its clock; waits and timeouts are real time. */
    clock: {
      read: (of?: OfApp): Promise<R.Clock> => ask("GET", "clock", { query: of }),
      /** `{}` returns to real time. */
      set: setClock,
      /** Advances it, or moves it back when negative. */
      advance: (seconds: number, of?: OfApp): Promise<R.Clock> =>
        ask("POST", "clock/advance", { body: { seconds }, query: of }),
      /** Freezes it. @param at an ISO instant; absent: where it is. */
      freeze: async (at?: string, of?: OfApp): Promise<R.Clock> => {
        const frozenAt = at ?? (await ask<R.Clock>("GET", "clock", { query: of })).now;
        return await setClock({ frozenAt }, of);
      },
      /** Returns to real time. */
      reset: (of?: OfApp): Promise<R.Clock> => setClock({}, of),
    },
    /** The request log: the newest 1,000 requests to admin and auth. */
    requests,
    /** Auth on the local network, for phones. Not remembered across a restart. */
    lan: {
      read: (): Promise<R.Lan> => ask("GET", "lan"),
      open: (): Promise<R.Lan> => ask("PUT", "lan", { body: { open: true } }),
      /** Closes it, and every connection that came in there. */
      close: (): Promise<R.Lan> => ask("PUT", "lan", { body: { open: false } }),
    },
    /** Auth over https, with a certificate authority of its own. */
    tls: {
      read: (): Promise<R.Tls> => ask("GET", "tls"),
      on: (): Promise<R.Tls> => ask("PUT", "tls", { body: { on: true } }),
      off: (): Promise<R.Tls> => ask("PUT", "tls", { body: { on: false } }),
      /** Replaces the certificate authority: devices have to trust the new one. */
      renewCa: (): Promise<void> => tell("DELETE", "tls/ca"),
    },
    /** Who has asked auth, the newest first. */
    clients: {
      list: (): Promise<R.List<R.AuthClient>> => ask("GET", "clients"),
    },
    /** Connects emulators and simulators of the machine of the emulator with auth. */
    connect: {
      /** Asks every URL of auth from this machine: is the name resolved, the port open, the certificate valid? */
      check: (): Promise<R.List<R.Reach>> => ask("POST", "connect/check"),
      /** Has the ports of auth on an Android device lead here, with `adb reverse`. */
      adbReverse: (body: R.AdbReverseInput = {}): Promise<R.AdbReversed> =>
        ask("POST", "connect/adb-reverse", { body }),
      /** Has booted iOS simulators trust the certificate authority. */
      simulatorTrust: (body: R.SimulatorTrustInput = {}): Promise<R.SimulatorTrusted> =>
        ask("POST", "connect/simulator-trust", { body }),
    },
    /** Simulated failures of admin and auth. */
    faults: {
      add: (body: R.FaultInput): Promise<R.Fault> => ask("POST", "faults", { body }),
      get: (id: string): Promise<R.Fault> => ask("GET", `faults/${segment(id)}`),
      list: (of?: OfApp): Promise<R.List<R.Fault>> => ask("GET", "faults", { query: of }),
      remove: (id: string): Promise<void> => tell("DELETE", `faults/${segment(id)}`),
      /** Removes all, or those that name an app. */
      clear: (of?: OfApp): Promise<void> => tell("DELETE", "faults", { query: of }),
    },
    /** Moments to go back to, of one app or of all. */
    snapshots: {
      /** Saves this moment; overwrites any snapshot with that name. */
      save: (name: string, of?: OfApp): Promise<R.Snapshot> => ask("PUT", `snapshots/${segment(name)}`, { query: of }),
      restore: (name: string, of?: OfApp): Promise<R.Restored> =>
        ask("POST", `snapshots/${segment(name)}/restore`, { query: of }),
      list: (of?: OfApp): Promise<R.List<R.Snapshot>> => ask("GET", "snapshots", { query: of }),
      /** @param options `limit`: most entries of each list, 100 if absent. */
      diff: (
        name: string,
        options?: OfApp & { readonly limit?: number; readonly page?: number },
      ): Promise<R.SnapshotDiff> => ask("GET", `snapshots/${segment(name)}/diff`, { query: options }),
      delete: (name: string, of?: OfApp): Promise<void> => tell("DELETE", `snapshots/${segment(name)}`, { query: of }),
    },
    state: {
      /**
       * @returns the data as a fixture. @param options `volatile`: passcodes, sessions and clocks too; `minimal`: without
       * nulls, defaults, times, and ids that nothing refers to.
       */
      export: ({
        volatile,
        minimal,
        ...query
      }: OfApp & { readonly volatile?: boolean; readonly minimal?: boolean } = {}): Promise<R.World> =>
        ask("GET", "state", { query: { ...query, volatile: digit(volatile), minimal: digit(minimal) } }),
      /**
       * Imports data, all or nothing.
       * @param options `mode`: `merge` (if absent) adds and updates, `replace` also deletes what is not in it; `dryRun` checks
       * and counts, and changes nothing.
       */
      import: (
        state: R.World,
        options: OfApp & { readonly mode?: "merge" | "replace"; readonly dryRun?: boolean } = {},
      ): Promise<Imported> => {
        const { mode = "merge", dryRun, ...query } = options;
        return ask("PUT", "state", { body: { mode, state }, query: { ...query, dryRun: digit(dryRun) } });
      },
      /** Resets to the fixtures that it was started with, else to the demo data. */
      reset: (of?: OfApp): Promise<void> => tell("DELETE", "state", { query: of }),
    },
    /**
     * Changes as they happen, from when the stream is open: `for await (const event of client.events({ signal })) …`.
     * It is opened when the first event is asked for, and again when it breaks off.
     * @throws StagedoorError when it cannot be opened the first time.
     */
    events: (options: EventOptions = {}): AsyncGenerator<StagedoorEvent, void, void> =>
      streamEvents(transport, options),
  } as const;
};

/**
 * A running emulator. Every call may throw a StagedoorError: with the status and the reason of a refusal, or with status 0
 * and the reason `unreachable`, or `closed`.
 */
export interface Client extends ReturnType<typeof callsOf> {
  /** The console's URL, without a slash at its end. With `shards` it is final after the first call. */
  readonly consoleUrl: string;
  /** Which of the `shards` it is; null without them. */
  readonly shard: Shard | null;
  /** @returns the same calls, which end when the signal aborts: they then reject with its reason. */
  withSignal(signal: AbortSignal): Client;
  /** Ends event streams, without an error, and all waits, with the reason `closed`, so that the process can exit. */
  close(): Promise<void>;
  /** As `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** @returns the calls over a transport. */
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

/** The methods of the client, by resource. */
/// <reference lib="esnext.disposable" preserve="true" />
import { createApps } from "./apps.ts";
import { StagedoorError } from "./error.ts";
import { type EventOptions, type StagedoorEvent, streamEvents } from "./events.ts";
import { createLogin } from "./login.ts";
import { createPasscodes } from "./passcodes.ts";
import type { Shard } from "./place.ts";
import type * as R from "./records.ts";
import { createRequests } from "./requests.ts";
import { type SignedIn, type SignInInput, signInAs } from "./sign-in.ts";
import { createTimeline } from "./timeline.ts";
import { bodyOf, segment, type Transport, withSignal } from "./transport.ts";
import { type Urls, urlsOf } from "./urls.ts";

/** Limits a call to one app; absent: all apps, or the default app for a new record. */
export interface OfApp {
  readonly appId?: string | undefined;
}

/** Record counts of an import. */
export type Imported = R.ImportCounts;

/** A created profile; fields given as strings have type string. */
export type Created<I extends R.ProfileInput> = R.Profile & {
  readonly [K in Extract<keyof I, keyof R.Profile>]: I[K] extends string ? string : R.Profile[K];
};

const digit = (flag: boolean | undefined): "1" | undefined => (flag === true ? "1" : undefined);

/** Builds the methods over a transport. */
const callsOf = (transport: Transport) => {
  const { ask, tell } = transport;
  const setClock = (input: R.ClockInput, query?: OfApp): Promise<R.Clock> =>
    ask("PUT", "clock", { body: input, query });
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
    /** A login as an app does it. */
    session: createLogin(transport),
    ...createTimeline(transport),
    signingKeys: {
      /** @returns the keys that sign tokens, oldest first. */
      list: (): Promise<R.List<R.SigningKey>> => ask("GET", "signing-keys"),
      /**
       * Signs with a new key; the tokens of the previous one stay valid. @throws StagedoorError 409 with `--signing-key`.
       */
      rotate: (body: R.RotateInput = {}): Promise<R.List<R.SigningKey>> => ask("POST", "signing-keys/rotate", { body }),
      /** Removes a key, or the newest `"previous"` one, with its tokens. @throws StagedoorError 409 for a current one. */
      retire: (kid: string): Promise<void> => tell("DELETE", `signing-keys/${segment(kid)}`),
    },
    passcodes: createPasscodes(transport),
    apps: createApps(transport),
    profiles: {
      create: <I extends R.ProfileInput>(body: I): Promise<Created<I>> => ask("POST", "profiles", { body }),
      /** @param of the app, if several apps have a profile with this id. */
      get: (userId: string, of?: OfApp): Promise<R.Profile> => ask("GET", `profiles/${segment(userId)}`, { query: of }),
      list: (query?: R.ProfileQuery): Promise<R.List<R.Profile>> => ask("GET", "profiles", { query }),
      update: (userId: string, body: R.ProfilePatch, of?: OfApp): Promise<R.Profile> =>
        ask("PATCH", `profiles/${segment(userId)}`, { body, query: of }),
      delete: (userId: string, of?: OfApp): Promise<void> =>
        tell("DELETE", `profiles/${segment(userId)}`, { query: of }),
      /** Deletes profiles of an app; unknown ids are ignored. @returns how many were deleted. */
      deleteMany: (appId: string, userIds: readonly string[]): Promise<{ deleted: number }> =>
        ask("POST", "profiles/delete", { body: { appId, userIds } }),
      /** Deletes profiles of several apps in one transaction, which can be undone as a whole. @see deleteMany */
      deleteFrom: (
        apps: readonly { readonly appId: string; readonly userIds: readonly string[] }[],
      ): Promise<{ deleted: number }> => ask("POST", "profiles/delete", { body: { apps } }),
    },
    sessions: {
      /** Signs a user in without a passcode. */
      create: (body: R.SessionInput): Promise<R.Session & { token: string }> => ask("POST", "sessions", { body }),
      get: (id: string): Promise<R.Session> => ask("GET", `sessions/${segment(id)}`),
      list: (query?: R.SessionQuery): Promise<R.List<R.Session>> => ask("GET", "sessions", { query }),
      /** Revokes a session. @param id of the session. */
      revoke: (id: string): Promise<void> => tell("DELETE", `sessions/${segment(id)}`),
      /** Revokes the sessions of an app, of a user, or all. */
      revokeAll: (query?: OfApp & { readonly userId?: string }): Promise<void> => tell("DELETE", "sessions", { query }),
      /** Expires a session now. @param id of the session. */
      expire: (id: string): Promise<R.Session> => ask("POST", `sessions/${segment(id)}/expire`),
      /** @returns a newly signed token for a session. @param id of the session. */
      token: async (id: string): Promise<string> =>
        (await ask<{ token: string }>("GET", `sessions/${segment(id)}/token`)).token,
      /** Signs a token with a defect, to test a backend; without `defect` a valid one. @param id of the session. */
      wrongToken: (id: string, body: R.WrongTokenInput = {}): Promise<R.WrongToken> =>
        ask("POST", `sessions/${segment(id)}/token`, { body }),
      /** Calls your backend with a valid token and with each defective one. @param id of an active session. */
      checkBackend: (id: string, body: R.TokenCheckInput): Promise<R.TokenCheck> =>
        ask("POST", `sessions/${segment(id)}/token-check`, { body }),
      /** @returns whether a token is active, and its claims. */
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
    /** The service reads time only from this clock; waits and timeouts use real time. */
    clock: {
      read: (of?: OfApp): Promise<R.Clock> => ask("GET", "clock", { query: of }),
      /** Sets the clock; `{}` returns to real time. */
      set: setClock,
      /** Advances the clock, or moves it back if negative. */
      advance: (seconds: number, of?: OfApp): Promise<R.Clock> =>
        ask("POST", "clock/advance", { body: { seconds }, query: of }),
      /** Freezes the clock. @param at an ISO instant; absent: its current time. */
      freeze: async (at?: string, of?: OfApp): Promise<R.Clock> => {
        const frozenAt = at ?? (await ask<R.Clock>("GET", "clock", { query: of })).now;
        return await setClock({ frozenAt }, of);
      },
      /** Returns to real time. */
      reset: (of?: OfApp): Promise<R.Clock> => setClock({}, of),
    },
    /** The request log: the newest 1,000 requests to admin and auth. */
    requests: createRequests(transport),
    /** Where others reach the emulator: through a proxy, or under the mapped ports of a container. */
    publicUrls: {
      read: (): Promise<R.PublicUrls> => ask("GET", "public-urls"),
      /** Sets them until the emulator stops, for tokens, links and pages; null: the URL that listens. */
      set: (body: R.PublicUrlsInput): Promise<R.PublicUrls> => ask("PUT", "public-urls", { body }),
    },
    /** Auth on the local network, for phones. Not remembered across a restart. */
    lan: {
      read: (): Promise<R.Lan> => ask("GET", "lan"),
      open: (): Promise<R.Lan> => ask("PUT", "lan", { body: { open: true } }),
      /** Closes it, including the connections from the network. */
      close: (): Promise<R.Lan> => ask("PUT", "lan", { body: { open: false } }),
    },
    /** Auth over TLS, with a local certificate authority. */
    tls: {
      read: (): Promise<R.Tls> => ask("GET", "tls"),
      on: (): Promise<R.Tls> => ask("PUT", "tls", { body: { on: true } }),
      off: (): Promise<R.Tls> => ask("PUT", "tls", { body: { on: false } }),
      /** Replaces the certificate authority: devices must trust the new one. */
    },
    /** The clients of auth, newest first. */
    clients: {
      list: (): Promise<R.List<R.AuthClient>> => ask("GET", "clients"),
    },
    /** Connects emulators and simulators on the emulator's machine to auth. */
    connect: {
      /** Checks every auth URL from this machine: does the name resolve, is the port open, is the certificate valid? */
      check: (): Promise<R.List<R.Reach>> => ask("POST", "connect/check"),
      /** Forwards the ports of auth from an Android device with `adb reverse`. */
      adbReverse: (body: R.AdbReverseInput = {}): Promise<R.AdbReversed> =>
        ask("POST", "connect/adb-reverse", { body }),
      /** Makes booted iOS simulators trust the certificate authority. */
      simulatorTrust: (body: R.SimulatorTrustInput = {}): Promise<R.SimulatorTrusted> =>
        ask("POST", "connect/simulator-trust", { body }),
    },
    /** Simulated failures of admin and auth. */
    faults: {
      add: (body: R.FaultInput): Promise<R.Fault> => ask("POST", "faults", { body }),
      get: (id: string): Promise<R.Fault> => ask("GET", `faults/${segment(id)}`),
      list: (of?: OfApp): Promise<R.List<R.Fault>> => ask("GET", "faults", { query: of }),
      remove: (id: string): Promise<void> => tell("DELETE", `faults/${segment(id)}`),
      /** Deletes all faults, or those of an app. */
      clear: (of?: OfApp): Promise<void> => tell("DELETE", "faults", { query: of }),
    },
    /** Weather: named lists of faults. */
    weather: {
      /** @returns which is on, and which there is. */
      get: (of?: OfApp): Promise<R.Weather> => ask("GET", "weather", { query: of }),
      /** Sets it instead of the one that is on: `await client.weather.set("tunnel", { appId, seed: 42 })`. */
      set: (name: string, options: Omit<R.WeatherInput, "name"> = {}): Promise<R.Weather> =>
        ask("PUT", "weather", { body: { ...options, name } }),
      /** Ends the weather, everywhere or of an app. */
      clear: (of?: OfApp): Promise<void> => tell("DELETE", "weather", { query: of }),
    },
    /** Login coverage: which outcomes of a login have been met, by an app or by all. */
    coverage: {
      /** @returns all outcomes with their counts, those of deleted apps included. @param query `resent: "0"`: without resent requests. */
      get: (query?: R.CoverageQuery): Promise<R.Coverage> => ask("GET", "coverage", { query }),
      /** Counts again. */
      clear: (of?: OfApp): Promise<void> => tell("DELETE", "coverage", { query: of }),
      /**
       * Arranges that the next login meets an outcome, once: `await client.coverage.provoke("expiredCode", { to })`.
       * @param options `to`: whose login; absent: any user's. @returns what was set, and what to do next.
       */
      provoke: (
        outcome: R.ProvokeInput["outcome"],
        options: Omit<R.ProvokeInput, "outcome"> = {},
      ): Promise<R.Provoked> => ask("POST", "coverage/provoke", { body: { ...options, outcome } }),
      /** Removes what was arranged and has not been met. */
      unprovoke: (of?: OfApp): Promise<void> => tell("DELETE", "coverage/provoke", { query: of }),
    },
    /** Snapshots of one app, or of all apps. */
    snapshots: {
      /** Saves a snapshot; overwrites any snapshot with that name. */
      save: (name: string, of?: OfApp): Promise<R.Snapshot> => ask("PUT", `snapshots/${segment(name)}`, { query: of }),
      restore: (name: string, of?: OfApp): Promise<R.Restored> =>
        ask("POST", `snapshots/${segment(name)}/restore`, { query: of }),
      list: (of?: OfApp): Promise<R.List<R.Snapshot>> => ask("GET", "snapshots", { query: of }),
      delete: (name: string, of?: OfApp): Promise<void> => tell("DELETE", `snapshots/${segment(name)}`, { query: of }),
    },
    state: {
      /**
       * @returns the data as a fixture. @param options `volatile`: includes passcodes, sessions and clocks; `minimal`:
       * omits nulls, defaults, times, and ids that nothing refers to.
       */
      export: ({
        volatile,
        minimal,
        ...query
      }: OfApp & { readonly volatile?: boolean; readonly minimal?: boolean } = {}): Promise<R.World> =>
        ask("GET", "state", { query: { ...query, volatile: digit(volatile), minimal: digit(minimal) } }),
      /**
       * Imports data, all or nothing. @param state or its JSON in UTF-8. @param options `mode`: `merge` (the default) adds and updates, `replace` also
       * deletes what is not in it; `dryRun` validates and counts without changing anything; `users` also counts who is new,
       * changed and the same; `fit`, for rows of people, leaves out metadata that does not fit with what a user has.
       */
      import: (
        state: R.World | Uint8Array,
        options: OfApp & {
          readonly mode?: "merge" | "replace";
          readonly dryRun?: boolean;
          readonly users?: boolean;
          readonly fit?: boolean;
        } = {},
      ): Promise<Imported> => {
        const { mode = "merge", dryRun, users, fit, ...query } = options;
        return ask("PUT", "state", {
          ...bodyOf(state, mode),
          query: { ...query, dryRun: digit(dryRun), users: digit(users), fit: digit(fit) },
        });
      },
      /** Resets to the fixtures of the emulator's start, or to the demo data. */
      reset: (of?: OfApp): Promise<void> => tell("DELETE", "state", { query: of }),
      /** @returns what a reset would remove because the fixtures do not have it; nothing changes. */
      tryReset: (of?: OfApp): Promise<R.ResetTrial> => ask("DELETE", "state", { query: { ...of, dryRun: "1" } }),
    },
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

/**
 * The calls of the client, by the noun.
 */
import { type EventOptions, type StagedoorEvent, streamEvents } from "./events.ts";
import { createPasscodes, type Passcodes } from "./passcodes.ts";
import type * as R from "./records.ts";
import { segment, type Transport } from "./transport.ts";

/** One app; absent: all, and what is new. */
export interface OfApp {
  readonly appId?: string | undefined;
}

/** What an import took in. */
export type Imported = { apps: number; profiles: number; passcodes: number; sessions: number; connections: number };

/**
 * A running emulator. Every call may throw a StagedoorError: with the status and the reason of a refusal, or with status 0
 * and the reason `unreachable`.
 */
export interface Client {
  /** The console's URL, without a slash at its end. */
  readonly consoleUrl: string;
  /** @returns what the emulator says of itself, its three URLs among it. */
  status(): Promise<R.Status>;
  readonly passcodes: Passcodes;
  readonly apps: {
    /** Makes an app: an isolated environment in about a millisecond. Absent parts are made up. */
    create(input?: R.AppInput): Promise<R.App>;
    get(appId: string): Promise<R.App>;
    list(): Promise<R.List<R.App>>;
    /** Settings are merged with those that are set. */
    update(appId: string, change: R.AppPatch): Promise<R.App>;
    /** Deletes it with all that belongs to it. */
    delete(appId: string): Promise<void>;
    /** Gives it a new secret. */
    renewSecret(appId: string): Promise<R.App>;
  };
  readonly profiles: {
    create(input: R.ProfileInput): Promise<R.Profile>;
    /** @param of the app, where several have a profile of that id. */
    get(userId: string, of?: OfApp): Promise<R.Profile>;
    list(query?: R.ProfileQuery): Promise<R.List<R.Profile>>;
    update(userId: string, change: R.ProfilePatch, of?: OfApp): Promise<R.Profile>;
    delete(userId: string, of?: OfApp): Promise<void>;
  };
  readonly sessions: {
    /** Signs a user in without a passcode. */
    create(input: R.SessionInput): Promise<R.Session & { token: string }>;
    get(id: string): Promise<R.Session>;
    list(query?: R.SessionQuery): Promise<R.List<R.Session>>;
    /** Revokes one. @param id of the session. */
    revoke(id: string): Promise<void>;
    /** Revokes those of an app, of a user, or all. */
    revokeAll(query?: OfApp & { readonly userId?: string }): Promise<void>;
    /** Lets one expire now. @param id of the session. */
    expire(id: string): Promise<R.Session>;
    /** @returns the token of a session, signed again. @param id of the session. */
    token(id: string): Promise<string>;
    /** @returns whether a token is active, and whose it is. */
    introspect(token: string): Promise<R.Introspection>;
  };
  readonly connections: {
    create(input: R.ConnectionInput): Promise<R.Connection>;
    get(id: string): Promise<R.Connection>;
    list(query?: R.ConnectionQuery): Promise<R.List<R.Connection>>;
    update(id: string, change: R.ConnectionPatch): Promise<R.Connection>;
    delete(id: string): Promise<void>;
  };
  /** All that the service reads of time follows the clock; waits and timeouts are real time. */
  readonly clock: {
    read(of?: OfApp): Promise<R.Clock>;
    /** `{}` is real time. */
    set(input: R.ClockInput, of?: OfApp): Promise<R.Clock>;
    /** Moves it on, or back when negative. */
    advance(seconds: number, of?: OfApp): Promise<R.Clock>;
    /** Lets it stand still. @param at an ISO instant; absent: where it is. */
    freeze(at?: string, of?: OfApp): Promise<R.Clock>;
    /** Back to real time. */
    reset(of?: OfApp): Promise<R.Clock>;
  };
  /** The request log: the newest 1,000 of all three listeners. */
  readonly requests: {
    list(query?: R.RequestQuery): Promise<R.List<R.RequestRow>>;
    get(id: string): Promise<R.RequestRow>;
    /** @returns the request as a curl command, with the app's real secret. */
    curl(id: string): Promise<string>;
    /** Sends it once more, to the listener it came to. */
    replay(id: string): Promise<R.Replayed>;
    clear(): Promise<void>;
  };
  /** What admin and auth do wrong on purpose. */
  readonly faults: {
    add(input: R.FaultInput): Promise<R.Fault>;
    get(id: string): Promise<R.Fault>;
    list(of?: OfApp): Promise<R.List<R.Fault>>;
    remove(id: string): Promise<void>;
    /** Removes all, or those that name an app. */
    clear(of?: OfApp): Promise<void>;
  };
  /** Moments to go back to, of one app or of all. In memory: gone at a restart. */
  readonly snapshots: {
    /** Saves this moment under a name; one of that name gives way. */
    save(name: string, of?: OfApp): Promise<R.Snapshot>;
    restore(name: string, of?: OfApp): Promise<R.Restored>;
    list(of?: OfApp): Promise<R.List<R.Snapshot>>;
    /** @param options `limit`: most entries of each list, 100 if absent. */
    diff(name: string, options?: OfApp & { readonly limit?: number; readonly page?: number }): Promise<R.SnapshotDiff>;
    delete(name: string, of?: OfApp): Promise<void>;
  };
  readonly state: {
    /** @returns the world as one would commit it. @param options `volatile`: passcodes, sessions and clocks too. */
    export(options?: OfApp & { readonly volatile?: boolean }): Promise<R.World>;
    /**
     * Takes a world in, all or nothing.
     * @param options `mode`: `merge` (if absent) adds and updates, `replace` takes away what is not in it;
     * `dryRun` checks and counts, and changes nothing.
     */
    import(
      world: R.World,
      options?: OfApp & { readonly mode?: "merge" | "replace"; readonly dryRun?: boolean },
    ): Promise<Imported>;
    /** Back to the fixtures that it was started with, else to the demo. */
    reset(of?: OfApp): Promise<void>;
  };
  /**
   * What changes, as it changes, from when the stream is open: `for await (const event of client.events({ signal })) …`.
   * It is opened when the first event is asked for, and again when it breaks off.
   * @throws StagedoorError when it cannot be opened the first time.
   */
  events(options?: EventOptions): AsyncGenerator<StagedoorEvent, void, void>;
}

const digit = (flag: boolean | undefined): "1" | undefined => (flag === true ? "1" : undefined);

/** @returns the calls over a transport. */
export const createClient = (transport: Transport): Client => {
  const { ask, tell, consoleUrl } = transport;
  const setClock = (input: R.ClockInput, query?: OfApp): Promise<R.Clock> =>
    ask("PUT", "clock", { body: input, query });
  return {
    consoleUrl,
    status: () => ask("GET", "status"),
    passcodes: createPasscodes(transport),
    apps: {
      create: (body = {}) => ask("POST", "apps", { body }),
      get: (appId) => ask("GET", `apps/${segment(appId)}`),
      list: () => ask("GET", "apps"),
      update: (appId, body) => ask("PATCH", `apps/${segment(appId)}`, { body }),
      delete: (appId) => tell("DELETE", `apps/${segment(appId)}`),
      renewSecret: (appId) => ask("POST", `apps/${segment(appId)}/secret`),
    },
    profiles: {
      create: (body) => ask("POST", "profiles", { body }),
      get: (userId, query) => ask("GET", `profiles/${segment(userId)}`, { query }),
      list: (query) => ask("GET", "profiles", { query }),
      update: (userId, body, query) => ask("PATCH", `profiles/${segment(userId)}`, { body, query }),
      delete: (userId, query) => tell("DELETE", `profiles/${segment(userId)}`, { query }),
    },
    sessions: {
      create: (body) => ask("POST", "sessions", { body }),
      get: (id) => ask("GET", `sessions/${segment(id)}`),
      list: (query) => ask("GET", "sessions", { query }),
      revoke: (id) => tell("DELETE", `sessions/${segment(id)}`),
      revokeAll: (query) => tell("DELETE", "sessions", { query }),
      expire: (id) => ask("POST", `sessions/${segment(id)}/expire`),
      token: async (id) => (await ask<{ token: string }>("GET", `sessions/${segment(id)}/token`)).token,
      introspect: (token) => ask("POST", "sessions/introspect", { body: { token } }),
    },
    connections: {
      create: (body) => ask("POST", "connections", { body }),
      get: (id) => ask("GET", `connections/${segment(id)}`),
      list: (query) => ask("GET", "connections", { query }),
      update: (id, body) => ask("PATCH", `connections/${segment(id)}`, { body }),
      delete: (id) => tell("DELETE", `connections/${segment(id)}`),
    },
    clock: {
      read: (query) => ask("GET", "clock", { query }),
      set: setClock,
      advance: (seconds, query) => ask("POST", "clock/advance", { body: { seconds }, query }),
      freeze: async (at, query) => {
        const frozenAt = at ?? (await ask<R.Clock>("GET", "clock", { query })).now;
        return await setClock({ frozenAt }, query);
      },
      reset: (query) => setClock({}, query),
    },
    requests: {
      list: (query) => ask("GET", "requests", { query }),
      get: (id) => ask("GET", `requests/${segment(id)}`),
      curl: async (id) => {
        const headers = { Accept: "text/plain" };
        return await (await transport.open("GET", `requests/${segment(id)}/curl`, { headers })).text();
      },
      replay: (id) => ask("POST", `requests/${segment(id)}/replay`),
      clear: () => tell("DELETE", "requests"),
    },
    faults: {
      add: (body) => ask("POST", "faults", { body }),
      get: (id) => ask("GET", `faults/${segment(id)}`),
      list: (query) => ask("GET", "faults", { query }),
      remove: (id) => tell("DELETE", `faults/${segment(id)}`),
      clear: (query) => tell("DELETE", "faults", { query }),
    },
    snapshots: {
      save: (name, query) => ask("PUT", `snapshots/${segment(name)}`, { query }),
      restore: (name, query) => ask("POST", `snapshots/${segment(name)}/restore`, { query }),
      list: (query) => ask("GET", "snapshots", { query }),
      diff: (name, query) => ask("GET", `snapshots/${segment(name)}/diff`, { query }),
      delete: (name, query) => tell("DELETE", `snapshots/${segment(name)}`, { query }),
    },
    state: {
      export: ({ appId, volatile } = {}) => ask("GET", "state", { query: { appId, volatile: digit(volatile) } }),
      import: (state, { appId, mode = "merge", dryRun } = {}) =>
        ask("PUT", "state", { body: { mode, state }, query: { appId, dryRun: digit(dryRun) } }),
      reset: (query) => tell("DELETE", "state", { query }),
    },
    events: (options = {}) => streamEvents(transport, options),
  };
};

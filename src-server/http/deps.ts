/** What the three HTTP apps are given: ports, time, chance, and what they say of themselves. */
import type { Problem } from "#contract/problems.ts";
import type { TokenCheckAnswer, TokenCheckInput } from "#contract/token-check.ts";
import type { Defect } from "#contract/token-defects.ts";
import type { Tokens } from "#contract/tokens.ts";
import type { Store } from "#domain/store.ts";
import type { Env } from "#domain/world.ts";
import type { Clients } from "./clients.ts";
import type { BoundTokens } from "./confinement.ts";
import type { DevicesPort } from "./devices.ts";
import type { Faults } from "./faults.ts";
import type { Leases } from "./leases.ts";
import type { NetworkPort } from "./network.ts";
import type { EventBus } from "./traffic/event-bus.ts";
import type { RequestLog } from "./traffic/request-log.ts";
import type { WireReader } from "./wire.ts";

/** Where the three listeners are reached; known once they listen. */
export interface Urls {
  readonly admin: string;
  readonly auth: string;
  readonly console: string;
  readonly lan: readonly string[];
}

/** Calls backends. */
export interface BackendPort {
  /**
   * Calls one with tokens that `sign` gives: a good one (null), then those with these defects.
   * @returns how it took them, or 422 on the URL.
   */
  check(
    input: TokenCheckInput,
    defects: readonly Defect[],
    sign: (defect: Defect | null) => Promise<string>,
  ): Promise<TokenCheckAnswer | { readonly problem: Problem }>;
}

/** Handed to each of createAdminApp, createAuthApp and createConsoleApp. */
export interface Deps {
  readonly version: string;
  readonly store: Store;
  readonly tokens: Tokens;
  readonly log: RequestLog;
  /** Where everything that happens is published. */
  readonly bus: EventBus;
  readonly faults: Faults;
  readonly devices: DevicesPort;
  /** Auth on the network; called only once the listeners are up. */
  readonly network: () => NetworkPort;
  /** Null: the console is open to other machines, which are not to choose whom this one calls. */
  readonly backends: BackendPort | null;
  /** Begins to stop the process, once what is being answered is sent; null: the process is another program's. */
  readonly stop: (() => void) | null;
  /** Who has asked auth. */
  readonly clients: Clients;
  /** Apps that are there for a while. */
  readonly leases: Leases;
  /** The tokens that are bound to apps; null: there are none. */
  readonly bound: BoundTokens | null;
  /** The names by which browsers reach the console, as a policy can name them; called only once it listens. */
  readonly consoleNames: () => readonly string[];
  /** What people call this machine. */
  readonly machine: string;
  /** One for all listeners: it follows the store to know the shapes in use. */
  readonly readWire: WireReader;
  /** Time and chance; the request is added for each one. */
  readonly env: Omit<Env, "request" | "urls">;
  /** Where the listeners are; called only once they listen. */
  readonly urls: () => Urls;
  /** Real time in milliseconds since 1970: for what does not follow the service's clock. */
  readonly realNow: () => number;
  /** Milliseconds of a clock that never goes back, for durations, rate limits and waits. */
  readonly monotonic: () => number;
  /** Most bytes of a body, where the operation has no limit of its own. */
  readonly bodyLimitBytes: number;
  /** Secrets that open nothing, though an app has them. */
  readonly refusedSecrets: ReadonlySet<string>;
  /** Takes a line for the people who run the server. */
  readonly warn: (line: string) => void;
  /** Checks each answer against its schema and fails on a difference; for tests. */
  readonly checkAnswers: boolean;
}

/** Dependencies of the three HTTP apps: stores, time, randomness, and details of the running emulator. */
import type { Maxima } from "#contract/bounds.ts";
import type { Listener } from "#contract/control/routes.ts";
import type { Tokens } from "#contract/service/tokens.ts";
import type { Listeners } from "#domain/listeners.ts";
import type { Store } from "#domain/store.ts";
import type { Env } from "#domain/world.ts";
import type { Admit } from "./guards/bound-tokens.ts";
import type { Leases } from "./leases.ts";
import type { Waits } from "./lookups/waits.ts";
import type { NetworkPort, Observers, Ports } from "./ports.ts";
import type { EventBus } from "./traffic/event-bus.ts";
import type { RequestLog } from "./traffic/request-log.ts";

/** The listeners, as URLs on this machine. */
export type ListeningUrls = Readonly<Record<Listener, string>>;

/** The URLs that others are given: the public ones, otherwise those that listen; `lan`: auth's on the network. */
export interface Urls extends ListeningUrls {
  readonly lan: readonly string[];
}

/** Where the program can be reached, which is known only once it listens: call these then. */
export interface Place {
  readonly network: () => NetworkPort;
  readonly urls: () => Urls;
  /** Sets URLs to give to others, until the end; null: the one that listens. */
  readonly publish: (urls: Readonly<Partial<Record<Listener, string | null>>>) => void;
  readonly listening: () => ListeningUrls;
  /** The host names of the console that a Content Security Policy can name. */
  readonly consoleNames: () => readonly string[];
}

interface Program {
  readonly version: string;
  /** Prints a line for the operator. */
  readonly warn: (line: string) => void;
  /** Stops the process after the current responses are sent; null if the process belongs to another program. */
  readonly stop: (() => void) | null;
}

/** How this server checks requests and responses, in addition to the contract. */
interface MessageChecks {
  readonly bodyLimitBytes: number;
  /** Secrets that are refused even though an app has them. */
  readonly refusedSecrets: ReadonlySet<string>;
  /** Validates each response against its schema and fails on a mismatch; for tests. */
  readonly answers: boolean;
}

/** Time and randomness: those of the rules, without a request, and time that does not follow the service clock. */
interface ServerEnv extends Omit<Env, "request" | "urls"> {
  /** Real time in milliseconds since 1970. */
  readonly realNow: () => number;
  /** Monotonic milliseconds, for durations, rate limits and waits. */
  readonly monotonic: () => number;
}

/** What the service consists of, without the features that it asks. */
export interface Base {
  readonly program: Program;
  readonly store: Store;
  readonly tokens: Tokens;
  readonly log: RequestLog;
  readonly bus: EventBus;
  readonly observers: Observers;
  /** Calls them, and all that listens. */
  readonly listeners: Listeners;
  readonly leases: Leases;
  readonly waits: Waits;
  /** The maxima of the table of limits that tests lower. */
  readonly maxima: Maxima;
  /** Who has a token other than the console's own; null if no one can. */
  readonly admit: Admit | null;
  readonly place: Place;
  readonly env: ServerEnv;
  readonly checks: MessageChecks;
}

/** Dependencies of createAdminApp, createAuthApp and createConsoleApp. */
export interface Deps extends Base {
  readonly ports: Ports;
}

/** The types of `stagedoor/testing`. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { Client } from "./client.ts";
import type { World } from "./records.ts";

/** A file of fixtures or users, and how users in it are read, as the options of `stagedoor seed` say it. */
export interface FixtureFile {
  readonly file: string;
  /** What columns become, by name, such as `{ Mobile: "phone" }`; an empty text leaves one out. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /** What other columns become. Default: metadata. */
  readonly rest?: "metadata" | "drop" | undefined;
  /** The country of phone numbers in national format, such as `US`. */
  readonly country?: string | undefined;
  /** The encoding of a file that is not UTF-8, such as `windows-1250`. */
  readonly encoding?: string | undefined;
  /** Which of several rows that differ about one user to take. Default: `refuse`. */
  readonly duplicates?: "first" | "last" | "refuse" | undefined;
}

/** A file, or its path. */
export type Fixture = string | FixtureFile;

/** Options of an emulator for tests. `STAGEDOOR_…` environment variables are ignored. */
export interface StartOptions {
  /** Files of fixtures or users for the start and for a reset. Absent: the demo, with `demo-app` and `demo-mail`. */
  readonly fixtures?: readonly Fixture[] | undefined;
  /** Data for the start and for a reset, instead of `fixtures`. */
  readonly world?: World | undefined;
  /** The data folder. Absent: data is kept in memory, and lost at the end. */
  readonly dataDir?: string | undefined;
  /** Ports; absent or 0: any free one. */
  readonly ports?: { readonly admin?: number; readonly auth?: number; readonly console?: number } | undefined;
  /** Opens auth to the local network, for phones. */
  readonly lan?: boolean | undefined;
  /** Receives messages for users. Absent: they are discarded. */
  readonly log?: ((line: string) => void) | undefined;
}

/** An emulator in this process. */
export interface Stagedoor {
  /** For the app's backend: serves `/v1/profiles`. */
  readonly adminUrl: string;
  /** For the app: serves `/v1/users/session`. */
  readonly authUrl: string;
  /** The UI, and the control API for `connect`. */
  readonly consoleUrl: string;
  /** URLs of auth for other machines, with `lan`. */
  readonly lanUrls: readonly string[];
  /** A client for it. */
  readonly client: Client;
  /** What the start said, such as how many users a file has, and what was left out; a sentence each. */
  readonly notices: readonly string[];
  /** Resets to the initial data: `world`, or `fixtures`, or the demo data. */
  reset(): Promise<void>;
  /** Stops it within 2 s, and ends the waits and event streams of `client`; all data is on disk then. Idempotent. */
  close(): Promise<void>;
  /** Same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts an emulator in this process, on 127.0.0.1.
 * @throws StagedoorError with status 0 and a reason such as `port_in_use`, `invalid_fixtures` or `data_damaged`; with
 * 422 for unknown options or an invalid `world`.
 */
export type StartStagedoor = (options?: StartOptions) => Promise<Stagedoor>;

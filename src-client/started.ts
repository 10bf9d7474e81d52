/** The types of `stagedoor/testing`. */
/// <reference lib="esnext.disposable" preserve="true" />
import type { Client } from "./client.ts";
import type { World } from "./records.ts";

/** How to start an emulator for tests. The environment (`STAGEDOOR_…`) is not looked at. */
export interface StartOptions {
  /** Files to start from and to go back to at a reset. Absent: the demo, with `demo-app` and `demo-mail`. */
  readonly fixtures?: readonly string[] | undefined;
  /** Data to start from and to go back to at a reset, in place of `fixtures`. */
  readonly world?: World | undefined;
  /** A folder to keep the data in. Absent: it is kept in memory, and gone at the end. */
  readonly dataDir?: string | undefined;
  /** Ports; absent or 0: any free one. */
  readonly ports?: { readonly admin?: number; readonly auth?: number; readonly console?: number } | undefined;
  /** Opens the session interface to the local network, for a phone. */
  readonly lan?: boolean | undefined;
  /** Takes lines for people. Absent: they are dropped. */
  readonly log?: ((line: string) => void) | undefined;
}

/** An emulator in this process. */
export interface Stagedoor {
  /** For the app's backend: `/v1/profiles`. */
  readonly adminUrl: string;
  /** For the app: `/v1/users/session`. */
  readonly authUrl: string;
  /** The UI, and the control API for `connect`. */
  readonly consoleUrl: string;
  /** Its session interface as other machines reach it, with `lan`. */
  readonly lanUrls: readonly string[];
  /** All its calls. */
  readonly client: Client;
  /** Goes back to what it was started with: `world`, else `fixtures`, else the demo data. */
  reset(): Promise<void>;
  /**
   * Stops it within 2 s, and ends the waits and event streams of `client`; all data is on disk then. A second call does
   * nothing.
   */
  close(): Promise<void>;
  /** As `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts an emulator in this process, on 127.0.0.1.
 * @throws StagedoorError with status 0 and the reason, such as `port_in_use`, `invalid_fixtures` or `data_damaged`; with 422
 * for unknown options and a bad `world`.
 */
export type StartStagedoor = (options?: StartOptions) => Promise<Stagedoor>;

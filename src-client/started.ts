/** The types of `stagedoor/testing`. */
import type { Client } from "./client.ts";
import type { World } from "./records.ts";

/** How to start an emulator for tests. The environment (`STAGEDOOR_…`) is not looked at. */
export interface StartOptions {
  /** Files to start from and to go back to at a reset. Absent: the demo, with `demo-app` and `demo-mail`. */
  readonly fixtures?: readonly string[] | undefined;
  /** A world that replaces what it starts with. A reset goes back to the fixtures. */
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
  /** Stops it within 2 s; all is on disk then. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Starts an emulator in this process, on 127.0.0.1.
 * @throws Error with a message for people: a port in use, bad fixtures, damaged data.
 */
export type StartStagedoor = (options?: StartOptions) => Promise<Stagedoor>;

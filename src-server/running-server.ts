/** What a server gets from whoever starts it, and what it offers while it runs. */

import type { Maxima } from "#contract/bounds.ts";
import type { FirstFailure } from "#contract/control/requests.ts";
import type { AppItem } from "#contract/service/apps.ts";
import type { PasscodeItem } from "#contract/service/passcodes.ts";
import type { ParsedState } from "#domain/import/parse-state.ts";
import type { SeenElsewhere } from "#features/kernel.ts";
import type { Urls } from "#http/deps.ts";
import type { Programs } from "#http/ports.ts";
import type { FileSystem } from "#store/disk/files.ts";
import type { MachineAddress } from "./boot/addresses.ts";
import type { PublicUrls } from "./boot/public-urls.ts";
import type { Random } from "./boot/random.ts";
import type { Lookup } from "./boot/url-check.ts";

/** The environment of the server; tests inject time (in milliseconds), randomness, files, programs and addresses. */
export interface ServerHost {
  /** Prints a line for the operator. */
  readonly log: (line: string) => void;
  readonly version: string;
  readonly realNow?: () => number;
  readonly monotonic?: () => number;
  readonly random?: Random;
  /** All ids and codes follow from it and from the order of what is asked; absent: unpredictable. */
  readonly seed?: string;
  readonly files?: FileSystem;
  readonly programs?: Programs;
  readonly addresses?: () => readonly MachineAddress[];
  readonly lookup?: Lookup;
  /** Lower maxima than those of the table of limits; for tests. */
  readonly bounds?: Partial<Maxima>;
  /** Validates each response against its schema; for tests. */
  readonly checkAnswers?: boolean;
  /** Aborts the start while it waits for another process's lock. */
  readonly signal?: AbortSignal;
  /** The world for a reset, instead of the fixtures. */
  readonly home?: ParsedState;
  /** Requests and faults of another Stagedoor to show. */
  readonly seen?: SeenElsewhere;
  /** Ends the process on request of the control API; absent if the process belongs to another program. */
  readonly stop?: () => void;
}

/** With what a server has if nothing is injected. */
export type FilledHost = ServerHost & Required<Pick<ServerHost, "realNow" | "monotonic" | "random" | "addresses">>;

/** A running server. */
export interface RunningServer {
  /** The URLs for this machine, and those of auth on the network. */
  readonly urls: Urls;
  /** The URLs for others, where they were given (`--public-auth-url`). */
  readonly publicUrls: PublicUrls;
  /** The TLS URL of auth; null while TLS is off. */
  readonly authTlsUrl: string | null;
  /** Null with durability `memory`. */
  readonly dataDir: string | null;
  /** The access token of a console that is open to other machines. */
  readonly accessToken: string | null;
  /** @returns the console URL to open in a browser, with a one-time code (valid for a minute) if one is needed. */
  browserUrl(): string;
  /** Messages to print at the start. */
  readonly notices: readonly string[];
  readonly apps: readonly (Pick<AppItem, "appId" | "name" | "secret" | "strategy"> & {
    firstUsername: string | null;
  })[];
  /** Calls the listener for each passcode when it is issued. @returns unsubscribe. */
  onPasscode(listener: (item: PasscodeItem) => void): () => void;
  /** Calls the listener with the first failure of its kind of an app, at most once a second. */
  onFirstFailure(listener: (failure: FirstFailure) => void): void;
  /** Stops within 2 s, even with open streams; everything is on disk then. */
  close(): Promise<void>;
}

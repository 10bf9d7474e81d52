/** Begins the kits, and connects them. Names none of them. */
import type { LookupAddress } from "node:dns";
import type { Maxima } from "#contract/bounds.ts";
import type { RequestItem } from "#contract/requests.ts";
import type { Listener } from "#contract/routes.ts";
import type { TimelineItem } from "#contract/timeline.ts";
import type { StateRow } from "#features/manifest.ts";
import type { KitName, KitOperationId, KitWithRoutes, OperationsOfKit } from "#features/parts.ts";
import type { Clients } from "./clients.ts";
import type { Deps } from "./deps.ts";
import type { Handler, OperationsOf } from "./handler.ts";
import { KitState } from "./kit-state.ts";
import type { Programs } from "./programs.ts";

/** What another Stagedoor has seen of a login. */
export interface SeenElsewhere {
  readonly requests: readonly RequestItem[];
  /** As it listed them. */
  readonly faults: readonly object[];
  /** It cannot be rewound. */
  readonly timeline?: readonly TimelineItem[] | undefined;
}

/** What the program was started with, as far as kits ask. */
interface Started {
  /** The address on which the console is open to other machines; null if it is not. */
  readonly consoleHost: string | null;
  /** Its name in the network. */
  readonly machine: string;
  /** The hosts that may be called although they are not local or private. */
  readonly checkHosts: readonly string[];
  /** Runs other programs, instead of the machine's own way. */
  readonly programs: Programs | undefined;
  /** What to show instead of its own. */
  readonly seen: SeenElsewhere | undefined;
  /** Looks a name up, instead of the machine's own way. */
  readonly lookup: ((name: string) => Promise<readonly LookupAddress[]>) | undefined;
}

/** What kits get of the server. */
interface Given extends Deps {
  readonly clients: Clients;
  /** The maxima of the table of limits that tests lower. */
  readonly maxima: Maxima;
  /** Their end: that of the server. */
  readonly signal: AbortSignal;
  readonly started: Started;
}

/** What a kit gets at its start. */
export interface Kernel extends Given {
  /** Keeps a state by app, as its row in the manifest says. @param add see KitState. */
  readonly keep: <T>(row: StateRow, begins: () => T, add?: (total: T, gone: T) => void) => KitState<T>;
  /** What kits share: @returns what `make` has made for this server, now or when it was first asked for. */
  readonly once: <T>(make: (kernel: Kernel) => T) => T;
}

/** The handlers of a kit. */
type KitHandlers<N extends KitName> = { readonly [K in OperationsOfKit<N> & KitOperationId]: Handler<K> };

/** The start of a kit on the server. */
export type Setup<N extends KitName> = (kernel: Kernel) => KitHandlers<N>;

/** How the kits start on the server; a kit with rows must have a start. */
export type Setups = { readonly [N in KitWithRoutes]: Setup<N> } & { readonly [N in KitName]?: Setup<N> };

/** The handlers that kits have of a listener. */
export type KitHandlersOf<L extends Listener> = { readonly [K in KitOperationId & OperationsOf<L>]: Handler<K> };

/** @returns `Kernel.once` of a server. */
const createOnce = (kernel: () => Kernel): Kernel["once"] => {
  const made = new Map<unknown, unknown>();
  return <T>(make: (kernel: Kernel) => T): T => {
    if (!made.has(make)) made.set(make, make(kernel()));
    // The key has made it.
    return made.get(make) as T;
  };
};

/**
 * Begins all kits, in the order of the list, before anybody can call.
 * @returns the handlers of all of them.
 */
export const beginKits = (setups: Setups, given: Given): KitHandlersOf<Listener> => {
  const kernel: Kernel = {
    ...given,
    keep: (row, begins, add) => new KitState(row, given, begins, add),
    once: createOnce(() => kernel),
  };
  // What `Setups` demands of each kit, the compiler has checked where the list is written.
  return Object.assign({}, ...Object.values(setups).map((setup) => setup(kernel)));
};

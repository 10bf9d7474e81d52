/**
 * Loads the code of kits when it is first needed, and connects it: each at its first request, and those that follow what
 * happens before the first handler that may change something. Names none of them.
 */
import type { LookupAddress } from "node:dns";
import type { Listener } from "#contract/routes.ts";
import type { TimelineItem } from "#contract/timeline.ts";
import type { StateRow } from "#kits/manifest.ts";
import { type KitName, type KitOperationId, type KitWithRoutes, kits, type OperationsOfKit } from "#kits/parts.ts";
import type { Clients } from "./clients.ts";
import type { Deps } from "./deps.ts";
import type { Handler, OperationsOf } from "./handler.ts";
import { KitState } from "./kit-state.ts";

/** What the program was started with, as far as kits ask. */
interface Started {
  /** The address on which the console is open to other machines; null if it is not. */
  readonly consoleHost: string | null;
  /** Its name in the network. */
  readonly machine: string;
  /** The hosts that may be called although they are not local or private. */
  readonly checkHosts: readonly string[];
  /** The timeline of another Stagedoor, to show instead of its own; it cannot be rewound. */
  readonly seenTimeline: readonly TimelineItem[] | undefined;
  /** Looks a name up, instead of the machine's own way. */
  readonly lookup: ((name: string) => Promise<readonly LookupAddress[]>) | undefined;
}

/** What kits get of the server. */
interface Given extends Deps {
  readonly clients: Clients;
  /** Their end: that of the server. */
  readonly signal: AbortSignal;
  readonly started: Started;
}

/** What a kit gets at its start. */
export interface Kernel extends Given {
  /** Keeps a state by app, as its row in the manifest says. @param add see KitState. */
  readonly keep: <T>(row: StateRow, begins: () => T, add?: (total: T, gone: T) => void) => KitState<T>;
}

/** The handlers of a kit. */
type KitHandlers<N extends KitName> = { readonly [K in OperationsOfKit<N> & KitOperationId]: Handler<K> };

/** The start of a kit on the server. */
export type Setup<N extends KitName> = (kernel: Kernel) => KitHandlers<N>;

/** How the code of a kit on the server is loaded. */
interface ServerLoad<N extends KitName> {
  readonly server: () => Promise<{ readonly setup: Setup<N> }>;
}
/** The code of the kits on the server; a kit with rows must have some. */
export type ServerCode = { readonly [N in KitWithRoutes]: ServerLoad<N> } & {
  readonly [N in KitName]?: Partial<ServerLoad<N>>;
};

type AnyHandler = (call: unknown) => unknown;

/** @see the file */
export class Kits {
  readonly #code: Readonly<
    Record<string, { readonly server?: () => Promise<{ readonly setup: unknown }> } | undefined>
  >;
  readonly #kernel: Kernel;
  readonly #loaded = new Map<string, Promise<Readonly<Record<string, AnyHandler>>>>();

  constructor(code: ServerCode, given: Given) {
    const { hooks } = given;
    this.#code = code;
    const followers = kits().flatMap(([name, { follows }]) => (follows === true ? [name] : []));
    const follow = async (): Promise<void> => {
      await Promise.all(followers.map((name) => this.#load(name)));
      hooks.arrived.splice(hooks.arrived.indexOf(follow) >>> 0, 1);
    };
    if (followers.length > 0) hooks.arrived.push(follow);
    this.#kernel = { ...given, keep: (row, begins, add) => new KitState(row, given, begins, add) };
  }

  #load(name: string): Promise<Readonly<Record<string, AnyHandler>>> {
    const loading =
      this.#loaded.get(name) ??
      Promise.resolve(this.#code[name]?.server?.()).then((module) =>
        // What `ServerCode` demands of each kit, the compiler has checked where the list is written.
        module === undefined
          ? {}
          : (module.setup as (kernel: Kernel) => Readonly<Record<string, AnyHandler>>)(this.#kernel),
      );
    this.#loaded.set(name, loading);
    return loading;
  }

  /** @returns the handlers of all kits on a listener; each loads its kit first. */
  handlers<L extends Listener>(listener: L): { readonly [K in KitOperationId & OperationsOf<L>]: Handler<K> } {
    const handlers: Record<string, AnyHandler> = {};
    for (const [name, { routes = {} }] of kits())
      for (const [id, row] of Object.entries(routes))
        if (row.listener === listener) handlers[id] = async (call) => (await this.#load(name))[id]?.(call);
    // As above.
    return handlers as { readonly [K in KitOperationId & OperationsOf<L>]: Handler<K> };
  }
}

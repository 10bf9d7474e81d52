/**
 * Loads the code of kits when it is first needed, and connects it: each at its first request, once the data has what
 * wakes it, and those that follow what happens before the first handler that may change something. Names none of them.
 */
import type { LookupAddress } from "node:dns";
import type { Maxima } from "#contract/bounds.ts";
import { COLLECTIONS } from "#contract/records.ts";
import type { RequestItem } from "#contract/requests.ts";
import type { Listener } from "#contract/routes.ts";
import type { TimelineItem } from "#contract/timeline.ts";
import type { StateRow } from "#kits/manifest.ts";
import { type KitName, type KitOperationId, type KitWithRoutes, kits, type OperationsOfKit } from "#kits/parts.ts";
import type { Clients } from "./clients.ts";
import type { Deps } from "./deps.ts";
import type { Handler, OperationsOf, PendingCall } from "./handler.ts";
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
  /** What others may create apps with on an open console; null if they may not. */
  readonly joinToken: string | null;
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

/** How the code of a kit on the server is loaded. */
interface ServerLoad<N extends KitName> {
  readonly server: () => Promise<{ readonly setup: Setup<N> }>;
}
/** The code of the kits on the server; a kit with rows must have some. */
export type ServerCode = { readonly [N in KitWithRoutes]: ServerLoad<N> } & {
  readonly [N in KitName]?: Partial<ServerLoad<N>>;
};

type AnyHandler = (call: unknown) => unknown;

/** @returns `Kernel.once` of a server. */
const createOnce = (kernel: () => Kernel): Kernel["once"] => {
  const made = new Map<unknown, unknown>();
  return <T>(make: (kernel: Kernel) => T): T => {
    if (!made.has(make)) made.set(make, make(kernel()));
    // The key has made it.
    return made.get(make) as T;
  };
};

/** What wakes a kit, in the records of a list: a field, or one within one. */
interface Alarm {
  readonly name: KitName;
  readonly path: readonly string[];
}

/** @returns the alarms of all kits, by list. */
const alarms = (): ReadonlyMap<string, readonly Alarm[]> => {
  const all = new Map<string, Alarm[]>();
  for (const [name, { wakes = {} }] of kits())
    for (const [list, field] of Object.entries(wakes))
      all.set(list, [...(all.get(list) ?? []), { name, path: field.split(".") }]);
  return all;
};

const hasField = (record: object | null, [name = "", ...rest]: readonly string[]): boolean => {
  if (record === null || !Object.hasOwn(record, name)) return false;
  const value: unknown = Object.entries(record).find(([key]) => key === name)?.[1];
  return rest.length === 0 || (typeof value === "object" && hasField(value, rest));
};

/** @see the file */
export class Kits {
  readonly #code: Readonly<
    Record<string, { readonly server?: () => Promise<{ readonly setup: unknown }> } | undefined>
  >;
  readonly #kernel: Kernel;
  readonly #loaded = new Map<string, Promise<Readonly<Record<string, AnyHandler>>>>();

  constructor(code: ServerCode, given: Given) {
    this.#code = code;
    this.#kernel = {
      ...given,
      keep: (row, begins, add) => new KitState(row, given, begins, add),
      once: createOnce(() => this.#kernel),
    };
    for (const what of [true, "console"] as const) {
      const followers = kits().flatMap(([name, { follows }]) => (follows === what ? [name] : []));
      if (followers.length > 0) this.#follow(followers, what === true ? undefined : what);
    }
    this.#watch(given.store);
  }

  /** Loads kits before the first handler, or the first of a listener, that may change something. */
  #follow(names: readonly KitName[], listener: Listener | undefined): void {
    const { arrived } = this.#kernel.hooks;
    const follow = ({ operation }: Pick<PendingCall, "operation">): Promise<unknown> | undefined => {
      if (operation.method === "GET" || operation.listener !== (listener ?? operation.listener)) return undefined;
      arrived.splice(arrived.indexOf(follow), 1);
      for (const name of names) this.#wake(name);
      return Promise.all(names.map((name) => this.#load(name)));
    };
    arrived.push(follow);
  }

  /** Wakes the kits that the data asks for, now and whenever it begins to. */
  #watch(store: Kernel["store"]): void {
    const byList = alarms();
    const look = (list: string, record: object | null): void => {
      for (const { name, path } of byList.get(list) ?? [])
        if (!this.#loaded.has(name) && hasField(record, path)) this.#wake(name);
    };
    this.#kernel.hooks.imported.push((state) => {
      const named = (byList.get("world") ?? []).filter(({ path }) => hasField(state, path));
      return named.length === 0 ? undefined : Promise.all(named.map(({ name }) => this.#load(name)));
    });
    for (const app of store.world.apps) {
      look("app", app.app);
      for (const list of COLLECTIONS) if (byList.has(list)) for (const record of app[list]) look(list, record);
    }
    store.watch((changes) => {
      for (const { change } of changes) if ("put" in change) look(change.put, change.record);
    });
  }

  /**
   * Loads the kits that an option of the start asks for, and those that must see every request. They are there before
   * anybody can call.
   */
  async begin(): Promise<void> {
    const set = Object.entries(this.#kernel.started).filter(([, value]) => value !== null && value !== undefined);
    const asked = alarms().get("started") ?? [];
    const names = asked.filter(({ path }) => hasField(Object.fromEntries(set), path)).map(({ name }) => name);
    for (const [name, { follows }] of kits()) if (follows === "start") names.push(name);
    await Promise.all(names.map((name) => this.#load(name)));
  }

  /** Loads a kit; requests that come meanwhile wait for it. */
  #wake(name: string): void {
    const { hooks } = this.#kernel;
    const loading = this.#load(name);
    const wait = () => loading;
    hooks.arrived.push(wait);
    const leave = (): unknown => hooks.arrived.splice(hooks.arrived.indexOf(wait), 1);
    void loading.then(leave, leave);
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

/**
 * What several read of what happens: who is called, in the order in which they have added themselves. Where one answers,
 * the kernel calls it by name (ports.ts). Changes of the data are read from the store: `watch`, and `timeline.latest`.
 */
import type { WorldState } from "#contract/state.ts";
import type { Listeners } from "#domain/listeners.ts";
import type { Ending, Exchange } from "./traffic/exchange.ts";

/** What is called, by name. What they throw is a warning (`Listeners`). */
interface Hook {
  /** A request of any listener has ended; its row says with what. */
  closed(row: Exchange, ending: Ending): void;
  /** A world was imported, or only this app of it; whoever imported it waits for what this returns. */
  imported(state: WorldState, appId: string | undefined): Promise<unknown> | undefined;
  /** The data of an app, or of all (undefined), has returned to the fixtures. */
  reset(appId: string | undefined): void;
}

/** Who is called, by the name of the hook. */
export type Hooks = { readonly [N in keyof Hook]: Hook[N][] };

/** @returns hooks without listeners. */
export const createHooks = (): Hooks => ({
  closed: [],
  imported: [],
  reset: [],
});

/** Who is told, and by whom. */
interface Told {
  readonly hooks: Hooks;
  readonly listeners: Listeners;
}

/** Tells of an import. */
export const tellImported = async (
  { hooks, listeners }: Told,
  state: WorldState,
  appId: string | undefined,
): Promise<void> => {
  for (const hear of hooks.imported) await listeners.wait("What hears of imports", () => hear(state, appId));
};

/** Tells of a reset. */
export const tellReset = ({ hooks, listeners }: Told, appId: string | undefined): void => {
  for (const hear of hooks.reset) listeners.call("What hears of resets", () => hear(appId));
};

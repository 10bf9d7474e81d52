/**
 * What several read of what happens: who is called, in the order in which they have added themselves. Where one answers,
 * the kernel calls it by name (ports.ts). Changes of the data are read from the store: `watch`, and `timeline.latest`.
 */
import type { WorldState } from "#contract/state.ts";
import type { Ending, Exchange } from "./traffic/exchange.ts";

/** What is called, by name. None of them may throw. */
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

/** Tells of an import. */
export const tellImported = async ({ imported }: Hooks, state: WorldState, appId?: string): Promise<void> => {
  for (const hear of imported) await hear(state, appId);
};

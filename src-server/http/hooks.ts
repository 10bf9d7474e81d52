/**
 * What several read of what happens: who is called, in the order in which they have added themselves. Where one answers,
 * the kernel calls it by name (ports.ts). Changes of the data are read from the store: `watch`, and `timeline.latest`.
 */
import type { Listeners } from "#domain/listeners.ts";
import type { Ending, Exchange } from "./traffic/exchange.ts";

/** What is called, by name. What they throw is a warning (`Listeners`). */
interface Hook {
  /** A request of any listener has ended; its row says with what. */
  closed(row: Exchange, ending: Ending): void;
  /** The data of an app, or of all (undefined), has returned to the fixtures. */
  reset(appId: string | undefined): void;
}

/** Who is called, by the name of the hook. */
export type Hooks = { readonly [N in keyof Hook]: Hook[N][] };

/** @returns hooks without listeners. */
export const createHooks = (): Hooks => ({
  closed: [],
  reset: [],
});

/** Tells of a reset. */
export const tellReset = (
  { hooks, listeners }: { readonly hooks: Hooks; readonly listeners: Listeners },
  appId: string | undefined,
): void => {
  for (const hear of hooks.reset) listeners.call("What hears of resets", () => hear(appId));
};

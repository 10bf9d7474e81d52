/** Who is called when something happens. Where one answers, the kernel calls it by name (ports.ts). */
import type { Listeners } from "#domain/listeners.ts";
import type { Ending, Exchange } from "./traffic/exchange.ts";

/** Who is called, by what has happened. What they throw is a warning (`Listeners`). */
export interface Observers {
  /** A request of any listener has ended; its row says with what. */
  readonly closed: ((row: Exchange, ending: Ending) => void)[];
  /** The data of an app, or of all (undefined), has returned to the fixtures. */
  readonly reset: ((appId: string | undefined) => void)[];
}

/** Tells of a reset. */
export const tellOfReset = (
  { observers, listeners }: { readonly observers: Observers; readonly listeners: Listeners },
  appId: string | undefined,
): void => {
  for (const hear of observers.reset) listeners.call("What hears of resets", () => hear(appId));
};

/** The one bus of the server: transactions, snapshots, faults, deliveries to devices and requests publish here. */
import type { EventInput } from "#contract/events.ts";
import type { Exchange } from "./exchange.ts";

/** What is published: an event of the control API, or a closed row of the request log, many of which make one event. */
export type BusMessage = EventInput | { readonly row: Exchange };

/** @see the file */
export class EventBus {
  readonly #listeners = new Set<(message: BusMessage) => void>();

  /** Tells all who subscribe, in the order of their subscription. */
  readonly publish = (message: BusMessage): void => {
    for (const listener of this.#listeners) listener(message);
  };

  /** @returns how to stop. */
  subscribe(listener: (message: BusMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Tells of what happens: events, and messages to users. */
import type { EventInput } from "#contract/control/events.ts";
import type { Listeners } from "#domain/listeners.ts";
import type { Exchange } from "./exchange.ts";

/** A message: an event of the control API, or a closed row of the request log, many of which become one event. */
export type BusMessage = EventInput | { readonly row: Exchange };

export class EventBus {
  readonly #listeners = new Set<(message: BusMessage) => void>();
  readonly #calls: Pick<Listeners, "call">;

  constructor(calls: Pick<Listeners, "call">) {
    this.#calls = calls;
  }

  readonly publish = (message: BusMessage): void => {
    for (const listener of this.#listeners) this.#calls.call("What hears of events", () => listener(message));
  };

  /** @returns unsubscribe. */
  subscribe(listener: (message: BusMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

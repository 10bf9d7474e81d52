/** The event bus of the server: transactions, snapshots, faults, deliveries to devices and requests. */
import type { EventInput } from "#contract/control/events.ts";
import type { Listeners } from "#domain/listeners.ts";
import type { Exchange } from "./exchange.ts";

/** A message: an event of the control API, or a closed row of the request log, many of which become one event. */
export type BusMessage = EventInput | { readonly row: Exchange };

/** Calls its subscribers in their order. @param calls calls them. */
export const createEventBus = (calls: Pick<Listeners, "call">) => {
  const listeners = new Set<(message: BusMessage) => void>();
  return {
    publish: (message: BusMessage): void => {
      for (const listener of listeners) calls.call("What hears of events", () => listener(message));
    },
    /** @returns unsubscribe. */
    subscribe: (listener: (message: BusMessage) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};
/** @see createEventBus */
export type EventBus = ReturnType<typeof createEventBus>;

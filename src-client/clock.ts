/** The clock from which the service reads time. */
import type { OfApp } from "./of-app.ts";
import type * as R from "./records.ts";
import type { Transport } from "./transport.ts";

/** @returns the calls. @see Client */
export const createClock = ({ ask }: Transport) => {
  const set = (input: R.ClockInput, query?: OfApp): Promise<R.Clock> => ask("PUT", "clock", { body: input, query });
  return {
    read: (of?: OfApp): Promise<R.Clock> => ask("GET", "clock", { query: of }),
    /** Sets the clock; `{}` returns to real time. */
    set,
    /** Advances the clock, or moves it back if negative. */
    advance: (seconds: number, of?: OfApp): Promise<R.Clock> =>
      ask("POST", "clock/advance", { body: { seconds }, query: of }),
    /** Freezes the clock. @param at an ISO instant; absent: its current time. */
    freeze: async (at?: string, of?: OfApp): Promise<R.Clock> => {
      const frozenAt = at ?? (await ask<R.Clock>("GET", "clock", { query: of })).now;
      return await set({ frozenAt }, of);
    },
    /** Returns to real time. */
    reset: (of?: OfApp): Promise<R.Clock> => set({}, of),
  };
};

/** The control API: the clock. */
import type { ClockRecord } from "#contract/service/records.ts";
import { advanceClock, clockItem, clockOf, setClock } from "#domain/clock.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appOfQuery, ok, settled } from "../lookups/select.ts";

/** @returns the handlers of the clock. */
export const createControlClockHandlers = ({ store, env: { realNow } }: Deps) => {
  const show = (clock: ClockRecord, app: AppWorld | undefined) => ok(clockItem(clock, app?.app, realNow()));
  return {
    readClock: ({ world, query }) => {
      const app = appOfQuery(world, query);
      return show(clockOf(world, app), app);
    },
    setClock: ({ cause, world, query, body }) => {
      const app = appOfQuery(world, query);
      return show(settled(store.transact((w) => setClock(w, app, body, realNow()), cause)), app);
    },
    advanceClock: ({ cause, world, query, body }) => {
      const app = appOfQuery(world, query);
      return show(settled(store.transact((w) => advanceClock(w, app, body.seconds, realNow()), cause)), app);
    },
  } satisfies Partial<Handlers<"console">>;
};

/** The control API: the clock (CONTRACT 6). */
import type { ClockRecord } from "#contract/records.ts";
import { advanceClock, clockItem, clockOf, setClock } from "#domain/clock.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Setup } from "#http/kits.ts";
import { appOfQuery, ok, settled } from "#http/select.ts";

/** @see the file */
export const setup: Setup<"clock"> = ({ store, env: { realNow } }) => {
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
  };
};

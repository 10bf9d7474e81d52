/** The control API: the clock. */
import type { ClockRecord } from "#contract/service/records.ts";
import { advanceClock, clockItem, clockOf, setClock } from "#domain/clock.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appOfQuery, ok } from "../lookups/select.ts";

/** @returns the handlers of the clock. */
export const createControlClockHandlers = ({ env: { realNow } }: Pick<Deps, "env">) => {
  const show = (clock: ClockRecord, app: AppWorld | undefined) => ok(clockItem(clock, app?.app, realNow()));
  return {
    readClock: ({ world, query }) => {
      const app = appOfQuery(world, query);
      return show(clockOf(world, app), app);
    },
    setClock: ({ change, world, query, body }) => {
      const app = appOfQuery(world, query);
      const set = change((w) => setClock(w, app, body, realNow()));
      return show(set, app);
    },
    advanceClock: ({ change, world, query, body }) => {
      const app = appOfQuery(world, query);
      const advanced = change((w) => advanceClock(w, app, body.seconds, realNow()));
      return show(advanced, app);
    },
  } satisfies Partial<Handlers<"console">>;
};

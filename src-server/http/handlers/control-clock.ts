/**
 * The control API: the clock (CONTRACT 6).
 */
import { problem } from "#contract/problems.ts";
import { advanceClock, clockItem, clockOf, setClock } from "#domain/clock.ts";
import type { AppWorld, World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";

const named = (
  world: World,
  appId: string | undefined,
): { readonly app: AppWorld | undefined } | ReturnType<typeof problem> => {
  if (appId === undefined) return { app: undefined };
  const app = world.app(appId);
  return app === undefined ? problem("unknown_record") : { app };
};

/** @returns the handlers of the clock. */
export const createControlClockHandlers = ({
  store,
  realNow,
}: Deps): Pick<Handlers<"console">, "readClock" | "setClock" | "advanceClock"> => ({
  readClock: ({ world, query }) => {
    const of = named(world, query.appId);
    return "problem" in of ? of : { status: 200, body: clockItem(clockOf(world, of.app), of.app?.app, realNow()) };
  },
  setClock: ({ world, query, body }) => {
    const of = named(world, query.appId);
    if ("problem" in of) return of;
    const outcome = store.transact((w) => setClock(w, of.app, body, realNow()));
    return outcome.ok ? { status: 200, body: clockItem(outcome.value, of.app?.app, realNow()) } : outcome;
  },
  advanceClock: ({ world, query, body }) => {
    const of = named(world, query.appId);
    if ("problem" in of) return of;
    const outcome = store.transact((w) => advanceClock(w, of.app, body.seconds, realNow()));
    return outcome.ok ? { status: 200, body: clockItem(outcome.value, of.app?.app, realNow()) } : outcome;
  },
});

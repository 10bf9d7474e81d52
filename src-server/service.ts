/** The parts of the service that the three apps share, and what it does itself as an observer. */

import { Advisor } from "#advice/advisor.ts";
import { maximaWith } from "#contract/bounds.ts";
import type { FirstFailure } from "#contract/control/requests.ts";
import { timeOf } from "#domain/clock.ts";
import type { Listeners } from "#domain/listeners.ts";
import { isHidden } from "#domain/world.ts";
import { forgetRows } from "#http/app-rows.ts";
import { Clients } from "#http/clients.ts";
import type { Base, Place } from "#http/deps.ts";
import { FirstFailures } from "#http/first-failures.ts";
import { admitWith } from "#http/guards/bound-tokens.ts";
import { Leases } from "#http/leases.ts";
import { createWaits } from "#http/lookups/waits.ts";
import type { Observers } from "#http/ports.ts";
import type { EventBus } from "#http/traffic/event-bus.ts";
import type { Exchange } from "#http/traffic/exchange.ts";
import { Logins } from "#http/traffic/logins.ts";
import { RequestLog } from "#http/traffic/request-log.ts";
import type { openWorld } from "./boot/open-data.ts";
import type { Config } from "./config.ts";
import type { FilledHost } from "./running-server.ts";

/** Whether a row is shown: requests to the service, rather than to the emulator. */
const isOfService = ({ listener, path, isProbe }: Exchange): boolean =>
  !isProbe && (listener === "admin" || (listener === "auth" && !path.startsWith("/emulator/")));

/** @see the file */
export interface ServiceParts {
  readonly base: Base;
  readonly clients: Clients;
  /** Called with each first failure. */
  readonly failureListeners: ((failure: FirstFailure) => void)[];
}

/** What tells of what happens. */
export interface Telling {
  readonly bus: EventBus;
  readonly listeners: Listeners;
}

type Opened = Pick<Awaited<ReturnType<typeof openWorld>>, "store" | "tokens" | "refusedSecrets">;

/** @returns the service on this data; it does not listen yet. */
export const createService = (
  config: Pick<Config, "retention" | "bodyLimitBytes" | "consoleHost" | "joinToken">,
  host: FilledHost,
  opened: Opened,
  { bus, listeners }: Telling,
  place: Place,
): ServiceParts => {
  const { store, tokens, refusedSecrets } = opened;
  const { version, log: warn, stop, checkAnswers = false, random, realNow, monotonic } = host;
  const { retention, bodyLimitBytes } = config;
  const joinToken = config.consoleHost === null ? null : config.joinToken;
  const clients = new Clients(realNow, random.uuid, bus.publish);
  const logins = new Logins(store);
  const log = new RequestLog(retention.requests, bus.publish, logins, (appId) => store.shares.isLimited(appId));
  const maxima = maximaWith(host.bounds);
  const waits = createWaits(store, listeners, maxima.appWaits);
  const leases = new Leases(store, monotonic, realNow);
  forgetRows(store, log);
  const env: Base["env"] = {
    ...random,
    now: (appId) => timeOf(store.world, appId === undefined ? undefined : store.world.app(appId), realNow()),
    retention,
    realNow,
    monotonic,
  };
  store.shares.counts("log", (appId) => log.bytesOf(appId));
  store.shares.releases((appId, bytes) => log.release(appId, bytes));
  const failureListeners: ServiceParts["failureListeners"] = [];
  const observers: Observers = { closed: [], reset: [] };
  const advisor = new Advisor({ store, env, log }, refusedSecrets);
  const failures = new FirstFailures((item, appId) => {
    bus.publish({ type: "failure.first", appId, item });
    for (const listener of failureListeners) listeners.call("What hears of first failures", () => listener(item));
  }, monotonic);
  observers.closed.push(
    (row) => logins.join(row),
    (row) => {
      const advise = advisor.advise(row);
      row.advice = (isBrief) => listeners.value("Advice", () => advise(isBrief), []);
    },
    (row) => isOfService(row) && log.add(row),
    (row) => isOfService(row) && !isHidden(store.world, row.appId) && failures.note(row),
    (row) => row.listener === "auth" && clients.note(row),
    ({ appId }) => appId !== null && leases.renew(appId),
  );
  observers.reset.push((appId) => logins.clear(appId));
  const base: Base = {
    place,
    program: { version, warn, stop: stop ?? null },
    store,
    tokens,
    log,
    bus,
    observers,
    listeners,
    leases,
    waits,
    maxima,
    admit: joinToken === null ? null : admitWith(joinToken, { store, log, leases }),
    env,
    checks: { bodyLimitBytes, refusedSecrets, answers: checkAnswers },
  };
  return { base, clients, failureListeners };
};

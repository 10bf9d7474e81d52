/** The control API: everything about one login attempt as one download. */

import type { RequestItem } from "#contract/control/requests.ts";
import { epochMs, foldUsername, isoInstant } from "#contract/scalars.ts";
import { finish } from "#contract/steps.ts";
import { masked } from "#contract/words/masked.ts";
import { clockItem, clockOf } from "#domain/clock.ts";
import { exportState } from "#domain/import/state-export.ts";
import type { AppWorld, World } from "#domain/world.ts";
import { createHistoryItems, entriesOf, sinceCreation } from "#features/history/rewind/history-items.ts";
import type { Kernel, Setup } from "#features/kernel.ts";
import { notFound, ok } from "#http/lookups/select.ts";
import { fullRow } from "#http/traffic/request-log.ts";
import type { LoginBundle } from "./contract/bundles.ts";

/** Maximum number of log rows to search, of records of each kind, and of changes. */
const MOST_ROWS = 1_000;
const MOST_RECORDS = 20;
const MOST_CHANGES = 200;

const appOfUser = (app: AppWorld, userId = "") => {
  const of = <C extends "passcodes" | "sessions" | "connections">(noun: C) => app.of(noun, userId).slice(-MOST_RECORDS);
  const profile = app.find("profiles", userId);
  const records = { passcodes: of("passcodes"), sessions: of("sessions"), connections: of("connections") };
  return { app: app.app, clock: app.clock, profiles: profile === undefined ? [] : [profile], ...records };
};

/** @returns a function that creates the bundle of a request; undefined if the log has no such admin or auth request. */
const createLoginBundle = (kernel: Kernel): ((world: World, id: string) => LoginBundle | undefined) => {
  const { store, log, program, env, faults } = kernel;

  /** @returns the requests of the row's login, oldest first; only the row if it has none. */
  const loginOf = (row: RequestItem): readonly RequestItem[] => {
    const { rows = [] } = row.login === null ? {} : (log.list({ login: row.login.id }) ?? {});
    const items = rows.slice(0, MOST_ROWS).map((one) => fullRow(one));
    return row.login === null ? [row] : items.toReversed();
  };

  return (world, id) => {
    const row = log.find(id);
    if (row === undefined || row.listener === "console") return undefined;
    const requests = loginOf(row);
    const app = row.appId === null ? undefined : world.app(row.appId);
    const to = row.login?.to ?? "";
    const userId = row.userId ?? app?.profileByUsername(to)?.userId;
    const state = exportState({ clock: world.clock, apps: app === undefined ? [] : [appOfUser(app, userId)] }, true);
    const timeline =
      app === undefined || userId === undefined
        ? []
        : finish(entriesOf(sinceCreation(store.history, app.app.appId).items, { appId: app.app.appId, userId }));
    const met = new Set(requests.map(({ fault }) => fault));
    const concerns = faults.list().filter(({ id: fault, match }) => {
      const isOfApp = match.appId === undefined || match.appId === row.appId;
      return met.has(fault) || (isOfApp && (match.to === undefined || foldUsername(match.to) === foldUsername(to)));
    });
    const bundle: LoginBundle = {
      kind: "stagedoor-login",
      version: 1,
      stagedoor: program.version,
      at: isoInstant(epochMs(env.realNow())),
      requestId: row.id,
      requests: [...requests],
      faults: concerns,
      clock: clockItem(clockOf(world, app), app?.app, env.realNow()),
      timeline: timeline.slice(0, MOST_CHANGES).map((shown) => finish(createHistoryItems(world)(shown)).item),
      state: { ...state, apps: state.apps.map(({ secret: _, ...shown }) => shown) },
    };
    const secrets = world.apps.map(({ app: { secret } }) => secret);
    return masked(bundle, secrets);
  };
};

export const setup: Setup<"bundle"> = (kernel) => {
  const bundleOf = createLoginBundle(kernel);
  return {
    openedExploration: () => ok({ exploration: kernel.started.seen?.exploration ?? null }),
    requestBundle: ({ world, params: { id = "" } }) => {
      const bundle = bundleOf(world, id);
      if (bundle === undefined) throw notFound("request", id);
      return ok(bundle);
    },
  };
};

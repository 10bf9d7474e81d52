/** The control API: status and apps. */

import { appLike } from "#contract/control/app-like.ts";
import type { Status } from "#contract/control/status.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { countsOf } from "#contract/service/records.ts";
import { parsedJson, plainJson } from "#contract/words/parsed-json.ts";
import { deleteApp, renewSecret, updateApp } from "#domain/apps.ts";
import { clockReading, REAL_CLOCK } from "#domain/clock.ts";
import { createAppWithPeople } from "#domain/import/app-with-people.ts";
import { exportState } from "#domain/import/state-export.ts";
import { shownApps, type World } from "#domain/world.ts";
import { plainAddress } from "../clients.ts";
import type { Deps } from "../deps.ts";
import type { TokenHolder } from "../guards/token-holder.ts";
import type { Handlers } from "../handler.ts";
import { appNamed, appsOf, done, made, notFound, ok, wrongFields } from "../lookups/select.ts";

/** @returns the handlers of status and apps. */
export const createAppHandlers = (deps: Deps) => {
  const { store, tokens, program, place, ports, leases, admit, log, listeners } = deps;
  const { monotonic } = deps.env;
  const { version, stop } = program;
  const { urls, listening } = place;
  const startedMs = monotonic();
  /** The current state of an app: a transaction may have replaced its view. */
  const shown = (appId: string | undefined) => leases.item(appNamed(store.world, appId));
  const like = (body: JsonObject, holder: TokenHolder | undefined): JsonObject => {
    const { like: id, ...input } = body;
    if (typeof id !== "string") return body;
    const row = log.row(id);
    // Whoever joins must not read what others have sent.
    const isOwn = holder === undefined || store.world.app(row?.appId ?? "")?.app.joined !== undefined;
    if (row === undefined || !isOwn) throw notFound("request", id);
    const found = row.listener === "auth" ? appLike(parsedJson(row.requestBody?.toString() ?? "")) : undefined;
    if (found === undefined || store.world.appBySecret(found.appId) !== undefined)
      throw wrongFields({ like: ["is not a session request with an app and a user"] });
    return { ...found, ...input };
  };
  /** @returns the body of POST apps with the strategy, the settings and the users of the app that it names; what else that has. */
  const copied = (body: JsonObject, holder: TokenHolder | undefined) => {
    const { copyOf: appId, ...input } = body;
    if (typeof appId !== "string") return { input: body, more: {} };
    const data = appNamed(store.world, appId);
    // Whoever joins must not read the users of others.
    if (holder !== undefined) throw notFound("app", appId);
    const [app] = exportState({ apps: [data], clock: REAL_CLOCK }, false).apps;
    const { strategy, settings, profiles, connections, weather } = app ?? {};
    return {
      input: { ...plainJson({ strategy, settings, profiles }), ...input },
      more: plainJson({ connections, weather }),
    };
  };
  const statusNow = (world: World, unwritable = store.unwritable()): Status => ({
    name: "stagedoor",
    version,
    pid: process.pid,
    urls: { ...urls(), lan: [...urls().lan] },
    listening: { admin: listening().admin, auth: listening().auth, console: listening().console },
    dataDir: store.dataDir,
    ...(unwritable !== undefined && { unwritable }),
    durability: store.durability,
    uptimeSeconds: Math.round(monotonic() - startedMs) / 1000,
    seq: world.seq,
    counts: countsOf({ apps: shownApps(world) }),
    ...(tokens.hasOwnKey && { signingKey: true }),
    ...(admit !== null && { joinToken: true }),
    ...(listeners.failures.length > 0 && { failures: [...listeners.failures] }),
    ...(store.shares.all && { shared: { ...store.shares.all, holders: leases.holders() } }),
  });
  return {
    readStatus: ({ world }) => ok(statusNow(world)),
    stop: ({ world }) => {
      if (stop === null) return { problem: { code: "not_stoppable" as const } };
      stop();
      return ok(statusNow(world));
    },
    listApps: ({ world, query }) => {
      const apps = query.hidden === "1" && query.appId === undefined ? world.apps : appsOf(world, query.appId);
      return ok({ items: apps.map((app) => leases.item(app)), total: apps.length });
    },
    createApp: async ({ change, body, env, holder, req }) => {
      const problem = leases.noRoomFor(body, holder !== undefined);
      if (problem !== undefined) return { problem };
      const { input, more } = copied(like(body, holder), holder);
      // Whoever comes without the console's own token joins with its app.
      const joins = holder !== undefined;
      const realTime = { ...env, now: () => clockReading(REAL_CLOCK, deps.env.realNow()) };
      const created = change((world) => createAppWithPeople(world, input, env, realTime, joins, more));
      const { appId } = created.app;
      if (created.imported !== undefined) ports.faults.setImported(created.imported, appId);
      const { admin: adminUrl, auth: authUrl, console: consoleUrl } = urls();
      const { profiles: all } = appNamed(store.world, appId);
      const profiles = all.map(({ userId, name, phone, email }) => ({ userId, name, phone, email }));
      if (joins) leases.createdBy(appId, plainAddress(req.socket.remoteAddress ?? ""));
      const told = holder?.accessTo(created.app);
      return made({ ...shown(appId), adminUrl, authUrl, consoleUrl, profiles, ...told });
    },
    readApp: ({ params }) => ok(shown(params["appId"])),
    updateApp: ({ change, world, params, body }) => {
      const app = appNamed(world, params["appId"]);
      return ok(shown(change((w) => updateApp(w, app, body)).appId));
    },
    deleteApp: ({ change, world, params }) => {
      const app = appNamed(world, params["appId"]);
      change((w) => deleteApp(w, app));
      return done;
    },
    renewSecret: ({ change, world, params, env }) => {
      const app = appNamed(world, params["appId"]);
      return ok(shown(change((w) => renewSecret(w, app, env)).appId));
    },
  } satisfies Partial<Handlers<"console">>;
};

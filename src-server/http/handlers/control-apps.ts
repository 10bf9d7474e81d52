/** The control API: status and apps (CONTRACT 6). */
import type { AppItem } from "#contract/apps.ts";
import { countsOf } from "#contract/records.ts";
import type { Status } from "#contract/status.ts";
import { appItem, createApp, deleteApp, renewSecret, updateApp } from "#domain/apps.ts";
import type { AppWorld, World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appNamed, done, made, ok, settled } from "../select.ts";

/** @returns the handlers of status and apps. */
export const createAppHandlers = ({ store, version, urls, monotonic, leases, bound, stop }: Deps) => {
  const startedMs = monotonic();
  /** The current state of an app: a transaction may have replaced its view. */
  const shown = (appId: string | undefined) => item(appNamed(store.world, appId));
  const item = (app: AppWorld): AppItem => {
    const [{ ttlSeconds }, expiresAt] = [app.app, leases.endOf(app.app.appId)];
    const lease = ttlSeconds === undefined || expiresAt === undefined ? {} : { lease: { ttlSeconds, expiresAt } };
    return { ...appItem(app), ...lease };
  };
  const statusNow = (world: World): Status => ({
    name: "stagedoor",
    version,
    pid: process.pid,
    urls: { ...urls(), lan: [...urls().lan] },
    dataDir: store.dataDir,
    durability: store.durability,
    uptimeSeconds: Math.round(monotonic() - startedMs) / 1000,
    seq: world.seq,
    counts: countsOf(world),
  });
  return {
    readStatus: ({ world }) => ok(statusNow(world)),
    stop: ({ world }) => {
      if (stop === null) return { problem: { code: "not_stoppable" as const } };
      stop();
      return ok(statusNow(world));
    },
    listApps: ({ world }) => ok({ items: world.apps.map(item), total: world.apps.length }),
    createApp: ({ body, env, visitor }) => {
      const app = settled(store.transact((world) => createApp(world, body, env)));
      const token = visitor?.may === "join" && bound !== null ? { accessToken: bound.of(app) } : {};
      return made({ ...shown(app.appId), ...token });
    },
    readApp: ({ params }) => ok(shown(params["appId"])),
    updateApp: ({ world, params, body }) => {
      const app = appNamed(world, params["appId"]);
      return ok(shown(settled(store.transact((w) => updateApp(w, app, body))).appId));
    },
    deleteApp: ({ world, params }) => {
      const app = appNamed(world, params["appId"]);
      settled(store.transact((w) => deleteApp(w, app)));
      return done;
    },
    renewSecret: ({ world, params, env }) => {
      const app = appNamed(world, params["appId"]);
      return ok(shown(settled(store.transact((w) => renewSecret(w, app, env))).appId));
    },
  } satisfies Partial<Handlers<"console">>;
};

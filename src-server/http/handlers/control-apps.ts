/**
 * The control API: status and apps (CONTRACT 6).
 */
import { problem } from "#contract/problems.ts";
import { appCounts, appItem, createApp, deleteApp, renewSecret, updateApp } from "#domain/apps.ts";
import type { World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";

const totals = (world: World) => {
  const sum = { apps: world.apps.length, profiles: 0, passcodes: 0, sessions: 0, connections: 0 };
  for (const app of world.apps) {
    const counts = appCounts(app);
    sum.profiles += counts.profiles;
    sum.passcodes += counts.passcodes;
    sum.sessions += counts.sessions;
    sum.connections += counts.connections;
  }
  return sum;
};

/** The app with this id as it is now: a transaction may have made its view anew. */
const named = (world: World, appId: string | undefined) => {
  const app = world.app(appId ?? "");
  return app === undefined ? problem("unknown_record") : { app };
};

type AppOperations = "readStatus" | "listApps" | "createApp" | "readApp" | "updateApp" | "deleteApp" | "renewSecret";

/** @returns the handlers of status and apps. */
export const createAppHandlers = ({
  store,
  version,
  urls,
  monotonic,
}: Deps): Pick<Handlers<"console">, AppOperations> => {
  const startedMs = monotonic();
  return {
    readStatus: ({ world }) => ({
      status: 200,
      body: {
        name: "stagedoor",
        version,
        pid: process.pid,
        urls: { ...urls(), lan: [...urls().lan] },
        dataDir: store.dataDir,
        durability: store.durability,
        uptimeSeconds: Math.round(monotonic() - startedMs) / 1000,
        seq: world.seq,
        counts: totals(world),
      },
    }),
    listApps: ({ world }) => ({ status: 200, body: { items: world.apps.map(appItem), total: world.apps.length } }),
    createApp: ({ body, env }) => {
      const outcome = store.transact((world) => createApp(world, body, env));
      if (!outcome.ok) return outcome;
      const made = named(store.world, outcome.value.appId);
      return "problem" in made ? made : { status: 201, body: appItem(made.app) };
    },
    readApp: ({ world, params }) => {
      const found = named(world, params.appId);
      return "problem" in found ? found : { status: 200, body: appItem(found.app) };
    },
    updateApp: ({ world, params, body }) => {
      const found = named(world, params.appId);
      if ("problem" in found) return found;
      const outcome = store.transact((w) => updateApp(w, found.app, body));
      if (!outcome.ok) return outcome;
      const changed = named(store.world, outcome.value.appId);
      return "problem" in changed ? changed : { status: 200, body: appItem(changed.app) };
    },
    deleteApp: ({ world, params }) => {
      const found = named(world, params.appId);
      if ("problem" in found) return found;
      const outcome = store.transact((w) => deleteApp(w, found.app));
      return outcome.ok ? { status: 204, body: null } : outcome;
    },
    renewSecret: ({ world, params, env }) => {
      const found = named(world, params.appId);
      if ("problem" in found) return found;
      const outcome = store.transact((w) => renewSecret(w, found.app, env));
      if (!outcome.ok) return outcome;
      const changed = named(store.world, outcome.value.appId);
      return "problem" in changed ? changed : { status: 200, body: appItem(changed.app) };
    },
  };
};

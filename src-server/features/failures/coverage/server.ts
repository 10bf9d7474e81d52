/** Login coverage on the server. */
import type { Setup } from "#features/kernel.ts";
import { appOfBody, appOfQuery, done, ok } from "#http/lookups/select.ts";
import { faultOwnerOf } from "../faults/owner.ts";
import { ByApp } from "./by-app.ts";
import { AppCoverage, Coverage } from "./coverage.ts";

/** @see the file */
export const setup: Setup<"coverage"> = (kernel) => {
  const { store, log, env, bus, observers } = kernel;
  const apps = new ByApp(
    store,
    () => new AppCoverage(),
    (total, gone) => total.add(gone),
  );
  const coverage = new Coverage({ store, apps, log, realNow: env.realNow, now: env.now }, bus.publish);
  store.shares.counts("coverage", (appId) => apps.at(appId)?.bytes ?? 0);
  observers.closed.push((row, ending) => coverage.note(row, ending));
  /** It needs faults, which a login does not. */
  const load = async () => (await import("./provocations.ts")).createProvocations(kernel);
  let loaded: ReturnType<typeof load> | undefined;
  const provocations = () => {
    loaded ??= load();
    return loaded;
  };
  return {
    readCoverage: ({ world, query }) => {
      appOfQuery(world, query);
      return ok(coverage.list(query.appId, query.resent === "1"));
    },
    clearCoverage: ({ world, query }) => {
      appOfQuery(world, query);
      coverage.clear(query.appId);
      return done;
    },
    provokeOutcome: async ({ cause, holder, world, body: { outcome, to, ...named }, env: given }) => {
      const provoker = { env: given, cause, by: faultOwnerOf(holder) };
      return ok((await provocations()).arrange(appOfBody(world, named), outcome, to, provoker));
    },
    clearProvoked: async ({ world, query }) => {
      appOfQuery(world, query);
      (await provocations()).clear(query.appId);
      return done;
    },
  };
};

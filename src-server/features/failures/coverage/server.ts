/** Login coverage on the server. */
import type { Setup } from "#features/kernel.ts";
import { appOfBody, appOfQuery, done, ok } from "#http/lookups/select.ts";
import { faultOwnerOf } from "../faults/fault-list.ts";
import { Coverage } from "./coverage.ts";

export const setup: Setup<"coverage"> = (kernel) => {
  const { store, log, env, bus, observers } = kernel;
  const coverage = new Coverage({ store, log, realNow: env.realNow, now: env.now }, bus.publish);
  store.shares.counts("coverage", (appId) => coverage.bytesOf(appId));
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

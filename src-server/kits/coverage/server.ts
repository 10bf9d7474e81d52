/** Login coverage on the server (CONTRACT 15). */
import { faultOwnerOf } from "#http/confinement.ts";
import type { Setup } from "#http/kits.ts";
import { appOfBody, appOfQuery, done, ok } from "#http/select.ts";
import { AppCoverage, Coverage } from "./coverage.ts";
import { manifest } from "./manifest.ts";
import { createProvocations } from "./provocations.ts";

/** @see the file */
export const setup: Setup<"coverage"> = (kernel) => {
  const { store, log, realNow, env, bus, hooks } = kernel;
  const apps = kernel.keep(
    manifest.state.counts,
    () => new AppCoverage(),
    (total, gone) => total.add(gone),
  );
  const coverage = new Coverage({ store, apps, log, realNow, now: env.now }, bus.publish);
  hooks.closed.push((row, ending) => coverage.note(row, ending));
  const provocations = createProvocations(kernel);
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
    provokeOutcome: ({ cause, visitor, world, body: { outcome, to, ...named }, env: given }) =>
      ok(provocations.arrange(appOfBody(world, named), outcome, to, { env: given, cause, by: faultOwnerOf(visitor) })),
    clearProvoked: ({ world, query }) => {
      appOfQuery(world, query);
      provocations.clear(query.appId);
      return done;
    },
  };
};

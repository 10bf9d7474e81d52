/** The control API: login coverage (CONTRACT 15). */
import { ownerOf } from "../confinement.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { createProvocations } from "../provocations.ts";
import { appOfBody, appOfQuery, done, ok } from "../select.ts";

/** @returns the handlers of login coverage. */
export const createControlCoverageHandlers = (deps: Deps) => {
  const { coverage } = deps;
  const provocations = createProvocations(deps);
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
    provokeOutcome: ({ cause, visitor, world, body: { outcome, to, ...named }, env }) =>
      ok(provocations.arrange(appOfBody(world, named), outcome, to, { env, cause, by: ownerOf(visitor) })),
    clearProvoked: ({ world, query }) => {
      appOfQuery(world, query);
      provocations.clear(query.appId);
      return done;
    },
  } satisfies Partial<Handlers<"console">>;
};

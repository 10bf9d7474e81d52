/**
 * The control API: whole worlds out, in, and back to the fixtures (CONTRACT 6, state).
 */
import { invalid, problem } from "#contract/problems.ts";
import { knownInState, type WorldState, worldState } from "#contract/state.ts";
import { fieldErrors } from "#contract/validation.ts";
import { clockReading, REAL_CLOCK } from "#domain/clock.ts";
import type { Env } from "#domain/env.ts";
import { exportState } from "#domain/state-export.ts";
import { importState, resetState } from "#domain/state-import.ts";
import type { World } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appsOf } from "../select.ts";

/** Reads the fixtures that the data directory was started with, anew; or why they cannot be read. */
export type ReadFixtures = () => Promise<{ readonly state: WorldState } | { readonly errors: readonly string[] }>;

/** The refusal of a reset whose fixtures are gone or bad. */
const unreadable = (why: string) => problem("fixtures_unreadable", { instruction: `Nothing was changed: ${why}` });

/** @returns the handlers of state. */
export const createControlStateHandlers = (
  { store, faults, realNow }: Deps,
  readFixtures: ReadFixtures,
): Pick<Handlers<"console">, "readState" | "writeState" | "resetState"> => {
  /** What is made while the clock goes back to real time is dated by real time. */
  const inRealTime = (env: Env): Env => ({ ...env, now: () => clockReading(REAL_CLOCK, realNow()) });
  return {
    readState: ({ world, query }) => {
      const apps = appsOf(world, query.appId);
      if (query.appId !== undefined && apps.length === 0) return problem("unknown_record");
      return { status: 200, body: exportState(world, apps, query.volatile === "1") };
    },
    writeState: ({ query, body, env }) => {
      if (body.state === undefined) return invalid({ state: ["can't be blank"] });
      const parsed = worldState.safeParse(body.state, { reportInput: true });
      if (!parsed.success) {
        const { base, ...entries } = fieldErrors(parsed.error, { known: knownInState });
        return invalid(base === undefined ? entries : { state: base, ...entries });
      }
      const own = body.mode === "replace" && query.appId === undefined ? inRealTime(env) : env;
      const decide = (world: World) => importState(world, parsed.data, body.mode, own, query.appId);
      if (query.dryRun === "1") {
        const decided = decide(store.world);
        return "problem" in decided ? decided : { status: 200, body: decided.value };
      }
      const outcome = store.transactBulk(decide);
      return outcome.ok ? { status: 200, body: outcome.value } : outcome;
    },
    resetState: async ({ world, query: { appId }, env }) => {
      if (appId !== undefined && world.app(appId) === undefined) return problem("unknown_record");
      const read = await readFixtures();
      if ("errors" in read) return unreadable(read.errors.join("; "));
      const only = appId === undefined ? undefined : world.app(appId);
      if (appId !== undefined && only === undefined) return problem("unknown_record");
      const outcome = store.transactBulk((w) => resetState(w, read.state, inRealTime(env), only));
      if (outcome.ok) {
        faults.clear(appId);
        return { status: 204, body: null };
      }
      return outcome.problem.code === "invalid_fields" ? unreadable(JSON.stringify(outcome.problem.fields)) : outcome;
    },
  };
};

/** The control API: export, import and reset of the data. */

import { routes } from "#contract/control/routes.ts";
import { problem } from "#contract/service/problems.ts";
import { finish } from "#contract/steps.ts";
import { clockReading, REAL_CLOCK } from "#domain/clock.ts";
import { dataOf } from "#domain/history/copy.ts";
import { type ParsedState, parseSteps } from "#domain/import/parse-state.ts";
import { exportSteps, minimalSteps } from "#domain/import/state-export.ts";
import { importSteps, removedBy, resetSteps } from "#domain/import/state-import.ts";
import type { Env, World } from "#domain/world.ts";
import { finishInSlices, jsonPieces } from "../answering/slices.ts";
import { transactUndoable } from "../answering/undoable.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appOfQuery, appsOf, done, ok, settled } from "../lookups/select.ts";

/** The current content of the fixture files that the data directory was created from. */
export interface FixturesNow extends ParsedState {
  /** What a start says about them, a sentence each. */
  readonly notices: readonly string[];
  /** Whether the files themselves have errors. */
  readonly flawed: boolean;
  /** @param errors by path. @returns all errors, with file, line and column. */
  describe(errors: Readonly<Record<string, readonly string[]>>): readonly string[];
}
/** Reloads the fixtures. */
export type ReadFixturesNow = () => Promise<FixturesNow>;

/** The nesting of the records of an export: `{"apps": [{"profiles": [`. */
const LEVELS = 4;

const unreadable = (why: string) => problem("fixtures_unreadable", { instruction: `Nothing was changed: ${why}` });

/** @returns the handlers of state. */
export const createControlStateHandlers = (
  deps: Pick<Deps, "store" | "observers" | "ports" | "listeners" | "env" | "checks">,
  readFixtures: ReadFixturesNow,
) => {
  const { store, ports, env, checks, observers, listeners } = deps;
  const { realNow, monotonic } = env;
  /** The rules of an import work out the time of each app from the clock that it brings. */
  const inRealTime = (env: Env): Env => ({ ...env, now: () => clockReading(REAL_CLOCK, realNow()) });
  return {
    readState: async ({ world, query }) => {
      const apps = appsOf(world, query.appId);
      const moment = dataOf({ clock: world.clock, apps }, null);
      const whole = await finishInSlices(exportSteps(moment, query.volatile === "1"), monotonic);
      const state = query.minimal === "1" ? await finishInSlices(minimalSteps(whole), monotonic) : whole;
      if (checks.answers) routes.readState.answers[200].parse(state);
      return { status: 200, pieces: jsonPieces(state, LEVELS) };
    },
    writeState: async ({ world, query, body, env, cause }) => {
      const sent = await finishInSlices(parseSteps(body.state), monotonic);
      // The app may also be a new one, which the state has.
      const isSent = sent.state.apps.some(({ appId }) => appId === query.appId);
      if (!isSent && sent.errors.isEmpty) appOfQuery(world, query);
      const read = { ...sent, fit: query.fit === "1" };
      const rule = (now: World) => importSteps(now, read, body.mode, inRealTime(env), query.appId);
      const { value, told } = await transactUndoable(store, rule, cause, query.dryRun === "1");
      if (query.dryRun !== "1") ports.faults.setImported(sent.state, query.appId);
      const { users, ...counts } = value;
      return ok({ ...counts, ...(query.users === "1" && { users }), ...told });
    },
    resetState: async ({ world, query, env, cause }) => {
      appOfQuery(world, query);
      const fixtures = await readFixtures();
      // The app may have been deleted in the meantime.
      const decide = (w: World) => resetSteps(w, fixtures, inRealTime(env), appOfQuery(w, query));
      if (fixtures.flawed) {
        const trial = finish(decide(world));
        return unreadable(fixtures.describe(("problem" in trial && trial.problem.fields) || {}).join("; "));
      }
      if (query.dryRun === "1") {
        const decided = await finishInSlices(decide(world), monotonic);
        if ("problem" in decided) return { problem: decided.problem };
        return ok({ removed: [...removedBy(world, decided.changes, appOfQuery(world, query))] });
      }
      const outcome = await store.transactInSteps(decide, { ...cause, what: "Reset to the fixtures" });
      if (!outcome.ok && outcome.problem.fields !== undefined)
        return unreadable(fixtures.describe(outcome.problem.fields).join("; "));
      settled(outcome);
      for (const hear of observers.reset) listeners.call("What hears of resets", () => hear(query.appId));
      ports.faults.setImported(fixtures.state, query.appId);
      return done;
    },
  } satisfies Partial<Handlers<"console">>;
};

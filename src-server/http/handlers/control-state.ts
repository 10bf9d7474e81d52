/**
 * The control API: whole worlds out, in, and back to the fixtures (CONTRACT 6, state).
 */
import { problem } from "#contract/problems.ts";
import { knownInState, type WorldState, worldState } from "#contract/state.ts";
import { fieldErrors } from "#contract/validation.ts";
import { exportState } from "#domain/state-export.ts";
import { emptyApp, importState } from "#domain/state-import.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { appsOf } from "../select.ts";

/** Reads the fixtures that the data directory was started with, anew; or why they cannot be read. */
export type ReadFixtures = () => Promise<{ readonly state: WorldState } | { readonly errors: readonly string[] }>;

/** @returns the handlers of state. */
export const createControlStateHandlers = (
  { store }: Deps,
  readFixtures: ReadFixtures,
): Pick<Handlers<"console">, "readState" | "writeState" | "resetState"> => ({
  readState: ({ world, query }) => {
    const apps = appsOf(world, query.appId);
    if (query.appId !== undefined && apps.length === 0) return problem("unknown_record");
    return { status: 200, body: exportState(world, apps, query.volatile === "1") };
  },
  writeState: ({ world, query, body, env }) => {
    const parsed = worldState.safeParse(body.state, { reportInput: true });
    if (!parsed.success)
      return problem("invalid_fields", { fields: fieldErrors(parsed.error, { known: knownInState }) });
    const decide = (w: typeof world) => importState(w, parsed.data, body.mode, env, query.appId);
    if (query.dryRun === "1") {
      const decided = decide(world);
      return "problem" in decided ? decided : { status: 200, body: decided.value };
    }
    const outcome = store.transactBulk(decide);
    return outcome.ok ? { status: 200, body: outcome.value } : outcome;
  },
  resetState: async ({ world, query: { appId }, env }) => {
    if (appId !== undefined && world.app(appId) === undefined) return problem("unknown_record");
    const read = await readFixtures();
    if ("errors" in read)
      return problem("fixtures_unreadable", { instruction: `Nothing was changed: ${read.errors.join("; ")}` });
    const apps = appId === undefined ? read.state.apps : read.state.apps.filter((app) => app.appId === appId);
    const outcome = store.transactBulk((w) => {
      const app = appId === undefined ? undefined : w.app(appId);
      // An app that no fixture knows goes back to what it was at first: empty.
      if (app !== undefined && apps.length === 0) return emptyApp(w, app);
      const decided = importState(w, { version: 1, apps }, "replace", env, appId);
      return "problem" in decided ? decided : { ...decided, value: null };
    });
    if (outcome.ok) return { status: 204, body: null };
    return outcome.problem.code === "invalid_fields"
      ? problem("fixtures_unreadable", {
          instruction: `Nothing was changed: ${JSON.stringify(outcome.problem.fields)}`,
        })
      : outcome;
  },
});

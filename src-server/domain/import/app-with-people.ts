/** Creates an app and its users in one transaction. */

import type { WorldState } from "#contract/control/state.ts";
import { isJsonArray, type JsonObject } from "#contract/scalars.ts";
import { invalid } from "#contract/service/problems.ts";
import type { AppRecord } from "#contract/service/records.ts";
import { finish } from "#contract/steps.ts";
import type { FieldErrors } from "#contract/validation.ts";
import { createApp } from "../apps.ts";
import type { Decision } from "../decision.ts";
import type { Env, World } from "../world.ts";
import { parseState } from "./parse-state.ts";
import { importSteps, unnamed } from "./state-import.ts";

/** An app that was created, and what was imported with it; undefined: nothing. */
export interface NewApp {
  readonly app: AppRecord;
  readonly imported: WorldState | undefined;
}

/** @returns errors by the paths of the request: those of an import begin with its app. */
const ownPaths = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([path, texts]) => [path.replace(/^apps\[0\]\./, ""), texts]));

/**
 * @param raw a body of POST apps; `profiles` are as in fixtures. @param realTime as `env`, with the time of no app.
 * @param joined whether the join token creates it. @param copied what else of an app that is copied is imported with it.
 */
export const createAppWithPeople = (
  world: World,
  { profiles, ...raw }: JsonObject,
  env: Env,
  realTime: Env,
  joined: boolean,
  copied: JsonObject,
): Decision<NewApp> => {
  const created = createApp(world, raw, env, joined);
  if ("problem" in created) return created;
  const app = created.value;
  if (profiles === undefined) return { ...created, value: { app, imported: undefined } };
  if (!isJsonArray(profiles)) return invalid({ profiles: ["must be an array"] });
  const { appId, name, secret, strategy, settings } = app;
  const sent = parseState({ version: 1, apps: [{ appId, name, secret, strategy, settings, profiles, ...copied }] });
  const decided = finish(importSteps(world, sent, "merge", realTime));
  if ("problem" in decided) {
    const { fields } = decided.problem;
    return fields === undefined ? decided : invalid(ownPaths(fields));
  }
  const more = unnamed(app);
  const changes = decided.changes.map((change) =>
    "put" in change && change.put === "app" ? { ...change, record: { ...change.record, ...more } } : change,
  );
  return { ...decided, changes, value: { app, imported: sent.state } };
};

/** What is done to a store whose power is cut. */

import { inSteps, type Steps } from "#contract/steps.ts";
import { Changes, type Decision } from "#domain/decision.ts";
import type { World } from "#domain/world.ts";
import { app, profile, uuid } from "#test/store/records.ts";
import { collect, type Step } from "#test/store/steps.ts";

/** An app for imports, which contradict nobody, and how many profiles they have: enough to be prepared in steps. */
const IMPORTED = "imported";
const MANY = 1_050;

/** @returns the rule of a step. */
export const ruleOf =
  (step: Step) =>
  (world: World): Decision<null> => {
    const changes = new Changes(world);
    collect(world, step, changes);
    return changes.decided(null);
  };

/** Imports many profiles. */
export function* importMany(world: World): Steps<Decision<null>> {
  const changes = new Changes(world);
  // It may be there from before a cut.
  const known = world.app(IMPORTED);
  changes.putApp(app(known?.app.seq ?? changes.seq, IMPORTED));
  const seqOf = (n: number): number => known?.find("profiles", uuid(n))?.seq ?? changes.seq;
  const numbers = Array.from({ length: MANY }, (_, n) => n);
  yield* inSteps(numbers, (n) => void changes.put("profiles", IMPORTED, profile(seqOf(n), n)));
  return changes.decided(null);
}

/** Removes them. */
export const removeMany = (world: World): Decision<null> => {
  const changes = new Changes(world);
  if (world.app(IMPORTED) !== undefined) changes.removeApp(IMPORTED);
  return changes.decided(null);
};

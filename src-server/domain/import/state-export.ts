/**
 * Exports the world as a fixture: apps, profiles, connections; on request the volatile parts too.
 */
import type { FixtureApp, WorldState } from "#contract/control/state.ts";
import { finish, mapInSteps, type Steps } from "#contract/steps.ts";
import { appFields } from "../apps.ts";
import { extrasOf } from "../profile-fields.ts";
import { profileAnswer } from "../profiles.ts";
import type { AppData, WorldData } from "../world.ts";

/** Replaces `seq` with the position in the export, because an import assigns numbers in this order. */
type Placed = <R extends { readonly seq: number }>(record: R) => R;

/** Assigns positions to passcodes and sessions: one sequence for both, across all apps. */
const places = (apps: readonly AppData[]): Placed => {
  const order = apps
    .flatMap((app) => [...app.passcodes, ...app.sessions])
    .map((record) => record.seq)
    .sort((a, b) => a - b);
  const placeOf = new Map(order.map((seq, i) => [seq, i + 1]));
  return (record) => ({ ...record, seq: placeOf.get(record.seq) ?? record.seq });
};

/** @param placed undefined: omit the volatile parts. */
function* exportApp(app: AppData, placed: Placed | undefined): Steps<FixtureApp> {
  const { steps, weather } = app.app;
  const profiles = yield* mapInSteps(app.profiles, (profile) => {
    const { createdAt, updatedAt, ...shown } = profileAnswer(profile);
    return { ...shown, ...extrasOf(profile), createdAt, updatedAt };
  });
  const connections = yield* mapInSteps(app.connections, ({ seq: _, ...connection }) => connection);
  return {
    ...appFields(app.app),
    ...(weather === undefined ? {} : { weather }),
    profiles,
    connections,
    ...(placed === undefined
      ? {}
      : {
          passcodes: app.passcodes.map(placed),
          sessions: app.sessions.map(placed),
          clock: app.clock,
          ...(steps === undefined ? {} : { steps }),
        }),
  };
}

/**
 * @param moment must not change in the meantime. @param withVolatile with passcodes, sessions, clocks.
 * @returns apps with keys in a stable order; no key (D29).
 */
export function* exportSteps({ apps, clock }: WorldData, withVolatile: boolean): Steps<WorldState> {
  const placed = withVolatile ? places(apps) : undefined;
  const exported: FixtureApp[] = [];
  for (const app of apps) exported.push(yield* exportApp(app, placed));
  return { version: 1, apps: exported, ...(withVolatile ? { clock } : {}) };
}

/** Exports in one step. @see exportSteps */
export const exportState = (...how: Parameters<typeof exportSteps>): WorldState => finish(exportSteps(...how));

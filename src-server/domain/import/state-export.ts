/**
 * Exports the world as a fixture: apps, profiles, connections; on request the volatile parts too (CONTRACT 6, state).
 */
import type { FixtureApp, WorldState } from "#contract/state.ts";
import { appFields } from "../apps.ts";
import { extrasOf } from "../profile-fields.ts";
import { profileAnswer } from "../profiles.ts";
import type { AppMoment, World } from "../world.ts";

/** Replaces `seq` with the position in the export, because an import assigns numbers in this order. */
type Placed = <R extends { readonly seq: number }>(record: R) => R;

/** Assigns positions to passcodes and sessions: one sequence for both, across all apps. */
const places = (apps: readonly AppMoment[]): Placed => {
  const order = apps
    .flatMap((app) => [...app.passcodes, ...app.sessions])
    .map((record) => record.seq)
    .sort((a, b) => a - b);
  const placeOf = new Map(order.map((seq, i) => [seq, i + 1]));
  return (record) => ({ ...record, seq: placeOf.get(record.seq) ?? record.seq });
};

/** @param placed undefined: omit the volatile parts. */
const exportApp = (app: AppMoment, placed: Placed | undefined): FixtureApp => {
  const { steps } = app.app;
  return {
    ...appFields(app.app),
    profiles: app.profiles.map((profile) => {
      const { createdAt, updatedAt, ...shown } = profileAnswer(profile);
      return { ...shown, ...extrasOf(profile), createdAt, updatedAt };
    }),
    connections: app.connections.map(({ seq: _, ...connection }) => connection),
    ...(placed === undefined
      ? {}
      : {
          passcodes: app.passcodes.map(placed),
          sessions: app.sessions.map(placed),
          clock: app.clock,
          ...(steps === undefined ? {} : { steps }),
        }),
  };
};

/** @param withVolatile with passcodes, sessions, clocks. @returns apps with keys in a stable order; no key (D29). */
export const exportState = (world: World, apps: readonly AppMoment[], withVolatile: boolean): WorldState => {
  const placed = withVolatile ? places(apps) : undefined;
  return {
    version: 1,
    apps: apps.map((app) => exportApp(app, placed)),
    ...(withVolatile ? { clock: world.clock } : {}),
  };
};

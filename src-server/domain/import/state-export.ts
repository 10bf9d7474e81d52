/**
 * Exports the world as a fixture: apps, profiles, connections; on request the volatile parts too (CONTRACT 6, state).
 */
import type { Lists } from "#contract/records.ts";
import type { FixtureApp, WorldState } from "#contract/state.ts";
import type { AppWorld, World } from "../world.ts";

/** Replaces `seq` with the position in the export, because an import assigns numbers in this order. */
type Placed = <R extends { readonly seq: number }>(record: R) => R;

/** The parts of an app that an export reads. */
type Exported = Pick<AppWorld, "app" | "clock"> & Lists;

/** Assigns positions to passcodes and sessions: one sequence for both, across all apps. */
const places = (apps: readonly Exported[]): Placed => {
  const order = apps
    .flatMap((app) => [...app.passcodes, ...app.sessions])
    .map((record) => record.seq)
    .sort((a, b) => a - b);
  const placeOf = new Map(order.map((seq, i) => [seq, i + 1]));
  return (record) => ({ ...record, seq: placeOf.get(record.seq) ?? record.seq });
};

/** @param placed undefined: omit the volatile parts. */
const exportApp = (app: Exported, placed: Placed | undefined): FixtureApp => {
  const { appId, name, secret, strategy, settings, createdAt, steps } = app.app;
  return {
    appId,
    name,
    secret,
    strategy,
    settings,
    createdAt,
    profiles: app.profiles.map(
      ({ seq: _, userId, name, phone, email, metadata, testPasscode, scenario, createdAt, updatedAt }) => ({
        userId,
        name,
        phone,
        email,
        metadata,
        ...(testPasscode === undefined ? {} : { testPasscode }),
        ...(scenario === undefined ? {} : { scenario }),
        createdAt,
        updatedAt,
      }),
    ),
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

/**
 * @param apps the apps to export. @param withVolatile include passcodes, sessions and clocks.
 * @returns the world with a stable key order. Signing keys are never exported (D29).
 */
export const exportState = (world: World, apps: readonly Exported[], withVolatile: boolean): WorldState => {
  const placed = withVolatile ? places(apps) : undefined;
  return {
    version: 1,
    apps: apps.map((app) => exportApp(app, placed)),
    ...(withVolatile ? { clock: world.clock } : {}),
  };
};

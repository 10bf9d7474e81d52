/**
 * The world as one would commit it: apps, profiles, connections; on request the volatile parts too (CONTRACT 6, state).
 */
import type { Lists } from "#contract/records.ts";
import type { FixtureApp, WorldState } from "#contract/state.ts";
import type { AppWorld, World } from "../world.ts";

/** @returns a record with its place among all that are exported, as its `seq`: an import numbers them anew, in this order. */
type Placed = <R extends { readonly seq: number }>(record: R) => R;

/** What an export needs of an app. */
type Exported = Pick<AppWorld, "app" | "clock"> & Lists;

/** The places of passcodes and sessions: one order for both, over all apps. */
const places = (apps: readonly Exported[]): Placed => {
  const order = apps
    .flatMap((app) => [...app.passcodes, ...app.sessions])
    .map((record) => record.seq)
    .sort((a, b) => a - b);
  const placeOf = new Map(order.map((seq, i) => [seq, i + 1]));
  return (record) => ({ ...record, seq: placeOf.get(record.seq) ?? record.seq });
};

/** @param placed undefined: the volatile parts stay out. */
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
 * @param apps which ones. @param withVolatile passcodes, sessions and clocks too.
 * @returns the world, keys in a stable order. The signing key is in no export (D29).
 */
export const exportState = (world: World, apps: readonly Exported[], withVolatile: boolean): WorldState => {
  const placed = withVolatile ? places(apps) : undefined;
  return {
    version: 1,
    apps: apps.map((app) => exportApp(app, placed)),
    ...(withVolatile ? { clock: world.clock } : {}),
  };
};

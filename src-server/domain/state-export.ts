/**
 * The world as one would commit it: apps, profiles, connections; on request the volatile parts too (CONTRACT 6, state).
 */
import type { FixtureApp, WorldState } from "#contract/state.ts";
import type { AppWorld, World } from "./world.ts";

const exportApp = (app: AppWorld, withVolatile: boolean): FixtureApp => {
  const { appId, name, secret, strategy, settings, createdAt } = app.app;
  return {
    appId,
    name,
    secret,
    strategy,
    settings,
    createdAt,
    profiles: app.profiles.map(
      ({ seq: _, userId, name, phone, email, metadata, testPasscode, createdAt, updatedAt }) => ({
        userId,
        name,
        phone,
        email,
        metadata,
        ...(testPasscode === undefined ? {} : { testPasscode }),
        createdAt,
        updatedAt,
      }),
    ),
    connections: app.connections.map(({ seq: _, ...connection }) => connection),
    ...(withVolatile ? { passcodes: [...app.passcodes], sessions: [...app.sessions], clock: app.clock } : {}),
  };
};

/**
 * @param apps which ones. @param withVolatile passcodes, sessions and clocks too.
 * @returns the world, keys in a stable order. The signing key is in no export (D29).
 */
export const exportState = (world: World, apps: readonly AppWorld[], withVolatile: boolean): WorldState => ({
  version: 1,
  apps: apps.map((app) => exportApp(app, withVolatile)),
  ...(withVolatile ? { clock: world.clock } : {}),
});

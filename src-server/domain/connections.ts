/** Connections between profiles and other services (service.md 1, D14). */
import { isoInstant } from "#contract/scalars.ts";
import type { ConnectionItem } from "#contract/service/connections.ts";
import { problem } from "#contract/service/problems.ts";
import type { ConnectionRecord } from "#contract/service/records.ts";
import { Changes, type Decision, stored } from "./decision.ts";
import { newId } from "./new-ids.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** Creates a connection for a profile. */
export const addConnection = (
  world: World,
  app: AppWorld,
  input: { readonly userId: string; readonly name: string; readonly managed: boolean },
  env: Env,
): Decision<ConnectionRecord> => {
  if (app.find("profiles", input.userId) === undefined) return problem("unknown_profile");
  const { appId } = app.app;
  const { userId, name, managed } = input;
  return stored(world, "connections", appId, {
    id: newId(env, app, "connection"),
    seq: world.seq + 1,
    userId,
    name,
    managed,
    status: "connected",
    createdAt: isoInstant(env.now(appId)),
    disabledAt: null,
  });
};

/** Updates a connection; `disabled` sets `disabledAt`, `connected` clears it. */
export const changeConnection = (
  world: World,
  app: AppWorld,
  before: ConnectionRecord,
  patch: { readonly name?: string; readonly managed?: boolean; readonly status?: "connected" | "disabled" },
  env: Env,
): Decision<ConnectionRecord> => {
  const { appId } = app.app;
  const { status = before.status } = patch;
  const disabledAt = status === "connected" ? null : (before.disabledAt ?? isoInstant(env.now(appId)));
  return stored(world, "connections", appId, { ...before, ...patch, status, disabledAt });
};

/** Deletes a connection. */
export const removeConnection = (world: World, app: AppWorld, { id }: ConnectionRecord): Decision<null> => {
  const changes = new Changes(world);
  changes.remove("connections", app.app.appId, [id]);
  return changes.decided(null);
};

/** @returns the connection in the form of the control API. */
export const connectionItem = (appId: string, { id, seq: _, ...shown }: ConnectionRecord): ConnectionItem => ({
  id,
  appId,
  ...shown,
});

/** Connections between profiles and other services (SPEC 1, D14). */
import type { ConnectionItem } from "#contract/connections.ts";
import { problem } from "#contract/problems.ts";
import type { ConnectionRecord } from "#contract/records.ts";
import { isoInstant } from "#contract/scalars.ts";
import { Changes, type Decision } from "./decision.ts";
import { newId } from "./deterministic.ts";
import type { AppWorld, Env, World } from "./world.ts";

/** Creates a connection for a profile. */
export const addConnection = (
  world: World,
  app: AppWorld,
  input: { readonly userId: string; readonly name: string; readonly managed: boolean },
  env: Env,
): Decision<ConnectionRecord> => {
  if (app.find("profiles", input.userId) === undefined) return problem("unknown_profile");
  const changes = new Changes(world);
  const { appId } = app.app;
  return changes.decided(
    changes.put("connections", appId, {
      id: newId(env, app, "connection"),
      seq: changes.seq,
      userId: input.userId,
      name: input.name,
      managed: input.managed,
      status: "connected",
      createdAt: isoInstant(env.now(appId)),
      disabledAt: null,
    }),
  );
};

/** Updates a connection; `disabled` sets `disabledAt`, `connected` clears it. */
export const changeConnection = (
  world: World,
  app: AppWorld,
  stored: ConnectionRecord,
  patch: { readonly name?: string; readonly managed?: boolean; readonly status?: "connected" | "disabled" },
  env: Env,
): Decision<ConnectionRecord> => {
  const changes = new Changes(world);
  const { appId } = app.app;
  const { status = stored.status } = patch;
  const disabledAt = status === "connected" ? null : (stored.disabledAt ?? isoInstant(env.now(appId)));
  return changes.decided(changes.put("connections", appId, { ...stored, ...patch, status, disabledAt }));
};

/** Deletes a connection. */
export const removeConnection = (world: World, app: AppWorld, stored: ConnectionRecord): Decision<null> => {
  const changes = new Changes(world);
  changes.remove("connections", app.app.appId, [stored.id]);
  return changes.decided(null);
};

/** @returns the connection in the form of the control API. */
export const connectionItem = (appId: string, { id, seq: _, ...shown }: ConnectionRecord): ConnectionItem => ({
  id,
  appId,
  ...shown,
});

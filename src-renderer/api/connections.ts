/**
 * Connections of profiles to other services: what the screens read of them, and what the console does to them.
 */
import { queryOptions } from "@tanstack/react-query";
import { routes } from "#contract/routes.ts";
import { ask, tell } from "./client.ts";
import type { Connection } from "./records.ts";

/** The connections of an app, or of all (null), in the order of their making. */
export const connectionsQuery = (appId: string | null) =>
  queryOptions({
    queryKey: ["connections", appId],
    queryFn: ({ signal }) => ask(routes.listConnections, { signal, query: appId === null ? {} : { appId } }),
  });

/** The connections of one user. */
export const connectionsOfUserQuery = (appId: string, userId: string) =>
  queryOptions({
    queryKey: ["connections", appId, userId],
    queryFn: ({ signal }) => ask(routes.listConnections, { signal, query: { appId, userId } }),
    gcTime: 60_000,
  });

/** Connects a profile. */
export const addConnection = (appId: string, userId: string, name: string, managed: boolean): Promise<Connection> =>
  ask(routes.addConnection, { body: { appId, userId, name, managed } });

/** Disables a connection, or enables it again. */
export const setConnection = (id: string, status: Connection["status"]): Promise<Connection> =>
  ask(routes.changeConnection, { params: { id }, body: { status } });

/** Removes a connection. */
export const removeConnection = (id: string): Promise<void> => tell(routes.removeConnection, { params: { id } });

/**
 * Tokens of sessions, and the sessions that the console begins and ends by itself.
 */
import { queryOptions } from "@tanstack/react-query";
import { routes } from "#contract/routes.ts";
import { ask, tell } from "./client.ts";
import type { Session } from "./records.ts";

/** The token of a session, signed once and then kept. Its claims follow the end of the session. */
export const tokenQuery = ({ id, expiresAt }: Session) =>
  queryOptions({
    queryKey: ["token", id, expiresAt],
    queryFn: async ({ signal }) => (await ask(routes.readSessionToken, { signal, params: { id } })).token,
    gcTime: 60_000,
  });

/** What the server finds in a token, asked anew in each state of its session. @param token undefined: not there yet. */
export const introspectionQuery = (token: string | undefined, state: Session["state"]) =>
  queryOptions({
    queryKey: ["introspection", token, state],
    queryFn: ({ signal }) => ask(routes.introspect, { signal, body: { token: token ?? "" } }),
    enabled: token !== undefined,
    gcTime: 60_000,
  });

/** Signs a user in without a passcode. @param ttlSeconds absent: as long as the app's sessions last. */
export const addSession = (appId: string, userId: string, ttlSeconds: number | undefined): Promise<Session> =>
  ask(routes.addSession, { body: { appId, userId, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) } });

/** Revokes every session of a user. */
export const revokeSessionsOf = (appId: string, userId: string): Promise<void> =>
  tell(routes.revokeSessions, { query: { appId, userId } });

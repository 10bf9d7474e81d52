import { queryOptions } from "@tanstack/react-query";
import { routes } from "#contract/routes.ts";
import { ask } from "./client.ts";

const SHOWN = 100;

/** The newest sessions of one user, and how many there are. */
export const userSessionsQuery = (appId: string, userId: string) =>
  queryOptions({
    queryKey: ["user-sessions", appId, userId],
    queryFn: ({ signal }) => ask(routes.listSessions, { signal, query: { appId, userId, limit: String(SHOWN) } }),
    gcTime: 60_000,
  });

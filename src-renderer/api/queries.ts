/**
 * What the screens read, and under which key it is kept. Nothing goes stale by age: events keep it current (live.ts).
 */
import { QueryClient, queryOptions } from "@tanstack/react-query";
import { routes } from "#contract/routes.ts";
import { ask } from "./client.ts";
import type { Passcode, Profile, Session } from "./records.ts";
import { RequestFailed } from "./request-failed.ts";
import { LIST_LIMIT, RecentChanges } from "./rows.ts";

/** What events lately told of passcodes. */
export const recentPasscodes = new RecentChanges<Passcode>();
/** What events lately told of sessions. */
export const recentSessions = new RecentChanges<Session>();

/** @returns the cache. The server is on this machine: it is asked whether the machine is "online" or not, and once. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        networkMode: "always",
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });

const ofApp = (appId: string | null) => (appId === null ? {} : { appId });
const unlessGone = (error: unknown): null => {
  if (error instanceof RequestFailed && error.status === 404) return null;
  throw error;
};

/** What the server says of itself. */
export const statusQuery = () =>
  queryOptions({ queryKey: ["status"], queryFn: ({ signal }) => ask(routes.readStatus, { signal }) });

/** All apps. */
export const appsQuery = () =>
  queryOptions({ queryKey: ["apps"], queryFn: ({ signal }) => ask(routes.listApps, { signal }) });

/** The newest passcodes of an app, or of all (null). */
export const passcodesQuery = (appId: string | null) =>
  queryOptions({
    queryKey: ["passcodes", appId],
    queryFn: async ({ signal }) => {
      const mark = recentPasscodes.mark();
      const list = await ask(routes.listPasscodes, { signal, query: { ...ofApp(appId), limit: String(LIST_LIMIT) } });
      return recentPasscodes.replay(list, appId, mark);
    },
  });

/** One passcode; null if there is none. */
export const passcodeQuery = (id: string) =>
  queryOptions({
    queryKey: ["passcode", id],
    queryFn: ({ signal }): Promise<Passcode | null> =>
      ask(routes.readPasscode, { signal, params: { id } }).catch(unlessGone),
  });

/** The newest sessions of an app, or of all (null). */
export const sessionsQuery = (appId: string | null) =>
  queryOptions({
    queryKey: ["sessions", appId],
    queryFn: async ({ signal }) => {
      const mark = recentSessions.mark();
      const list = await ask(routes.listSessions, { signal, query: { ...ofApp(appId), limit: String(LIST_LIMIT) } });
      return recentSessions.replay(list, appId, mark);
    },
  });

/** One session; null if there is none. */
export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ["session", id],
    queryFn: ({ signal }): Promise<Session | null> =>
      ask(routes.readSessionItem, { signal, params: { id } }).catch(unlessGone),
  });

/** One profile; null if it is gone. */
export const profileQuery = (appId: string, userId: string) =>
  queryOptions({
    queryKey: ["profile", appId, userId],
    queryFn: ({ signal }): Promise<Profile | null> =>
      ask(routes.readProfile, { signal, params: { userId }, query: { appId } }).catch(unlessGone),
  });

/** The profiles of an app, or of all (null), that a text finds, oldest first. */
export const profileSearchQuery = (appId: string | null, text: string, limit: number) =>
  queryOptions({
    queryKey: ["profiles", appId, text, limit],
    queryFn: ({ signal }) =>
      ask(routes.searchProfiles, {
        signal,
        query: { ...ofApp(appId), ...(text === "" ? {} : { q: text }), limit: String(limit) },
      }),
    gcTime: 30_000,
  });

/** A clock against this browser's: how far it is off, and whether it stands still. Null: the server has none to show. */
export const clockQuery = (appId: string | null) =>
  queryOptions({
    queryKey: ["clock", appId],
    queryFn: async ({ signal }) => {
      const before = Date.now();
      const clock = await ask(routes.readClock, { signal, query: ofApp(appId) }).catch(unlessGone);
      if (clock === null) return null;
      const aheadMs = Date.parse(clock.now) - (before + Date.now()) / 2;
      return { aheadMs, offsetSeconds: clock.offsetSeconds, frozenAt: clock.frozenAt };
    },
  });

import { keepPreviousData, type QueryKey, queryOptions, useQuery } from "@tanstack/react-query";
import type { App, Passcode, Profile, RequestQuery, Session } from "#client/index.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { emulator, ofApp, unlessGone } from "./emulator.ts";
import { LiveList } from "./live-list.ts";

const order = (a: { readonly seq: number }, b: { readonly seq: number }): number => b.seq - a.seq;

/** The newest passcodes. */
export const passcodeList = new LiveList<Passcode>({
  key: "passcodes",
  read: (appId, limit, signal) => emulator.withSignal(signal).passcodes.list({ ...ofApp(appId), limit }),
  order,
});

/** How many passcodes are active, counted by the server. */
export const activeCodesQuery = (appId: string | null) =>
  queryOptions({
    queryKey: ["active-codes", appId],
    queryFn: async ({ signal }) =>
      (await emulator.withSignal(signal).passcodes.list({ ...ofApp(appId), status: "active", limit: 1 })).total,
    // Codes expire without an event.
    refetchInterval: 10_000,
  });

/** The newest sessions. */
export const sessionList = new LiveList<Session>({
  key: "sessions",
  read: (appId, limit, signal) => emulator.withSignal(signal).sessions.list({ ...ofApp(appId), limit }),
  order,
});

/** @returns the options of a query that `read` answers. */
export const query = <T>(
  queryKey: QueryKey,
  read: (client: typeof emulator) => Promise<T>,
  options: { gcTime?: number; structuralSharing?: false } = {},
) => queryOptions({ queryKey, queryFn: ({ signal }) => read(emulator.withSignal(signal)), ...options });

/** Dropped from the cache soon after it is hidden, because it may be out of date or large. */
const SHORT = { gcTime: 60_000 };
const SHORTER = { gcTime: 10_000 };

/** The server's status. */
export const statusQuery = () => query(["status"], (client) => client.status());

/** The newest requests to auth, of all apps and of none. */
export const newestRequestsQuery = () =>
  query(["requests", "newest"], ({ requests }) => requests.list({ listener: "auth", limit: 20 }));

/** All apps. */
export const appsQuery = () => query(["apps"], ({ apps }) => apps.list());

/** One app, also a hidden one; null if it does not exist. */
export const appQuery = (appId: string) => query(["apps", appId], ({ apps }) => unlessGone(apps.get(appId)));

/** One passcode; null if it does not exist. */
export const passcodeQuery = (id: string) => query(["passcode", id], ({ passcodes }) => unlessGone(passcodes.get(id)));

/** One session; null if it does not exist. */
export const sessionQuery = (id: string) => query(["session", id], ({ sessions }) => unlessGone(sessions.get(id)));

/** Maximum number of sessions loaded for one user. */
const USER_SESSIONS = 100;

/** The newest sessions of one user, and the total. */
export const userSessionsQuery = (appId: string, userId: string) =>
  query(
    ["user-sessions", appId, userId],
    ({ sessions }) => sessions.list({ appId, userId, limit: USER_SESSIONS }),
    SHORT,
  );

/** The token of a session, signed once and cached. Its claims depend on the session's expiry. */
export const tokenQuery = ({ id, expiresAt }: Session) =>
  query(["token", id, expiresAt], ({ sessions }) => sessions.token(id), SHORT);

/** The introspection of a token, repeated for each state of its session. */
export const introspectionQuery = (token: string, state: Session["state"]) =>
  query(["introspection", token, state], ({ sessions }) => sessions.introspect(token), SHORT);

/** One profile, in an app or in any app (null); null if it does not exist. */
export const profileQuery = (appId: string | null, userId: string) =>
  query(["profile", appId, userId], ({ profiles }) => unlessGone(profiles.get(userId, ofApp(appId))));

/** Profiles of an app, or of all apps (null), that match a text, oldest first. */
export const profileSearchQuery = (appId: string | null, text: string, limit: number) =>
  query(
    ["profiles", appId, text, limit],
    ({ profiles }) => profiles.list({ ...ofApp(appId), ...(text === "" ? {} : { q: text }), limit }),
    SHORT,
  );

/** The connections of an app, or of all apps (null), in order of creation. */
export const connectionsQuery = (appId: string | null) =>
  query(["connections", appId], ({ connections }) => connections.list(ofApp(appId)));

/** The connections of one user. */
export const connectionsOfUserQuery = (appId: string, userId: string) =>
  query(["connections", appId, userId], ({ connections }) => connections.list({ appId, userId }), SHORT);

/** The newest matching rows. Comparing them with the previous ones would cost more than rendering the visible part. */
export const requestsQuery = (filter: RequestQuery, limit: number) => ({
  ...query(["requests", filter, limit], ({ requests }) => requests.list({ ...filter, limit }), {
    ...SHORTER,
    structuralSharing: false,
  }),
  placeholderData: keepPreviousData,
});

/** The requests that were carried out and whose response was lost; the sessions of some belong to no one. */
export const lostRequestsQuery = () =>
  query(["requests", "lost"], ({ requests }) => requests.list({ lost: "1", limit: 1_000 }));

/** One row of the request log; null if it was dropped. */
export const requestQuery = (id: string) =>
  query(
    ["request", id],
    async ({ requests }) => {
      const row = await unlessGone(requests.get(id));
      return row && { id, newest: row, rows: [row] };
    },
    SHORTER,
  );

/** A request as a curl command with the app secret; an error if the log lacks the complete body. */
export const requestCurlQuery = (id: string) =>
  query(["request-curl", id], async ({ requests }) => (await requests.curl(id)).trim(), SHORTER);

/** A clock relative to this browser's: its offset, and whether it is frozen. Null if the server has none. */
export const clockQuery = (appId: string | null) =>
  query(["clock", appId], async (client) => {
    const before = Date.now();
    const clock = await unlessGone(client.clock.read(ofApp(appId)));
    if (clock === null) return null;
    const aheadMs = Date.parse(clock.now) - (before + Date.now()) / 2;
    return { aheadMs, offsetSeconds: clock.offsetSeconds, frozenAt: clock.frozenAt };
  });

/** @returns the profile of a row, loaded on first render: undefined until then, null if it does not exist. */
export const useProfile = (appId: string, userId: string): Profile | null | undefined =>
  useQuery(profileQuery(appId, userId)).data;

const ID_SHOWN = 8;

/** @returns a name for display, with a placeholder if it is blank. */
export const shownName = (name: string | null | undefined): string => (name?.trim() ? name : "(no name)");

/** @returns the display name of a profile. @param userId its start is shown until the profile is loaded. */
export const nameOf = (profile: Profile | null | undefined, userId?: string): string => {
  if (profile !== undefined) return shownName(profile?.name);
  return userId === undefined ? "\u00a0" : `${userId.slice(0, ID_SHOWN)}…`;
};

/** @returns all apps, empty until they are loaded, and a look-up by id. */
export const useApps = () => {
  const list = useQuery(appsQuery());
  const apps: readonly App[] = list.data?.items ?? [];
  const appOf = (appId: string | null): App | undefined => apps.find((app) => app.appId === appId);
  return { list, apps, appOf, appName: (appId: string): string => appOf(appId)?.name ?? appId };
};

/** @returns the username of a profile; null if it has none. */
export const usernameOf = (app: App | undefined, profile: Profile | null | undefined): string | null =>
  profile?.[usernameField(app ?? { strategy: "phone" })] ?? null;

/** @returns the user of a row as `useProfile` does, with name and username, and the name of the app. */
export const useUser = ({ appId, userId }: Pick<Profile, "appId" | "userId">) => {
  const profile = useProfile(appId, userId);
  const { appOf, appName } = useApps();
  const name = profile === null ? "Deleted user" : nameOf(profile, userId);
  return { profile, name, username: usernameOf(appOf(appId), profile), appName: appName(appId) };
};

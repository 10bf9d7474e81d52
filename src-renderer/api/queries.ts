import { keepPreviousData, type QueryKey, queryOptions, useQuery } from "@tanstack/react-query";
import type { App, Fault, List, Passcode, Profile, RequestQuery, Session, Snapshot } from "#client/index.ts";
import { emulator, ofApp, unlessGone } from "./emulator.ts";
import { LiveList } from "./live-list.ts";

const isOfApp = (row: { readonly appId: string }, appId: string | null): boolean =>
  appId === null || row.appId === appId;
const newestFirst = (a: { readonly seq: number }, b: { readonly seq: number }): number => b.seq - a.seq;

const OF_APPS = { belongs: isOfApp, order: newestFirst };

/** The newest passcodes. */
export const passcodeList = new LiveList<Passcode>({
  key: "passcodes",
  read: (appId, limit, signal) => emulator.withSignal(signal).passcodes.list({ ...ofApp(appId), limit }),
  ...OF_APPS,
});

/** The newest sessions. */
export const sessionList = new LiveList<Session>({
  key: "sessions",
  read: (appId, limit, signal) => emulator.withSignal(signal).sessions.list({ ...ofApp(appId), limit }),
  ...OF_APPS,
});

/** All faults, of all apps, in the order in which requests meet them. */
export const faultList = new LiveList<Fault>({
  key: "faults",
  read: (_appId, _limit, signal) => emulator.withSignal(signal).faults.list(),
  belongs: () => true,
});

const query = <T>(
  queryKey: QueryKey,
  read: (client: typeof emulator) => Promise<T>,
  options: { gcTime?: number; structuralSharing?: false } = {},
) => queryOptions({ queryKey, queryFn: ({ signal }) => read(emulator.withSignal(signal)), ...options });

/** What is let go soon once no screen shows it: it may be another by then, or weighs much. */
const SHORT = { gcTime: 60_000 };
const SHORTER = { gcTime: 10_000 };

/** What the server says of itself. */
export const statusQuery = () => query(["status"], (client) => client.status());

/** Auth on the local network. */
export const lanQuery = () => query(["lan"], ({ lan }) => lan.read());

/** Auth over https. */
export const tlsQuery = () => query(["tls"], ({ tls }) => tls.read());

/** Who has asked auth, the newest first. */
export const clientsQuery = () => query(["clients"], ({ clients }) => clients.list());

/** Whether every URL of auth answers, as the server's machine sees it. */
export const reachQuery = () => query(["reach"], ({ connect }) => connect.check());

/** All apps. */
export const appsQuery = () => query(["apps"], ({ apps }) => apps.list());

/** One passcode; null if there is none. */
export const passcodeQuery = (id: string) => query(["passcode", id], ({ passcodes }) => unlessGone(passcodes.get(id)));

/** One session; null if there is none. */
export const sessionQuery = (id: string) => query(["session", id], ({ sessions }) => unlessGone(sessions.get(id)));

/** Sessions of one user that are read; there may be more. */
const USER_SESSIONS = 100;

/** The newest sessions of one user, and how many there are. */
export const userSessionsQuery = (appId: string, userId: string) =>
  query(
    ["user-sessions", appId, userId],
    ({ sessions }) => sessions.list({ appId, userId, limit: USER_SESSIONS }),
    SHORT,
  );

/** The token of a session, signed once and then kept. Its claims follow the end of the session. */
export const tokenQuery = ({ id, expiresAt }: Session) =>
  query(["token", id, expiresAt], ({ sessions }) => sessions.token(id), SHORT);

/** What the server finds in a token, asked anew in each state of its session. */
export const introspectionQuery = (token: string, state: Session["state"]) =>
  query(["introspection", token, state], ({ sessions }) => sessions.introspect(token), SHORT);

/** One profile, of an app or of whichever app has it (null); null if it is gone. */
export const profileQuery = (appId: string | null, userId: string) =>
  query(["profile", appId, userId], ({ profiles }) => unlessGone(profiles.get(userId, ofApp(appId))));

/** The profiles of an app, or of all (null), that a text finds, oldest first. */
export const profileSearchQuery = (appId: string | null, text: string, limit: number) =>
  query(
    ["profiles", appId, text, limit],
    ({ profiles }) => profiles.list({ ...ofApp(appId), ...(text === "" ? {} : { q: text }), limit }),
    SHORT,
  );

/** The connections of an app, or of all (null), in the order of creation. */
export const connectionsQuery = (appId: string | null) =>
  query(["connections", appId], ({ connections }) => connections.list(ofApp(appId)));

/** The connections of one user. */
export const connectionsOfUserQuery = (appId: string, userId: string) =>
  query(["connections", appId, userId], ({ connections }) => connections.list({ appId, userId }), SHORT);

/** Which rows of the request log are asked for. */
export type RequestFilter = Omit<RequestQuery, "limit">;

/** The newest rows that a filter lets through. To compare them with those before costs more than to draw what is seen. */
export const requestsQuery = (filter: RequestFilter, limit: number) => ({
  ...query(["requests", filter, limit], ({ requests }) => requests.list({ ...filter, limit }), {
    ...SHORTER,
    structuralSharing: false,
  }),
  placeholderData: keepPreviousData,
});

/** One row, as a call that came once; null if the log no longer has it. */
export const requestQuery = (id: string) =>
  query(
    ["request", id],
    async ({ requests }) => {
      const row = await unlessGone(requests.get(id));
      return row && { id, newest: row, rows: [row] };
    },
    SHORTER,
  );

/** A row as a curl command with the app's secret; an error if the log has not kept its whole body. */
export const requestCurlQuery = (id: string) =>
  query(["request-curl", id], async ({ requests }) => (await requests.curl(id)).trim(), SHORTER);

/** Which snapshot, and for whom: of an app (its own, else that of all, for it alone), or of all (null). */
export interface SnapshotRef {
  readonly name: string;
  readonly appId: string | null;
}

/** Apps whose snapshots are looked for where all apps are shown. */
const MOST_APPS = 50;
/** Entries of each list of a diff; the server gives no more. */
export const DIFF_LIMIT = 1_000;

/** The snapshots of all apps together and of each of these, newest first. */
export const snapshotsQuery = (appIds: readonly string[]) =>
  query(["snapshots", appIds], async ({ snapshots }) => {
    const scopes = [null, ...appIds.slice(0, MOST_APPS)];
    const lists: List<Snapshot>[] = await Promise.all(scopes.map((appId) => snapshots.list(ofApp(appId))));
    const all = lists.flatMap(({ items }) => items);
    return all.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.seq - a.seq);
  });

/** What has changed since a snapshot. @param limit entries of each list; 0: counts alone. */
export const diffQuery = ({ name, appId }: SnapshotRef, limit: number) =>
  query(
    ["snapshot-diff", appId, name, limit],
    ({ snapshots }) => snapshots.diff(name, { ...ofApp(appId), limit }),
    SHORTER,
  );

/**
 * The data as one would commit it, of an app or of all (null). It may weigh megabytes: it is not compared with the one before.
 *
 * @param volatile passcodes, sessions and clocks too
 */
export const stateQuery = (appId: string | null, volatile: boolean) =>
  query(["state", appId, volatile], ({ state }) => state.export({ ...ofApp(appId), volatile }), {
    ...SHORTER,
    structuralSharing: false,
  });

/** A clock against this browser's: how far it is off, and whether it is frozen. Null: the server has none to show. */
export const clockQuery = (appId: string | null) =>
  query(["clock", appId], async (client) => {
    const before = Date.now();
    const clock = await unlessGone(client.clock.read(ofApp(appId)));
    if (clock === null) return null;
    const aheadMs = Date.parse(clock.now) - (before + Date.now()) / 2;
    return { aheadMs, offsetSeconds: clock.offsetSeconds, frozenAt: clock.frozenAt };
  });

/** @returns whether a fault will meet another request. */
export const isOn = ({ remaining }: Fault): boolean => remaining !== 0;

/** @returns the profile of a row, read when the row is first seen: undefined while it is, null if there is none. */
export const useProfile = (appId: string, userId: string): Profile | null | undefined =>
  useQuery(profileQuery(appId, userId)).data;

const ID_SHOWN = 8;

/** @returns a name as it is shown; a blank one is said to be. */
export const shownName = (name: string | null | undefined): string => (name?.trim() ? name : "(no name)");

/** @returns the name to show for a profile. @param userId its beginning stands there until the profile is read. */
export const nameOf = (profile: Profile | null | undefined, userId?: string): string => {
  if (profile !== undefined) return shownName(profile?.name);
  return userId === undefined ? "\u00a0" : `${userId.slice(0, ID_SHOWN)}…`;
};

/** @returns all apps, none until they are read, and what finds one of them. */
export const useApps = () => {
  const list = useQuery(appsQuery());
  const apps: readonly App[] = list.data?.items ?? [];
  const appOf = (appId: string | null): App | undefined => apps.find((app) => app.appId === appId);
  return { list, apps, appOf, appName: (appId: string): string => appOf(appId)?.name ?? appId };
};

/** @returns the name by which a user signs in; null: none. */
export const usernameOf = (
  app: App | undefined,
  profile: Pick<Profile, "phone" | "email"> | null | undefined,
): string | null => profile?.[app?.strategy ?? "phone"] ?? null;

/**
 * What the screens read, and under which key it is kept.
 */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  Fault,
  List,
  Passcode,
  Profile,
  RequestQuery,
  RequestRow,
  Session,
  Snapshot,
  SnapshotDiff,
} from "#client/index.ts";
import { emulator, ofApp, unlessGone } from "./emulator.ts";
import { LiveList } from "./live-list.ts";

const isOfApp = (row: { readonly appId: string }, appId: string | null): boolean =>
  appId === null || row.appId === appId;
const newestFirst = (a: { readonly seq: number }, b: { readonly seq: number }): number => b.seq - a.seq;

/** The newest passcodes. */
export const passcodeList = new LiveList<Passcode>({
  key: "passcodes",
  read: (appId, limit, signal) => emulator.withSignal(signal).passcodes.list({ ...ofApp(appId), limit }),
  belongs: isOfApp,
  order: newestFirst,
});

/** The newest sessions. */
export const sessionList = new LiveList<Session>({
  key: "sessions",
  read: (appId, limit, signal) => emulator.withSignal(signal).sessions.list({ ...ofApp(appId), limit }),
  belongs: isOfApp,
  order: newestFirst,
});

/** All faults, of all apps, in the order in which requests meet them. */
export const faultList = new LiveList<Fault>({
  key: "faults",
  read: (_appId, _limit, signal) => emulator.withSignal(signal).faults.list(),
  belongs: () => true,
});

/** What the server says of itself. */
export const statusQuery = () =>
  queryOptions({ queryKey: ["status"], queryFn: ({ signal }) => emulator.withSignal(signal).status() });

/** All apps. */
export const appsQuery = () =>
  queryOptions({ queryKey: ["apps"], queryFn: ({ signal }) => emulator.withSignal(signal).apps.list() });

/** One passcode; null if there is none. */
export const passcodeQuery = (id: string) =>
  queryOptions({
    queryKey: ["passcode", id],
    queryFn: ({ signal }): Promise<Passcode | null> => unlessGone(emulator.withSignal(signal).passcodes.get(id)),
  });

/** One session; null if there is none. */
export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ["session", id],
    queryFn: ({ signal }): Promise<Session | null> => unlessGone(emulator.withSignal(signal).sessions.get(id)),
  });

/** Sessions of one user that are read; there may be more. */
const USER_SESSIONS = 100;

/** The newest sessions of one user, and how many there are. */
export const userSessionsQuery = (appId: string, userId: string) =>
  queryOptions({
    queryKey: ["user-sessions", appId, userId],
    queryFn: ({ signal }) => emulator.withSignal(signal).sessions.list({ appId, userId, limit: USER_SESSIONS }),
    gcTime: 60_000,
  });

/** The token of a session, signed once and then kept. Its claims follow the end of the session. */
export const tokenQuery = ({ id, expiresAt }: Session) =>
  queryOptions({
    queryKey: ["token", id, expiresAt],
    queryFn: ({ signal }) => emulator.withSignal(signal).sessions.token(id),
    gcTime: 60_000,
  });

/** What the server finds in a token, asked anew in each state of its session. */
export const introspectionQuery = (token: string, state: Session["state"]) =>
  queryOptions({
    queryKey: ["introspection", token, state],
    queryFn: ({ signal }) => emulator.withSignal(signal).sessions.introspect(token),
    gcTime: 60_000,
  });

/** One profile, of an app or of whichever app has it (null); null if it is gone. */
export const profileQuery = (appId: string | null, userId: string) =>
  queryOptions({
    queryKey: ["profile", appId, userId],
    queryFn: ({ signal }): Promise<Profile | null> =>
      unlessGone(emulator.withSignal(signal).profiles.get(userId, ofApp(appId))),
  });

/** The profiles of an app, or of all (null), that a text finds, oldest first. */
export const profileSearchQuery = (appId: string | null, text: string, limit: number) =>
  queryOptions({
    queryKey: ["profiles", appId, text, limit],
    queryFn: ({ signal }) =>
      emulator.withSignal(signal).profiles.list({ ...ofApp(appId), ...(text === "" ? {} : { q: text }), limit }),
    gcTime: 30_000,
  });

/** The connections of an app, or of all (null), in the order of creation. */
export const connectionsQuery = (appId: string | null) =>
  queryOptions({
    queryKey: ["connections", appId],
    queryFn: ({ signal }) => emulator.withSignal(signal).connections.list(ofApp(appId)),
  });

/** The connections of one user. */
export const connectionsOfUserQuery = (appId: string, userId: string) =>
  queryOptions({
    queryKey: ["connections", appId, userId],
    queryFn: ({ signal }) => emulator.withSignal(signal).connections.list({ appId, userId }),
    gcTime: 60_000,
  });

/** Which rows of the request log are asked for. */
export type RequestFilter = Omit<RequestQuery, "limit">;

/** The newest rows that a filter lets through. */
export const requestsQuery = (filter: RequestFilter, limit: number) =>
  queryOptions({
    queryKey: ["requests", filter, limit],
    queryFn: ({ signal }) => emulator.withSignal(signal).requests.list({ ...filter, limit }),
    placeholderData: keepPreviousData,
    // To compare a thousand rows with their bodies costs more than to draw those that are seen.
    structuralSharing: false,
    // Rows weigh kilobytes: what no screen shows is let go soon.
    gcTime: 10_000,
  });

/** One row; null if the log no longer has it. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ["request", id],
    queryFn: ({ signal }): Promise<RequestRow | null> => unlessGone(emulator.withSignal(signal).requests.get(id)),
    gcTime: 10_000,
  });

/** A row as a curl command with the app's secret; an error if the log has not kept its whole body. */
export const requestCurlQuery = (id: string) =>
  queryOptions({
    queryKey: ["request-curl", id],
    queryFn: async ({ signal }) => (await emulator.withSignal(signal).requests.curl(id)).trim(),
    gcTime: 10_000,
  });

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
  queryOptions({
    queryKey: ["snapshots", appIds],
    queryFn: async ({ signal }): Promise<Snapshot[]> => {
      const scopes = [null, ...appIds.slice(0, MOST_APPS)];
      const { snapshots } = emulator.withSignal(signal);
      const lists: List<Snapshot>[] = await Promise.all(scopes.map((appId) => snapshots.list(ofApp(appId))));
      const all = lists.flatMap(({ items }) => items);
      return all.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.seq - a.seq);
    },
  });

/** What has changed since a snapshot. @param limit entries of each list; 0: counts alone. */
export const diffQuery = ({ name, appId }: SnapshotRef, limit: number) =>
  queryOptions({
    queryKey: ["snapshot-diff", appId, name, limit],
    queryFn: ({ signal }): Promise<SnapshotDiff> =>
      emulator.withSignal(signal).snapshots.diff(name, { ...ofApp(appId), limit }),
    gcTime: 10_000,
  });

/** The data as one would commit it, of an app or of all (null). @param volatile passcodes, sessions and clocks too. */
export const stateQuery = (appId: string | null, volatile: boolean) =>
  queryOptions({
    queryKey: ["state", appId, volatile],
    queryFn: ({ signal }) => emulator.withSignal(signal).state.export({ ...ofApp(appId), volatile }),
    // It may weigh megabytes: it is not compared with the one before, and let go soon.
    structuralSharing: false,
    gcTime: 5_000,
  });

/** A clock against this browser's: how far it is off, and whether it is frozen. Null: the server has none to show. */
export const clockQuery = (appId: string | null) =>
  queryOptions({
    queryKey: ["clock", appId],
    queryFn: async ({ signal }) => {
      const before = Date.now();
      const clock = await unlessGone(emulator.withSignal(signal).clock.read(ofApp(appId)));
      if (clock === null) return null;
      const aheadMs = Date.parse(clock.now) - (before + Date.now()) / 2;
      return { aheadMs, offsetSeconds: clock.offsetSeconds, frozenAt: clock.frozenAt };
    },
  });

/** @returns whether a fault will meet another request. */
export const isOn = ({ remaining }: Fault): boolean => remaining !== 0;

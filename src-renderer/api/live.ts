/** Keeps the cache up to date: each event updates what it names, and a gap in the stream reloads what is on screen. */
import { notifyManager } from "@tanstack/react-query";
import type { List, Passcode, Profile, Session, StagedoorEvent } from "#client/index.ts";
import { cache, lane, readAgain, readKey } from "./cache.ts";
import { useFirstFailure } from "./first-failure.ts";
import { ACTION_KEYS, hear, isBesideData, QUICK_KEYS } from "./hearers.ts";
import type { Change, LiveRecord } from "./live-list.ts";
import { putInPages, tellOfProfiles } from "./profile-pages.ts";
import { passcodeList, sessionList } from "./queries.ts";

/** Reloads immediately, and under load a few times a second. */
const soon = lane(250);
/** For expensive queries over all data: reloads soon, but less often. */
const inTime = lane(500);
const SLOW_KEYS = ["apps", "state"];

// An action is over once these have it: an undo right after it is of nothing older.
cache.getMutationCache().config.onSuccess = () => readAgain(...ACTION_KEYS);

/** Reloads what is on screen; everything else reloads when it is needed next. */
export const refetchAll = (): void => {
  tellOfProfiles("unknown");
  void readKey([]);
};

type OnPasscodes = (passcodes: readonly Passcode[]) => void;
let onNewPasscodes: OnPasscodes = () => undefined;
let onWrongCodes: OnPasscodes = () => undefined;

/** Calls the listeners with new passcodes, and with those for which a wrong code was typed, oldest first. Supports one
 * of each. */
export const watchPasscodes = (onNew: OnPasscodes, onWrong: OnPasscodes): void => {
  onNewPasscodes = onNew;
  onWrongCodes = onWrong;
};

const isTriedWrongly = ({ id, attempts, tried, code, status }: Passcode): boolean => {
  if (tried.at(-1) === code || !(status === "active" || status === "exhausted")) return false;
  const lists = cache.getQueriesData<List<Passcode>>({ queryKey: ["passcodes"] });
  const before = lists.flatMap(([, list]) => list?.items.find((one) => one.id === id) ?? [])[0];
  return attempts > (before?.attempts ?? 0);
};

/** Notes the change of a row for its list, and makes it in its own query, if in use. @returns the queries to reload. */
const note = <T extends LiveRecord>(
  into: Change<T>[],
  key: string,
  change: Change<T>,
  ...outdated: readonly string[]
) => {
  into.push(change);
  const [id, item] = "put" in change ? [change.put.id, change.put] : [change.removed, null];
  cache.setQueryData([key, id], (before: unknown) => (before === undefined ? undefined : item));
  return outdated;
};

/** Replaces or removes (null) a profile without a request. Restarts running fetches, whose result could be older. */
const setProfile = (appId: string, userId: string, profile: Profile | null): void => {
  const queryKey = ["profile", appId, userId];
  const state = cache.getQueryState(queryKey);
  if (state?.fetchStatus === "fetching") void readKey(queryKey);
  else if (state !== undefined || profile !== null) cache.setQueryData(queryKey, profile);
  // Another app may have a profile with the same id.
  void readKey(["profile", null, userId]);
};

/** Whether a message arrives with this event that was delayed or comes twice. */
const arrivesLate = ({ seq, item }: { readonly seq: number; readonly item: Passcode }): boolean =>
  item.arrivedSeq === seq && item.seq !== seq;

interface Gathered {
  readonly passcodes: Change<Passcode>[];
  readonly sessions: Change<Session>[];
}

const KEYS_OF_CLOCKS = ["clock", "passcodes", "passcode", "active-codes", "sessions", "session", "user-sessions"];

/** Collects or applies the change of one event. @returns the keys of queries to reload. */
const take = (event: StagedoorEvent, into: Gathered): readonly string[] => {
  switch (event.type) {
    case "passcode.put":
      return note(into.passcodes, "passcode", { put: event.item }, "active-codes");
    case "passcode.remove":
      return note(into.passcodes, "passcode", { removed: event.item.id }, "active-codes");
    case "passcode.devices":
      return ["passcodes", "passcode", "requests"];
    case "session.put":
      return note(into.sessions, "session", { put: event.item }, "user-sessions");
    case "session.remove":
      return note(into.sessions, "session", { removed: event.item.id }, "user-sessions");
    case "profile.put":
      setProfile(event.item.appId, event.item.userId, event.item);
      putInPages(event.item);
      return ["profiles", "profile-pages", "status"];
    case "profile.remove":
      if (event.appId !== null) {
        tellOfProfiles({ removed: { appId: event.appId, ...event.item } });
        setProfile(event.appId, event.item.userId, null);
      }
      return ["profiles", "profile-pages", "status"];
    case "app.put":
    case "app.remove":
      return ["status"];
    case "clock.put":
      return KEYS_OF_CLOCKS;
    case "request.put":
      return ["requests"];
    case "connection.put":
    case "connection.remove":
      return ["connections", "status"];
    case "failure.first":
      useFirstFailure.setState({ requestId: event.item.requestId });
      return [];
    // All of it is read again, or a feature hears it.
    default:
      return [];
  }
};

/** Applies events in order. */
export const applyEvents = (events: readonly StagedoorEvent[]): void => {
  const outdated = new Set<string>();
  const gathered: Gathered = { passcodes: [], sessions: [] };
  notifyManager.batch(() => {
    for (const event of events) {
      for (const key of take(event, gathered)) outdated.add(key);
      for (const key of hear(event)) outdated.add(key);
    }
    const wrong = gathered.passcodes.flatMap((one) => ("put" in one && isTriedWrongly(one.put) ? [one.put] : []));
    const unknown = passcodeList.apply(gathered.passcodes);
    sessionList.apply(gathered.sessions);
    const late = events.flatMap((event) => (event.type === "passcode.put" && arrivesLate(event) ? [event.item] : []));
    const fresh = [...unknown.filter(({ delivery }) => delivery !== "pending"), ...late].filter(
      ({ attempts, status }) => attempts === 0 && status === "active",
    );
    if (fresh.length > 0) onNewPasscodes(fresh);
    if (wrong.length > 0) onWrongCodes(wrong);
  });
  if (events.some(({ type }) => type === "state.put" || type === "resync")) refetchAll();
  const isData = !events.every(isBesideData);
  if (isData) for (const key of QUICK_KEYS) outdated.add(key);
  void soon(outdated);
  if (isData) void inTime(SLOW_KEYS);
};

/**
 * Keeps the cache current: each event changes what it names, a gap reads again what is on the screen.
 */
import { notifyManager } from "@tanstack/react-query";
import type { Fault, Passcode, Profile, Session, StagedoorEvent } from "#client/index.ts";
import { cache, lane, readKey } from "./cache.ts";
import type { Change } from "./live-list.ts";
import { putInPages, removeFromPages, tellOfProfiles } from "./profile-pages.ts";
import { faultList, passcodeList, sessionList } from "./queries.ts";

/** What is read again at once, and under load a few times a second. */
const soon = lane(250);
/** Reads that look at everything: read again soon, but never in a hurry, however much is going on. */
const inTime = lane(500);
const SLOW_KEYS = ["apps", "state", "snapshot-diff"];

/** Reads again what a screen shows; what none shows is read when it is next asked for. */
export const refetchAll = (): void => {
  tellOfProfiles("unknown");
  void readKey([]);
};

let onNewPasscodes = (_passcodes: readonly Passcode[]): void => undefined;

/** Hears of passcodes that were not there before, oldest first. There is one listener. */
export const watchNewPasscodes = (listener: (passcodes: readonly Passcode[]) => void): void => {
  onNewPasscodes = listener;
};

/** Replaces a record that is looked at by itself; what nobody looks at is not kept. @returns what has to be read again. */
const replace = (queryKey: readonly string[], item: unknown, ...outdated: readonly string[]): readonly string[] => {
  if (cache.getQueryData(queryKey) !== undefined) cache.setQueryData(queryKey, item);
  return outdated;
};

/** A profile is another, or gone (null): nobody has to ask for it. An answer under way may be from before. */
const setProfile = (appId: string, userId: string, profile: Profile | null): void => {
  const queryKey = ["profile", appId, userId];
  const state = cache.getQueryState(queryKey);
  if (state?.fetchStatus === "fetching") void readKey(queryKey);
  else if (state !== undefined || profile !== null) cache.setQueryData(queryKey, profile);
  // Another app may have one of the same id.
  void readKey(["profile", null, userId]);
};

interface Gathered {
  readonly passcodes: Change<Passcode>[];
  readonly sessions: Change<Session>[];
  readonly faults: Change<Fault>[];
}

const KEYS_OF_CLOCKS = ["clock", "passcodes", "passcode", "sessions", "session", "user-sessions"];

/** Gathers what an event changes, or changes it. @returns the keys of what has to be read again. */
const take = (event: StagedoorEvent, into: Gathered): readonly string[] => {
  switch (event.type) {
    case "passcode.put":
      into.passcodes.push({ put: event.item });
      return replace(["passcode", event.item.id], event.item);
    case "passcode.remove":
      into.passcodes.push({ removed: event.item.id });
      return replace(["passcode", event.item.id], null);
    case "passcode.devices":
      return ["passcodes", "passcode"];
    case "session.put":
      into.sessions.push({ put: event.item });
      return replace(["session", event.item.id], event.item, "user-sessions");
    case "session.remove":
      into.sessions.push({ removed: event.item.id });
      return replace(["session", event.item.id], null, "user-sessions");
    case "profile.put":
      setProfile(event.item.appId, event.item.userId, event.item);
      putInPages(event.item);
      return ["profiles", "profile-pages", "status"];
    case "profile.remove":
      if (event.appId !== null) {
        removeFromPages({ appId: event.appId, ...event.item });
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
    case "lan.put":
      return ["status", "lan", "tls", "reach"];
    case "client.put":
      return ["clients"];
    case "fault.put":
      into.faults.push({ put: event.item });
      return [];
    case "fault.remove":
      into.faults.push({ removed: event.item.id });
      return [];
    case "snapshot.put":
    case "snapshot.remove":
      return ["snapshots"];
    case "connection.put":
    case "connection.remove":
      return ["connections", "status"];
    case "state.put":
    case "resync":
      return [];
  }
};

/** Events that change nothing of the data. */
const BESIDE_DATA: ReadonlySet<StagedoorEvent["type"]> = new Set([
  "request.put",
  "fault.put",
  "fault.remove",
  "lan.put",
  "client.put",
]);

/** Applies events in their order. */
export const applyEvents = (events: readonly StagedoorEvent[]): void => {
  const outdated = new Set<string>();
  const gathered: Gathered = { passcodes: [], sessions: [], faults: [] };
  notifyManager.batch(() => {
    for (const event of events) for (const key of take(event, gathered)) outdated.add(key);
    const unknown = passcodeList.apply(gathered.passcodes);
    sessionList.apply(gathered.sessions);
    faultList.apply(gathered.faults);
    const fresh = unknown.filter(({ attempts, status }) => attempts === 0 && status === "active");
    if (fresh.length > 0) onNewPasscodes(fresh);
  });
  if (events.some(({ type }) => type === "state.put" || type === "resync")) refetchAll();
  void soon(outdated);
  if (events.some(({ type }) => !BESIDE_DATA.has(type))) void inTime(SLOW_KEYS);
};

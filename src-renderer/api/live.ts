/**
 * Keeps the cache current: each event changes what it names, a gap reads again what is on the screen.
 */
import { notifyManager, type QueryClient } from "@tanstack/react-query";
import { z } from "zod";
import type { EventData } from "#contract/events.ts";
import { faultItem } from "#contract/faults.ts";
import { passcodeItem } from "#contract/passcodes.ts";
import { profileItem } from "#contract/profiles.ts";
import { sessionItem } from "#contract/sessions.ts";
import { tellOfFault } from "./faults.ts";
import { putInPages, removeFromPages, tellOfProfiles } from "./profile-pages.ts";
import { recentPasscodes, recentSessions } from "./queries.ts";
import type { Listed, Passcode } from "./records.ts";
import { refreshRequests } from "./request-log.ts";
import { type RecentChanges, type Row, withoutRows, withRow } from "./rows.ts";
import { refreshSlowReads } from "./slow-reads.ts";

/** What a removal names: one id, or many. */
const removal = z.union([z.object({ id: z.string() }), z.object({ ids: z.array(z.string()) })]);
const idsOf = (item: unknown): ReadonlySet<string> => {
  const named = removal.safeParse(item).data;
  if (named === undefined) return new Set();
  return new Set("ids" in named ? named.ids : [named.id]);
};

const removedProfile = z.object({ userId: z.string() });

const putRow = <T extends Row>(
  client: QueryClient,
  kind: "passcode" | "session",
  recent: RecentChanges<T>,
  row: T,
): void => {
  recent.add({ put: row });
  client.setQueriesData<Listed<T>>(
    { queryKey: [`${kind}s`], predicate: ({ queryKey: [, appId] }) => appId === null || appId === row.appId },
    (list) => list && withRow(list, row),
  );
  client.setQueryData([kind, row.id], row);
};

const removeRows = <T extends Row>(
  client: QueryClient,
  kind: "passcode" | "session",
  recent: RecentChanges<T>,
  item: unknown,
): void => {
  const removed = idsOf(item);
  recent.add({ removed });
  client.setQueriesData<Listed<T>>({ queryKey: [`${kind}s`] }, (list) => list && withoutRows(list, removed));
  for (const id of removed) if (client.getQueryData([kind, id]) !== undefined) client.setQueryData([kind, id], null);
};

const isKnown = (client: QueryClient, { id, appId }: Passcode): boolean =>
  [appId, null].some((of) =>
    client.getQueryData<Listed<Passcode>>(["passcodes", of])?.items.some((item) => item.id === id),
  );

/**
 * Reads again what is shown of these queries. A fetch under way was asked before: it is let go and asked anew, but for
 * the very first of a query, which the cache keeps: that one is asked anew once it is through.
 */
const readAgain = (client: QueryClient, filters: { readonly queryKey?: readonly (string | null)[] }): void => {
  for (const { state, promise, queryKey } of client.getQueryCache().findAll(filters)) {
    if (state.data !== undefined || state.fetchStatus !== "fetching") continue;
    const again = (): Promise<void> => client.invalidateQueries({ queryKey, exact: true });
    void promise?.then(again, again);
  }
  void client.invalidateQueries(filters);
};

/** Reads again what a screen shows; what none shows is read when it is next asked for. */
export const refetchAll = (client: QueryClient): void => {
  tellOfProfiles("unknown");
  readAgain(client, {});
};

/** A profile is known to be gone: nobody has to ask for it, and be refused. An answer under way may be from before. */
const forgetProfile = (client: QueryClient, appId: string, userId: string): void => {
  const queryKey = ["profile", appId, userId];
  const state = client.getQueryState(queryKey);
  if (state?.fetchStatus === "fetching") readAgain(client, { queryKey });
  else if (state !== undefined) client.setQueryData(queryKey, null);
  // Another app may have one of the same id.
  readAgain(client, { queryKey: ["profile", null, userId] });
};

/** Changes the cache by one event. @returns the keys of what has to be read again. */
const apply = (
  client: QueryClient,
  event: EventData,
  onNewPasscode: (passcode: Passcode) => void,
): readonly string[] => {
  switch (event.type) {
    case "passcode.put": {
      const passcode = passcodeItem.safeParse(event.item).data;
      if (passcode === undefined) return ["passcodes", "passcode"];
      if (passcode.attempts === 0 && passcode.status === "active" && !isKnown(client, passcode))
        onNewPasscode(passcode);
      putRow(client, "passcode", recentPasscodes, passcode);
      return [];
    }
    case "session.put": {
      const session = sessionItem.safeParse(event.item).data;
      if (session === undefined) return ["sessions", "session"];
      putRow(client, "session", recentSessions, session);
      return ["user-sessions"];
    }
    case "profile.put": {
      const profile = profileItem.safeParse(event.item).data;
      if (profile === undefined) return ["profile", "profiles", "profile-pages", "status"];
      client.setQueryData(["profile", profile.appId, profile.userId], profile);
      putInPages(client, profile);
      return ["profiles", "status"];
    }
    case "passcode.remove":
      removeRows(client, "passcode", recentPasscodes, event.item);
      return [];
    case "passcode.devices":
      return ["passcodes", "passcode"];
    case "session.remove":
      removeRows(client, "session", recentSessions, event.item);
      return ["user-sessions"];
    case "profile.remove": {
      const removed = removedProfile.safeParse(event.item).data;
      if (removed === undefined || event.appId === null) return ["profile", "profiles", "status"];
      removeFromPages(client, { appId: event.appId, ...removed });
      forgetProfile(client, event.appId, removed.userId);
      return ["profiles", "status"];
    }
    case "app.put":
    case "app.remove":
      return ["apps", "status"];
    case "clock.put":
      return ["clock", "passcodes", "passcode", "sessions", "session", "user-sessions"];
    case "state.put":
      refetchAll(client);
      return [];
    case "request.put":
      void refreshRequests(client);
      return [];
    case "fault.put": {
      const fault = faultItem.safeParse(event.item).data;
      if (fault === undefined) return ["faults"];
      tellOfFault(client, { put: fault });
      return [];
    }
    case "fault.remove":
      for (const id of idsOf(event.item)) tellOfFault(client, { removed: id });
      return [];
    case "snapshot.put":
    case "snapshot.delete":
      return ["snapshots"];
    case "connection.put":
    case "connection.remove":
      return ["connections", "status"];
    case "resync":
      return [];
  }
};

/** Events that change nothing of a world. */
const BESIDE_DATA: ReadonlySet<EventData["type"]> = new Set(["request.put", "fault.put", "fault.remove", "resync"]);

/** Applies events in their order. @param onNewPasscode told of each passcode that was not there before. */
export const applyEvents = (
  client: QueryClient,
  events: readonly EventData[],
  onNewPasscode: (passcode: Passcode) => void,
): void => {
  const outdated = new Set<string>();
  notifyManager.batch(() => {
    for (const event of events) for (const key of apply(client, event, onNewPasscode)) outdated.add(key);
  });
  for (const key of outdated) readAgain(client, { queryKey: [key] });
  if (events.some(({ type }) => !BESIDE_DATA.has(type))) void refreshSlowReads(client);
};
